import { Drop } from "@vitrine/liquid";
import type { OfferedVariant } from "../../../catalog/catalog.ts";
import { listCombinedProducts } from "../../../catalog/combined-listing.ts";
import { localize } from "../../../catalog/localize.ts";
import {
  formatProductPath,
  listOptionValues,
  type OptionView,
  optionPresenter,
} from "../../../catalog/presenters/product.ts";
import type { Product, Variant } from "../../../catalog/product.ts";
import { isAvailable } from "../../../catalog/stock.ts";
import type { View } from "../../view.ts";
import { createObjectType, TemplateObject, TextObject } from "../template-object.ts";
import { findInitialVariant, findSelectedValues, formatOptionValueId } from "./selected-variant.ts";
import { createSwatchObject } from "./swatch.ts";
import { createVariantObject } from "./variant.ts";

interface Option extends OptionView {
  readonly view: View;
  /** Products of the combined listing in the page's language, in the order of their values. Default: the product. */
  readonly products: readonly Product[];
}

interface OptionValue extends Option {
  readonly value: string;
}

/** Creates the options of a product. Their values are in the order of the variants. */
export function createOptionObjects(view: View, product: Product): OptionObject[] {
  const products = listLocalizedProducts(view, product);
  return product.options.map((name, index) => new OptionObject({ view, product, products, index }, name));
}

function listLocalizedProducts(view: View, product: Product): readonly Product[] {
  const { catalog, locale } = view.request;
  const storedProduct = product.combinedListing && catalog.product(product.handle);
  if (storedProduct === undefined) return [product];
  return listCombinedProducts(storedProduct, catalog).map((combinedProduct) =>
    combinedProduct === storedProduct ? product : localize(combinedProduct, locale),
  );
}

export function createOptionsDrop(view: View, product: Product): Drop {
  return new OptionsByName(product.options, createOptionObjects(view, product));
}

/**
 * The object `product.options_by_name`: `options_by_name['size']` returns an option. Case is ignored. A loop over it
 * visits pairs of name and option. It has no field `size` for the number of options, because an option may be called
 * "Size".
 */
export class OptionsByName extends Drop {
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

  override items(): readonly (readonly [string, OptionObject])[] {
    return this.#options.map((option, index) => [this.#names[index] ?? "", option]);
  }
}

function createOptionValues(option: Option): TextObject<OptionValue>[] {
  const { products, index } = option;
  const values = products.flatMap((product) => listOptionValues({ product, index }));
  return [...new Set(values)].map((value) => new TextObject(valueType, { ...option, value }, value));
}

/** Finds a variant of a combined listing. Variants of the page's product take precedence. */
function findOffer(
  { product, products }: Option,
  acceptsVariant: (variant: Variant) => boolean,
): OfferedVariant | undefined {
  const ownVariant = product.variants.find(acceptsVariant);
  if (ownVariant !== undefined) return { product, variant: ownVariant };
  for (const otherProduct of products) {
    if (otherProduct === product) continue;
    const variant = otherProduct.variants.find(acceptsVariant);
    if (variant !== undefined) return { product: otherProduct, variant };
  }
  return undefined;
}

/**
 * Returns a test for variants with this option value that also have the selected values of all preceding options.
 */
function createReachabilityTest({ view, product, index, value }: OptionValue): (variant: Variant) => boolean {
  const selectedOptions = findSelectedValues(view, product);
  return ({ options }) =>
    options[index] === value &&
    selectedOptions.every((optionValue, position) => position >= index || options[position] === optionValue);
}

function isSelected({ view, product, index, value }: OptionValue): boolean {
  return findSelectedValues(view, product)[index] === value;
}

/** Returns the variant with this value and the selected values of the other options. */
function findExactOffer(subject: OptionValue): OfferedVariant | undefined {
  const { view, product, index, value } = subject;
  const selectedOptions = findSelectedValues(view, product);
  return findOffer(subject, ({ options }) =>
    options.every((optionValue, position) => optionValue === (position === index ? value : selectedOptions[position])),
  );
}

/**
 * Returns the variant of the page for a selected value, and for another value the variant with the other selected
 * values. If there is none, a value of another product leads to a variant that has the preceding selected values.
 */
function findSelectableOffer(subject: OptionValue): OfferedVariant | undefined {
  const { view, product } = subject;
  if (isSelected(subject)) {
    const variant = findInitialVariant(view, product);
    return variant && { product, variant };
  }
  const exactOffer = findExactOffer(subject);
  if (exactOffer !== undefined) return exactOffer;
  const offer = findOffer(subject, createReachabilityTest(subject));
  return offer?.product === product ? undefined : offer;
}

/** Returns the URL of the product that has this value. Undefined if the product is in no combined listing. */
function findProductUrl(subject: OptionValue): string | undefined {
  const { view, product, products, index, value } = subject;
  if (products.length === 1) return undefined;
  const offer =
    findExactOffer(subject) ??
    findOffer(subject, createReachabilityTest(subject)) ??
    findOffer(subject, ({ options }) => options[index] === value);
  return formatProductPath({ product: offer?.product ?? product, prefix: view.prefix });
}

function isValueAvailable(subject: OptionValue): boolean {
  const isReachable = createReachabilityTest(subject);
  return findOffer(subject, (variant) => isReachable(variant) && isAvailable(variant)) !== undefined;
}

/** Returns the color or image of an option value, found by its name in the default language or the page's language. */
function findOptionSwatch({ view, product, products, index, value }: OptionValue): unknown {
  const owner = products.find(({ variants }) => variants.some(({ options }) => options[index] === value)) ?? product;
  const storedProduct = view.request.catalog.product(owner.handle);
  const position = owner.variants.findIndex(({ options }) => options[index] === value);
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
    selected: isSelected,
    available: isValueAvailable,
  },
  {
    swatch: findOptionSwatch,
    variant: (subject) => {
      const offer = findSelectableOffer(subject);
      return offer && createVariantObject(subject.view, offer.product, offer.variant);
    },
    product_url: findProductUrl,
  },
  {
    fieldTypes: { variant: "variant", swatch: "swatch" },
    identity: ({ product, index, value }) => `${product.id} ${index} ${value}`,
  },
);
