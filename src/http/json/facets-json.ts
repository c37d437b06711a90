import type { Catalog } from "../../catalog/catalog.ts";
import type { FacetChoice } from "../../catalog/facets/facet-choice.ts";
import { facetLabel, offeredValues } from "../../catalog/facets/facet-labels.ts";
import { facetParams } from "../../catalog/facets/facet-params.ts";
import type { Facet, Narrowed } from "../../catalog/facets/facets.ts";
import { messagesIn } from "../../messages/registry.ts";
import { decimalMoney } from "../../pricing/money.ts";

/** Where filters are shown. */
export interface FacetView {
  readonly catalog: Catalog;
  readonly locale: string;
  readonly currency: string;
}

/** What narrows a list of products down, with the names that `search.filters` has in Liquid; none where the list has no products. */
export function facetsJson(
  { inStock, soldOut, highestPrice, facets }: Narrowed,
  choice: FacetChoice,
  view: FacetView,
): readonly object[] {
  if (facets.length + inStock + soldOut + highestPrice === 0) return [];
  const texts = messagesIn(view.locale).facets;
  const availability = [
    { value: "1", label: texts.inStock, count: inStock },
    { value: "0", label: texts.soldOut, count: soldOut },
  ];
  const list = (param: string, label: string, values: typeof availability, chosen: ReadonlySet<string>) => ({
    type: "list",
    label,
    param_name: param,
    operator: "OR",
    values: values.map(({ value, label, count }) => ({ value, label, count, active: chosen.has(value) })),
  });
  const limit = (param: string, amount: number | undefined) => ({
    param_name: param,
    value: amount === undefined ? null : decimalMoney(amount, view.currency),
  });
  return [
    list(facetParams.availability, texts.availability, availability, choice.availability),
    {
      type: "price_range",
      label: texts.price,
      param_name: facetParams.price,
      min_value: limit(facetParams.priceFrom, choice.priceFrom),
      max_value: limit(facetParams.priceTo, choice.priceTo),
      range_max: decimalMoney(highestPrice, view.currency),
    },
    ...facets.map((one) => {
      const values = [...offeredValues(view.catalog, one, view.locale)];
      return list(one.facet, labelOf(one, view), values, choice.values.get(one.facet) ?? new Set());
    }),
  ];
}

function labelOf(facet: Facet, { catalog, locale }: FacetView): string {
  const texts = messagesIn(locale).facets;
  const { productType, vendor, tag } = facetParams;
  if (facet.facet === productType) return texts.productType;
  if (facet.facet === vendor) return texts.vendor;
  return facet.facet === tag ? texts.tag : facetLabel(catalog, facet, locale);
}
