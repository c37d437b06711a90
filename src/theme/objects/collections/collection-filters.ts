import { localize } from "../../../catalog/localize.ts";
import { decimalMoney } from "../../../pricing/money.ts";
import { localPath, shownQuery, type View } from "../../view.ts";
import { type Facet, type FilterChoice, type FilterFacts, filterParams, matchesChoice } from "./filter-choice.ts";
import { filterObject, filterValueObject } from "./filter-object.ts";

/** A collection's products with what narrows them down. */
export interface Filtering {
  readonly view: View;
  readonly facts: ReadonlyMap<number, FilterFacts>;
  readonly choice: FilterChoice;
}

/** `collection.filters`: availability, price, kind and vendor, with Shopify's names. A number beside a value says how many
 *  products there are with it and with what is chosen in the other filters. */
export function collectionFilters(filtering: Filtering): readonly unknown[] {
  if (filtering.facts.size === 0) return [];
  const { view, choice } = filtering;
  return [
    listFilter(filtering, "availability", "Availability", choice.availability, [
      ["1", text(view, "in_stock", "In stock")],
      ["0", text(view, "sold_out", "Sold out")],
    ]),
    priceFilter(filtering),
    listFilter(filtering, "productType", "Kind", choice.productTypes, productTypes(filtering)),
    listFilter(filtering, "vendor", "Vendor", choice.vendors, vendors(filtering)),
  ];
}

/** Values of one filter that are offered; chosen ones always are. */
const maxOffered = 100;

function listFilter(
  filtering: Filtering,
  facet: Exclude<Facet, "price">,
  name: string,
  chosen: ReadonlySet<string>,
  offered: readonly (readonly [value: string, label: string])[],
): unknown {
  const { view } = filtering;
  const param = filterParams[facet];
  const counts = countValues(filtering, facet);
  const values = offered
    .filter(([value], index) => index < maxOffered || chosen.has(value))
    .map(([value, label]) =>
      filterValueObject({
        label,
        value,
        param_name: param,
        count: counts.get(value) ?? 0,
        active: chosen.has(value),
        url_to_add: address(view, (query) => query.append(param, value)),
        url_to_remove: address(view, (query) => query.delete(param, value)),
      }),
    );
  const isActive = (value: (typeof values)[number]): boolean => value.field("active") === true;
  return filterObject({
    type: "list",
    label: text(view, facet, name),
    param_name: param,
    operator: "OR",
    presentation: "text",
    values,
    active_values: values.filter(isActive),
    inactive_values: values.filter((value) => !isActive(value)),
    url_to_remove: address(view, (query) => query.delete(param)),
  });
}

function priceFilter({ view, facts, choice }: Filtering): unknown {
  const { priceFrom, priceTo } = filterParams;
  const { currency } = view.config;
  // As the parameters have it, in every language: a form's number field takes no comma.
  const decimal = (amount: number | undefined): string | undefined =>
    amount === undefined ? undefined : decimalMoney(amount, currency);
  let highest = 0;
  for (const { prices } of facts.values()) highest = Math.max(highest, ...prices);
  return filterObject({
    type: "price_range",
    label: text(view, "price", "Price"),
    param_name: "filter.v.price",
    values: [],
    active_values: [],
    inactive_values: [],
    min_value: filterValueObject({
      param_name: priceFrom,
      value: choice.priceFrom,
      decimal: decimal(choice.priceFrom),
    }),
    max_value: filterValueObject({ param_name: priceTo, value: choice.priceTo, decimal: decimal(choice.priceTo) }),
    range_max: highest,
    range_max_decimal: decimal(highest),
    url_to_remove: address(view, (query) => {
      query.delete(priceFrom);
      query.delete(priceTo);
    }),
  });
}

function countValues({ facts, choice }: Filtering, facet: Exclude<Facet, "price">): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const one of facts.values()) {
    if (!matchesChoice(one, choice, facet)) continue;
    const value = facet === "availability" ? (one.isAvailable ? "1" : "0") : one[facet];
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

function vendors({ view, facts }: Filtering): readonly (readonly [string, string])[] {
  const names = new Set([...facts.values()].map(({ vendor }) => vendor));
  names.delete("");
  return byLabel(
    view,
    [...names].map((name) => [name, name] as const),
  );
}

/** In the render's language, each as its first product has it. */
function productTypes({ view, facts }: Filtering): readonly (readonly [string, string])[] {
  const { catalog, locale } = view.request;
  const labels = new Map<string, string>();
  for (const [number, { productType }] of facts) {
    if (productType === "" || labels.has(productType)) continue;
    const product = catalog.entry(number);
    labels.set(productType, product?.kind === "product" ? localize(product, locale).productType : productType);
  }
  return byLabel(view, [...labels]);
}

function byLabel(view: View, values: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] {
  const { compare } = new Intl.Collator(view.request.locale, { numeric: true });
  return values.toSorted(([, left], [, right]) => compare(left, right));
}

/** The same page with another choice, from its first products on. */
function address(view: View, change: (query: URLSearchParams) => void): string {
  const query = shownQuery(view);
  query.delete("page");
  change(query);
  const path = localPath(view, view.path);
  return query.size === 0 ? path : `${path}?${query}`;
}

function text(view: View, key: string, english: string): string {
  return view.translate(`collections.filters.${key}`)?.text ?? english;
}
