import { listCombinedHandles } from "../../../catalog/combined-listing.ts";
import type { Product, Variant } from "../../../catalog/product.ts";
import { isAvailable } from "../../../catalog/stock.ts";
import { hashFnv1a } from "../../../runtime/hash.ts";
import type { View } from "../../view.ts";

/** Returns the variant that the URL selects: `?variant=7`, or `?option_values=` with one value id per option. */
export function findSelectedVariant(view: View, product: Product): Variant | undefined {
  const id = view.query.get("variant");
  if (id !== null) return product.variants.find((variant) => variant.id === id);
  const selectedOptions = parseOptionValues(view, product);
  return (
    selectedOptions &&
    product.variants.find(({ options }) => options.every((value, index) => value === selectedOptions[index]))
  );
}

/** Returns the variant that a product's page initially shows. */
export function findInitialVariant(view: View, product: Product): Variant | undefined {
  return findSelectedVariant(view, product) ?? product.variants.find(isAvailable) ?? product.variants[0];
}

/**
 * Returns the selected value of each option. Without a selection in the URL, these are the values of the displayed
 * variant. The product may have no variant for the selected values.
 */
export function findSelectedValues(view: View, product: Product): readonly string[] {
  return parseOptionValues(view, product) ?? findInitialVariant(view, product)?.options ?? [];
}

/**
 * Returns the option values that the URL selects.
 * @returns undefined unless the URL contains one value for each option
 */
function parseOptionValues(view: View, product: Product): readonly string[] | undefined {
  const parameter = view.query.get("option_values");
  if (parameter === null || parameter === "") return undefined;
  const ids = new Set(parameter.split(",", 10));
  const selectedOptions = product.options.map((_, index) =>
    product.variants
      .map(({ options }) => options[index] ?? "")
      .find((value) => ids.has(String(formatOptionValueId(product, index, value)))),
  );
  return selectedOptions.every((value) => value !== undefined) ? selectedOptions : undefined;
}

/**
 * Returns the `id` of an option value. Pages accept a list of these ids in `option_values`. All products of a combined
 * listing have the same id for a value, because the page of one links to the page of another.
 */
export function formatOptionValueId(product: Product, index: number, value: string): number {
  const owner = product.combinedListing === undefined ? product.id : [...listCombinedHandles(product)].sort()[0];
  return hashFnv1a(`${owner} ${index} ${value}`);
}
