import type { Product, Variant } from "../../../catalog/product.ts";
import { isAvailable } from "../../../catalog/stock.ts";
import { fnv1a } from "../../../runtime/hash.ts";
import type { View } from "../../view.ts";

/** What the page's query names where it is one of this product's: `?variant=7`, or `?option_values=` with an id for each option. */
export function selectedVariant(view: View, product: Product): Variant | undefined {
  const id = view.query.get("variant");
  if (id !== null) return product.variants.find((variant) => variant.id === id);
  const chosen = chosenValues(view, product);
  return chosen && product.variants.find(({ options }) => options.every((value, index) => value === chosen[index]));
}

/** The variant that a product's page begins with. */
export function shownVariant(view: View, product: Product): Variant | undefined {
  return selectedVariant(view, product) ?? product.variants.find(isAvailable) ?? product.variants[0];
}

/** A value for each option: what the shopper chose, though no variant may be like that, else the shown variant's. */
export function selectedValues(view: View, product: Product): readonly string[] {
  return chosenValues(view, product) ?? shownVariant(view, product)?.options ?? [];
}

/** undefined where the query does not name a value of each of this product's options */
function chosenValues(view: View, product: Product): readonly string[] | undefined {
  const asked = view.query.get("option_values");
  if (asked === null || asked === "") return undefined;
  const ids = new Set(asked.split(",", 10));
  const chosen = product.options.map((_, index) =>
    product.variants
      .map(({ options }) => options[index] ?? "")
      .find((value) => ids.has(String(optionValueId(product, index, value)))),
  );
  return chosen.every((value) => value !== undefined) ? chosen : undefined;
}

/** `value.id`; pages take a list of them as `option_values`. */
export function optionValueId(product: Product, index: number, value: string): number {
  return fnv1a(`${product.id} ${index} ${value}`);
}
