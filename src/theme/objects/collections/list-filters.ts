import { addValueLabels, type LabeledValue } from "../../../catalog/facets/facet-labels.ts";
import type { FilteredList } from "../../../catalog/facets/facets.ts";
import { type FilterSelection, facetParams, optionPrefix } from "../../../catalog/facets/filter-selection.ts";
import { localize } from "../../../catalog/localize.ts";
import { groupParam } from "../../../predictive-search/collapse-groups.ts";
import { formatDecimalMoney } from "../../../pricing/money.ts";
import { getFacetName, getFacetNames } from "../../facet-names.ts";
import { addPathPrefix, parsePageQuery, type View } from "../../view.ts";
import { createSwatchObject } from "../products/swatch.ts";
import { TemplateObject } from "../template-object.ts";
import { filterType, filterValueType } from "./filter-object.ts";

/** A product list with its filter selection. */
export interface FilterContext {
  readonly view: View;
  readonly filterResult: FilteredList;
  readonly selection: FilterSelection;
}

/**
 * Returns `collection.filters` or `search.filters`: availability, price, product type, vendor, options, tags and
 * metafields, with the names that Shopify uses. Each value has the number of products that have this value and match
 * the other filters.
 */
export function listFilters(filterContext: FilterContext): readonly unknown[] {
  const { view, selection, filterResult } = filterContext;
  const { catalog, locale } = view.request;
  const names = getFacetNames(view.translate, locale);
  const availability: readonly LabeledValue[] = [
    { value: "1", label: names.inStock, count: filterResult.inStockCount },
    { value: "0", label: names.soldOut, count: filterResult.soldOutCount },
  ];
  return [
    createValuesFilter(view, {
      param: facetParams.availability,
      label: names.availability,
      selectedValues: selection.availability,
      displayedValues: availability,
    }),
    getPriceFilter(filterContext, names.price),
    ...filterResult.facets.map((facet) =>
      createValuesFilter(view, {
        param: facet.facet,
        label: getFacetName(names, facet, catalog, locale),
        selectedValues: selection.values.get(facet.facet) ?? new Set(),
        displayedValues: addValueLabels(catalog, facet, locale),
      }),
    ),
  ];
}

/**
 * Returns the filter that limits a search to one group of products that differ only in size, color, or quantity.
 * @param handle handle of the product that represents the group in the results; undefined without this filter
 */
export function createGroupFilter(view: View, handle: string | undefined): readonly unknown[] {
  const product = handle === undefined ? undefined : view.request.catalog.product(handle);
  if (handle === undefined || product === undefined) return [];
  const { title } = localize(product, view.request.locale);
  return [
    createValuesFilter(view, {
      param: groupParam,
      label: view.translate("search.products")?.text ?? title,
      selectedValues: new Set([handle]),
      displayedValues: [{ value: handle, label: title, count: 1 }],
    }),
  ];
}

/** Returns the filter value for the product type that the search terms name, such as "shoes". */
export function createTypeFilterValue(view: View, type: LabeledValue | undefined): unknown {
  if (type === undefined) return undefined;
  const { value, label, count } = type;
  const param = facetParams.productType;
  return new TemplateObject(filterValueType, {
    ...{ label, value, param_name: param, count, active: false },
    url_to_add: () => formatFilterUrl(view, (query) => query.append(param, value)),
  });
}

interface ValuesFilter {
  readonly param: string;
  readonly label: string;
  readonly selectedValues: ReadonlySet<string>;
  readonly displayedValues: readonly LabeledValue[];
}

function createValuesFilter(
  view: View,
  { param, label: filterLabel, selectedValues, displayedValues }: ValuesFilter,
): unknown {
  const option = param.startsWith(optionPrefix) ? [param.slice(optionPrefix.length), filterLabel] : undefined;
  const values = displayedValues.map(
    ({ value, label, count }) =>
      new TemplateObject(filterValueType, {
        label,
        value,
        param_name: param,
        count,
        active: selectedValues.has(value),
        url_to_add: () => formatFilterUrl(view, (query) => query.append(param, value)),
        url_to_remove: () => formatFilterUrl(view, (query) => query.delete(param, value)),
        swatch: () => option && createSwatchObject(view, option, [value, label]),
      }),
  );
  const isActiveValue = (value: (typeof values)[number]): boolean => value.field("active") === true;
  return new TemplateObject(filterType, {
    type: "list",
    label: filterLabel,
    param_name: param,
    operator: "OR",
    presentation: "text",
    values,
    active_values: values.filter(isActiveValue),
    inactive_values: values.filter((value) => !isActiveValue(value)),
    url_to_remove: () => formatFilterUrl(view, (query) => query.delete(param)),
  });
}

function getPriceFilter({ view, filterResult, selection }: FilterContext, label: string): unknown {
  const { price, priceFrom, priceTo } = facetParams;
  const { currency } = view.config;
  // Formats an amount for number fields of forms, which require a decimal point.
  const formatAmount = (amount: number | undefined): string | undefined =>
    amount === undefined ? undefined : formatDecimalMoney(amount, currency);
  const { highestPrice } = filterResult;
  return new TemplateObject(filterType, {
    type: "price_range",
    label,
    param_name: price,
    values: [],
    active_values: [],
    inactive_values: [],
    min_value: new TemplateObject(filterValueType, {
      param_name: priceFrom,
      value: selection.priceFrom,
      decimal: formatAmount(selection.priceFrom),
    }),
    max_value: new TemplateObject(filterValueType, {
      param_name: priceTo,
      value: selection.priceTo,
      decimal: formatAmount(selection.priceTo),
    }),
    range_max: highestPrice,
    range_max_decimal: formatAmount(highestPrice),
    url_to_remove: () =>
      formatFilterUrl(view, (query) => {
        query.delete(priceFrom);
        query.delete(priceTo);
      }),
  });
}

/** Returns the URL of the first page of the current list with other filters. */
function formatFilterUrl(view: View, editQuery: (query: URLSearchParams) => void): string {
  const query = parsePageQuery(view);
  query.delete("page");
  editQuery(query);
  const path = addPathPrefix(view, view.path);
  return query.size === 0 ? path : `${path}?${query}`;
}
