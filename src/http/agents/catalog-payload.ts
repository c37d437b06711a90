import { emptySelection, type FilterSelection, facetParams } from "../../catalog/facets/filter-selection.ts";
import type { Product, Variant } from "../../catalog/product.ts";
import { createFieldProblem } from "../../problem.ts";
import { isObject } from "../bodies/body.ts";
import { MAX_ITEMS, readList, readObject, readText } from "./payload.ts";

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 50;

/** Parses the selected option values, such as "Red", by option name.  @throws Problem `validation_failed` */
export function readOptionValues(value: unknown): ReadonlyMap<string, string> {
  if (value === undefined) return new Map();
  const isSelectedOption = (option: unknown): option is { readonly name: string; readonly label: string } =>
    isObject(option) && typeof option.name === "string" && typeof option.label === "string";
  if (!Array.isArray(value) || value.length > MAX_ITEMS || !value.every(isSelectedOption))
    throw createFieldProblem("selected", "type", "Selected options are a list of { name, label }.");
  return new Map(value.map(({ name, label }) => [name, label]));
}

/** Parses the filters of a search.  @returns undefined for a search without filters */
export function readFilters(filters: Readonly<Record<string, unknown>> | undefined): FilterSelection | undefined {
  if (filters === undefined) return undefined;
  const types = readList(filters, "categories", "filters.categories");
  const price = readObject(filters, "price", "filters.price") ?? {};
  const [priceFrom, priceTo] = ["min", "max"].map((name) => {
    const amount = price[name];
    if (amount === undefined || (Number.isSafeInteger(amount) && Number(amount) >= 0))
      return amount as number | undefined;
    throw createFieldProblem(`filters.price.${name}`, "integer", "A price is a whole number of minor units.");
  });
  if (types.length === 0 && priceFrom === undefined && priceTo === undefined) return undefined;
  const values = types.length === 0 ? emptySelection.values : new Map([[facetParams.productType, new Set(types)]]);
  return { ...emptySelection, values, priceFrom, priceTo };
}

/** Returns the requested page, starting at 1.  @throws Problem `validation_failed` */
export function readPagination(pagination: Readonly<Record<string, unknown>>): {
  readonly page: number;
  readonly perPage: number;
} {
  const cursor = readText(pagination, "cursor", "pagination.cursor");
  if (cursor !== undefined) {
    const [, page, perPage] = /^([1-9]\d{0,5})\.([1-9]\d?)$/.exec(cursor) ?? [];
    if (page === undefined) throw createFieldProblem("pagination.cursor", "format", "Send the cursor of a response.");
    return { page: Number(page), perPage: Math.min(Number(perPage), MAX_LIMIT) };
  }
  const { limit = DEFAULT_LIMIT } = pagination;
  if (!Number.isSafeInteger(limit) || Number(limit) < 1)
    throw createFieldProblem("pagination.limit", "integer", "A limit is a whole number from 1 on.");
  return { page: 1, perPage: Math.min(Number(limit), MAX_LIMIT) };
}

/** Returns whether a variant is within the price limits. */
export function matchesPrice({ price }: Variant, selection: FilterSelection | undefined): boolean {
  const { priceFrom = 0, priceTo = Number.POSITIVE_INFINITY } = selection ?? {};
  return price >= priceFrom && price <= priceTo;
}

/** Returns the variants that match the filters.  @param product in the default language, like the filters */
export function findMatchingVariants(product: Product, selection: FilterSelection | undefined): readonly Variant[] {
  const types = selection?.values.get(facetParams.productType);
  if (types !== undefined && !types.has(product.productType)) return [];
  return product.variants.filter((variant) => matchesPrice(variant, selection));
}
