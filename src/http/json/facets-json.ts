import type { Catalog } from "../../catalog/catalog.ts";
import { addValueLabels } from "../../catalog/facets/facet-labels.ts";
import type { FilteredList } from "../../catalog/facets/facets.ts";
import { type FilterSelection, facetParams } from "../../catalog/facets/filter-selection.ts";
import { formatDecimalMoney } from "../../pricing/money.ts";
import { type FacetNames, getFacetName } from "../../theme/facet-names.ts";

/** Catalog, language, and filter names for the JSON of filters. */
export interface FacetView {
  readonly catalog: Catalog;
  readonly locale: string;
  readonly currency: string;
  readonly names: FacetNames;
}

/**
 * Returns the filters of a product list as JSON objects, whose fields have the same names as those of `search.filters`
 * in Liquid. An empty product list has no filters.
 */
export function formatFacets(
  { inStockCount, soldOutCount, highestPrice, facets }: FilteredList,
  selection: FilterSelection,
  view: FacetView,
): readonly object[] {
  if (facets.length + inStockCount + soldOutCount + highestPrice === 0) return [];
  const { names } = view;
  const availability = [
    { value: "1", label: names.inStock, count: inStockCount },
    { value: "0", label: names.soldOut, count: soldOutCount },
  ];
  const toListFilter = (
    param: string,
    label: string,
    values: typeof availability,
    selectedValues: ReadonlySet<string>,
  ) => ({
    type: "list",
    label,
    param_name: param,
    operator: "OR",
    values: values.map(({ value, label, count }) => ({ value, label, count, active: selectedValues.has(value) })),
  });
  const formatLimit = (param: string, amount: number | undefined) => ({
    param_name: param,
    value: amount === undefined ? null : formatDecimalMoney(amount, view.currency),
  });
  return [
    toListFilter(facetParams.availability, names.availability, availability, selection.availability),
    {
      type: "price_range",
      label: names.price,
      param_name: facetParams.price,
      min_value: formatLimit(facetParams.priceFrom, selection.priceFrom),
      max_value: formatLimit(facetParams.priceTo, selection.priceTo),
      range_max: formatDecimalMoney(highestPrice, view.currency),
    },
    ...facets.map((facet) => {
      const values = [...addValueLabels(view.catalog, facet, view.locale)];
      return toListFilter(
        facet.facet,
        getFacetName(names, facet, view.catalog, view.locale),
        values,
        selection.values.get(facet.facet) ?? new Set(),
      );
    }),
  ];
}
