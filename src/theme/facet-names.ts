import type { Catalog } from "../catalog/catalog.ts";
import { facetLabel } from "../catalog/facets/facet-labels.ts";
import type { Facet } from "../catalog/facets/facets.ts";
import { facetParams } from "../catalog/facets/filter-selection.ts";
import type { Messages } from "../messages/messages.ts";
import { messagesIn } from "../messages/registry.ts";
import type { Translator } from "./files/locales.ts";

/** Names of filters in one language, for JSON and templates. */
export type FacetNames = Messages["facets"];

/** The theme's translations (`collections.filters.…`), else the server's. */
export function facetNames(translate: Translator, locale: string): FacetNames {
  const { facets } = messagesIn(locale);
  const named = (key: string, fallback: string): string => translate(`collections.filters.${key}`)?.text ?? fallback;
  return {
    availability: named("availability", facets.availability),
    inStock: named("in_stock", facets.inStock),
    soldOut: named("sold_out", facets.soldOut),
    price: named("price", facets.price),
    productType: named("productType", facets.productType),
    vendor: named("vendor", facets.vendor),
    tag: named("tag", facets.tag),
  };
}

export function facetName(names: FacetNames, facet: Facet, catalog: Catalog, locale: string): string {
  const { productType, vendor, tag } = facetParams;
  if (facet.facet === productType) return names.productType;
  if (facet.facet === vendor) return names.vendor;
  return facet.facet === tag ? names.tag : facetLabel(catalog, facet, locale);
}
