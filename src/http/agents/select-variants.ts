import type { Product, Variant } from "../../catalog/product.ts";
import { isAvailable } from "../../catalog/stock.ts";
import { getSelectedOptions, optionsOf } from "./ucp-product.ts";

interface OptionLabel {
  readonly name: string;
  readonly label: string;
}

/** Variants of a product that match the selected options, and for each option value, whether it is available. */
export interface VariantSelection {
  /** The first available variant in `matches`, or the first variant if none is available. */
  readonly mainVariant: Variant;
  readonly matches: readonly Variant[];
  readonly selected: readonly OptionLabel[];
  readonly options: readonly {
    readonly name: string;
    readonly values: readonly { readonly label: string; readonly available: boolean; readonly exists: boolean }[];
  }[];
}

/**
 * Selects variants by their options. If no variant matches, the least important options are dropped.
 * @param variants variants of the product to select from; at least one
 */
export function selectVariants(
  product: Product,
  variants: readonly Variant[],
  criteria: {
    /** Variant that determines all options. */
    readonly variantId: string | undefined;
    /** Values by option name, such as "Red" for "Color". Unknown names are ignored. */
    readonly requestedValues: ReadonlyMap<string, string>;
    /** Option names, the most important first. */
    readonly preferences: readonly string[];
  },
): VariantSelection {
  const names = optionsOf(product).map(({ name }) => name);
  const labelOf = (variant: Variant, name: string): string | undefined => variant.options[names.indexOf(name)];
  const hasAllOptions = (variant: Variant, selection: readonly OptionLabel[]): boolean =>
    selection.every(({ name, label }) => labelOf(variant, name) === label);
  const requestedVariant = variants.find(({ id }) => id === criteria.variantId);
  let selection: readonly OptionLabel[] =
    requestedVariant === undefined
      ? sortByPreference(names, criteria.preferences).flatMap((name) => {
          const label = criteria.requestedValues.get(name);
          return label === undefined ? [] : [{ name, label }];
        })
      : getSelectedOptions({ product, variant: requestedVariant });
  while (!variants.some((variant) => hasAllOptions(variant, selection))) selection = selection.slice(0, -1);
  const matches =
    requestedVariant === undefined
      ? variants.filter((variant) => hasAllOptions(variant, selection))
      : [requestedVariant];
  const mainVariant = matches.find(isAvailable) ?? (matches[0] as Variant);
  // If no options are selected, the options of the featured variant are used.
  const chosenOptions = selection.length > 0 ? selection : getSelectedOptions({ product, variant: mainVariant });
  return {
    mainVariant,
    matches,
    selected: chosenOptions,
    options: optionsOf(product).map(({ name, values }) => {
      const otherOptions = chosenOptions.filter((option) => option.name !== name);
      return {
        name,
        values: values.map(({ label }) => {
          const variantsWithValue = variants.filter(
            (variant) => labelOf(variant, name) === label && hasAllOptions(variant, otherOptions),
          );
          return { label, available: variantsWithValue.some(isAvailable), exists: variantsWithValue.length > 0 };
        }),
      };
    }),
  };
}

/** Returns the option names, the most important first. */
function sortByPreference(names: readonly string[], preferences: readonly string[]): readonly string[] {
  const preferredNames = preferences.filter((name) => names.includes(name));
  return [...new Set([...preferredNames, ...names])];
}
