import type { Product, Variant } from "../../../catalog/product.ts";
import { isAvailable } from "../../../catalog/stock.ts";
import { fnv1a } from "../../../runtime/hash.ts";
import type { View } from "../../view.ts";

/**
 * Returns the product's variant that the query selects by `?variant=7` or by `?option_values=` with one id per option.
 */
export function selectedVariant(view: View, product: Product): Variant | undefined {
  const id = view.query.get("variant");
  if (id !== null) return product.variants.find((variant) => variant.id === id);
  const chosen = chosenValues(view, product);
  return chosen && product.variants.find(({ options }) => options.every((value, index) => value === chosen[index]));
}

/** Returns the variant that a product's page initially shows. */
export function shownVariant(view: View, product: Product): Variant | undefined {
  return selectedVariant(view, product) ?? product.variants.find(isAvailable) ?? product.variants[0];
}

/**
 * Returns a value for each option: the shopper's selection, even without such a variant, else the displayed variant's
 * values.
 */
export function selectedValues(view: View, product: Product): readonly string[] {
  return chosenValues(view, product) ?? shownVariant(view, product)?.options ?? [];
}

/**
 * Returns the option values that the query selects.
 * @returns undefined unless the query has one value of each option
 */
function chosenValues(view: View, product: Product): readonly string[] | undefined {
  const parameter = view.query.get("option_values");
  if (parameter === null || parameter === "") return undefined;
  const ids = new Set(parameter.split(",", 10));
  const chosen = product.options.map((_, index) =>
    product.variants
      .map(({ options }) => options[index] ?? "")
      .find((value) => ids.has(String(optionValueId(product, index, value)))),
  );
  return chosen.every((value) => value !== undefined) ? chosen : undefined;
}

/** Returns the `id` of an option value. Pages accept a list of these ids in `option_values`. */
export function optionValueId(product: Product, index: number, value: string): number {
  return fnv1a(`${product.id} ${index} ${value}`);
}
