import { capitalize } from "../../runtime/capitalize.ts";
import { type Catalog, findEntry } from "../catalog.ts";
import { localize, localizeTags } from "../localize.ts";
import type { Product } from "../product.ts";
import type { Facet, FacetValue } from "./facets.ts";
import { facetParams, findFacetTarget, formatOptionFacet, isOptionFacet } from "./filter-selection.ts";

/** Returns the label of a facet value in a language, taken from an example product. */
export function formatValueLabel(
  catalog: Catalog,
  facet: string,
  { value, example }: FacetValue,
  locale: string,
): string {
  if (facet === facetParams.vendor || findFacetTarget(facet)?.kind === "metafield") return value;
  const product = findEntry(catalog, "product", example);
  if (product === undefined) return value;
  if (facet === facetParams.productType)
    return product.productType === value ? localize(product, locale).productType : value;
  if (facet === facetParams.tag) {
    const tags = localizeTags(product, locale);
    return (tags.length === product.tags.length ? tags[product.tags.indexOf(value)] : undefined) ?? value;
  }
  return formatOptionValueLabel(product, facet, value, locale);
}

/** A value of a facet, as shoppers see it. */
export interface LabeledValue {
  readonly value: string;
  readonly label: string;
  /** Number of products with this value. */
  readonly count: number;
}

/** Returns the values of a facet with their labels in a language, sorted alphabetically. */
export function addValueLabels(catalog: Catalog, { facet, values }: Facet, locale: string): readonly LabeledValue[] {
  const { compare } = new Intl.Collator(locale, { numeric: true });
  return values
    .map((facetValue) => ({
      value: facetValue.value,
      count: facetValue.count,
      label: formatValueLabel(catalog, facet, facetValue, locale),
    }))
    .sort((left, right) => getSizeRank(left.label) - getSizeRank(right.label) || compare(left.label, right.label));
}

/** Returns the sort position of a letter size, so that XS, S, M, L, XL, 2XL precede other values in this order. */
function getSizeRank(label: string): number {
  const [, count = "", xLetters = "", letter = ""] = /^(?:(\d)?(x*))?([sml])$/i.exec(label) ?? [];
  if (letter === "") return 1_000;
  const magnitude = count === "" ? xLetters.length : Number(count);
  const size = letter.toLowerCase();
  return size === "m" ? 0 : size === "s" ? -1 - magnitude : 1 + magnitude;
}

/**
 * Returns the label of a facet: the name of its option in a language, or the key of its metafield as words
 * ("custom.care_guide" becomes "Care guide").
 */
export function getFacetLabel(catalog: Catalog, { facet, values }: Facet, locale: string): string {
  const name = findFacetTarget(facet)?.name ?? facet;
  if (!isOptionFacet(facet)) {
    const key = name.slice(name.lastIndexOf(".") + 1);
    return capitalize(key.replaceAll(/[_-]+/g, " ").trim());
  }
  for (const { example } of values.slice(0, MAX_EXAMPLES)) {
    const product = findEntry(catalog, "product", example);
    const optionIndex = product?.options.findIndex((optionName) => formatOptionFacet(optionName) === facet) ?? -1;
    if (product !== undefined && optionIndex >= 0) return localize(product, locale).options[optionIndex] ?? name;
  }
  return name;
}

/**
 * Maximum number of example products that are tried for the name of an option, since examples may have changed after
 * they were recorded.
 */
const MAX_EXAMPLES = 5;

function formatOptionValueLabel(product: Product, facet: string, value: string, locale: string): string {
  const optionIndex = product.options.findIndex((optionName) => formatOptionFacet(optionName) === facet);
  const variant = product.variants.findIndex(({ options }) => options[optionIndex] === value);
  return optionIndex < 0 || variant < 0
    ? value
    : (localize(product, locale).variants[variant]?.options[optionIndex] ?? value);
}
