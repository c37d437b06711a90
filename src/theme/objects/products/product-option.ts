import { Drop } from "@vitrine/liquid";
import { listOptionValues, type OptionView, optionPresenter } from "../../../catalog/presenters/product.ts";
import type { Product, Variant } from "../../../catalog/product.ts";
import { isAvailable } from "../../../catalog/stock.ts";
import type { View } from "../../view.ts";
import { createObjectType, TemplateObject, TextObject } from "../template-object.ts";
import { findSelectedValues, formatOptionValueId } from "./selected-variant.ts";
import { createSwatchObject } from "./swatch.ts";
import { createVariantObject } from "./variant.ts";

interface Option extends OptionView {
  readonly view: View;
}

interface OptionValue extends Option {
  readonly value: string;
}

/** Creates the options of a product. Their values are in the order of the variants. */
export function createOptionObjects(view: View, product: Product): OptionObject[] {
  return product.options.map((name, index) => new OptionObject({ view, product, index }, name));
}

export function createOptionsDrop(view: View, product: Product): Drop {
  return new OptionsByName(product.options, createOptionObjects(view, product));
}

/**
 * The object `product.options_by_name`: `options_by_name['size']` returns an option. Case is ignored. A loop over it
 * visits pairs of name and option. It has no field `size` for the number of options, because an option may be called
 * "Size".
 */
class OptionsByName extends Drop {
  readonly #names: readonly string[];
  readonly #options: readonly OptionObject[];

  constructor(names: readonly string[], options: readonly OptionObject[]) {
    super();
    this.#names = names;
    this.#options = options;
  }

  field(key: string | number): unknown {
    const name = String(key).toLowerCase();
    return this.#options[this.#names.findIndex((optionName) => optionName.toLowerCase() === name)];
  }

  override items(): readonly unknown[] {
    return this.#options.map((option, index) => [this.#names[index], option]);
  }
}

function createOptionValues(option: Option): TextObject<OptionValue>[] {
  return listOptionValues(option).map((value) => new TextObject(valueType, { ...option, value }, value));
}

/** Returns the variants with this option value that also have the selected values of all preceding options. */
function listReachableVariants({ view, product, index, value }: OptionValue): readonly Variant[] {
  const selectedOptions = findSelectedValues(view, product);
  return product.variants.filter(
    ({ options }) =>
      options[index] === value &&
      selectedOptions.every((optionValue, position) => position >= index || options[position] === optionValue),
  );
}

/**
 * Returns the variant with this value and the selected values of the other options. If it does not exist, returns a
 * variant that matches at least the preceding options.
 */
function findVariant(subject: OptionValue): Variant | undefined {
  const { view, product, index, value } = subject;
  const selectedOptions = findSelectedValues(view, product);
  const isExact = ({ options }: Variant): boolean =>
    options.every((optionValue, position) => optionValue === (position === index ? value : selectedOptions[position]));
  return product.variants.find(isExact) ?? listReachableVariants(subject)[0];
}

/** Returns the color or image of an option value, found by its name in the default language or the page's language. */
function findOptionSwatch({ view, product, index, value }: OptionValue): unknown {
  const storedProduct = view.request.catalog.product(product.handle);
  const position = product.variants.findIndex(({ options }) => options[index] === value);
  const storedValue = storedProduct?.variants[position]?.options[index];
  const names = [storedProduct?.options[index], product.options[index]].filter((name) => name !== undefined);
  return createSwatchObject(view, names, storedValue === undefined ? [value] : [storedValue, value]);
}

const optionType = createObjectType<Option>(
  "product_option",
  {
    ...optionPresenter,
    values: (option) => createOptionValues(option),
  },
  { selected_value: ({ view, product, index }) => findSelectedValues(view, product)[index] },
  { fieldTypes: { values: "product_option_value[]" } },
);

/** A product option, which prints its name. The `json` filter writes all fields. */
class OptionObject extends TemplateObject<Option> {
  readonly #name: string;

  constructor(option: Option, name: string) {
    super(optionType, option);
    this.#name = name;
  }

  override toText(): string {
    return this.#name;
  }

  override toValue(): unknown {
    return this.#name;
  }
}

const valueType = createObjectType<OptionValue>(
  "product_option_value",
  {
    id: ({ product, index, value }) => formatOptionValueId(product, index, value),
    name: ({ value }) => value,
    selected: ({ view, product, index, value }) => findSelectedValues(view, product)[index] === value,
    available: (subject) => listReachableVariants(subject).some(isAvailable),
  },
  {
    swatch: findOptionSwatch,
    variant: (subject) => {
      const variant = findVariant(subject);
      return variant === undefined ? undefined : createVariantObject(subject.view, subject.product, variant);
    },
  },
  {
    emptyFields: "product_url",
    fieldTypes: { variant: "variant", swatch: "swatch" },
    identity: ({ product, index, value }) => `${product.id} ${index} ${value}`,
  },
);
