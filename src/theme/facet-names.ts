import type { Catalog } from "../catalog/catalog.ts";
import { getFacetLabel } from "../catalog/facets/facet-labels.ts";
import type { Facet } from "../catalog/facets/facets.ts";
import { facetParams } from "../catalog/facets/filter-selection.ts";
import { getMessages } from "../messages/messages.ts";
import type { Translator } from "./files/locales.ts";

/** Names of filters in one language, for JSON and templates. */
export type FacetNames = Readonly<
  Record<"availability" | "inStock" | "soldOut" | "price" | "productType" | "vendor" | "tag", string>
>;

/**
 * Returns the names in the theme's translations (`collections.filters.…`), or the server's names if the theme has none.
 */
export function getFacetNames(translate: Translator, locale: string): FacetNames {
  const message = getMessages(locale);
  const getFilterName = (key: string, name: keyof FacetNames): string =>
    translate(`collections.filters.${key}`)?.text ?? message(`facets.${name}`);
  return {
    availability: getFilterName("availability", "availability"),
    inStock: getFilterName("in_stock", "inStock"),
    soldOut: getFilterName("sold_out", "soldOut"),
    price: getFilterName("price", "price"),
    productType: getFilterName("productType", "productType"),
    vendor: getFilterName("vendor", "vendor"),
    tag: getFilterName("tag", "tag"),
  };
}

export function getFacetName(names: FacetNames, facet: Facet, catalog: Catalog, locale: string): string {
  const { productType, vendor, tag } = facetParams;
  if (facet.facet === productType) return names.productType;
  if (facet.facet === vendor) return names.vendor;
  return facet.facet === tag ? names.tag : getFacetLabel(catalog, facet, locale);
}
