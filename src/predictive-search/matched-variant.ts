import { createQuantitySplitter } from "@vitrine/search";
import type { Catalog } from "../catalog/catalog.ts";
import type { Product, Variant } from "../catalog/product.ts";
import { isAvailable } from "../catalog/stock.ts";
import { memoizePerObject } from "../runtime/cache.ts";
import { lowerBound } from "../runtime/lower-bound.ts";
import type { ProductSearch } from "./result-presenter.ts";

/**
 * The last word of a search may be incomplete. It matches longer words as a prefix if it has at least this many
 * letters.
 */
const MIN_PREFIX_LENGTH = 3;

const splitQuantities = createQuantitySplitter();

/** Returns the words of a text. Each quantity is one word, so that "5 l" equals "5000 ml", and "size 8" equals "8". */
function splitWords(text: string): readonly string[] {
  return splitQuantities(text).map((part) => part.text.replace(/^@(.*?)\*?$/, "$1"));
}

/** Returns the letters and digits of a code in lower case. "NOR.0707-60" and "nor 0707 60" both become "nor070760". */
function normalizeCode(code: string): string {
  return code.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

interface VariantWords {
  readonly variant: Variant;
  readonly words: ReadonlySet<string>;
  readonly codes: readonly string[];
}

/**
 * Words and codes that distinguish the variants of a product. Empty if the product has no options or only one variant.
 */
const listVariantWords = memoizePerObject((product: Product): readonly VariantWords[] => {
  if (product.options.length === 0 || product.variants.length < 2) return [];
  const titleWords = new Set(splitWords(product.title));
  return product.variants.map((variant) => ({
    variant,
    words: new Set(variant.options.flatMap(splitWords).filter((word) => !titleWords.has(word))),
    codes: [variant.sku, variant.barcode].flatMap((code) => (code === undefined ? [] : normalizeCode(code))),
  }));
});

/** Sorted words of all option values of a catalog in the default language; "many" if there are too many values. */
const getOptionWords = memoizePerObject((catalog: Catalog): readonly string[] | "many" => {
  const values = catalog.facets().optionValues();
  return values === undefined ? "many" : [...new Set([...values].flatMap(splitWords))].sort();
});

/**
 * Returns whether a search in the default language may name a variant: it contains a digit, or the start of a word in
 * an option value. For most searches the result is false, so their products are not decoded.
 */
export function mentionsVariant(q: string, catalog: Catalog): boolean {
  const optionWords = getOptionWords(catalog);
  if (optionWords === "many") return true;
  if (optionWords.length === 0) return false;
  const startsOptionWord = (word: string): boolean => {
    const index = lowerBound(0, optionWords.length, (wordIndex) => (optionWords[wordIndex] as string) < word);
    return optionWords[index]?.startsWith(word) === true;
  };
  return /\d/.test(q) || splitWords(q).some(startsOptionWord);
}

/**
 * Returns a function that finds the variant of a product to which a search refers. The search contains the SKU or
 * barcode of the variant, or values of its options; words of the title do not count. If several variants match equally
 * well, the result is the first available one, or the first one if none is available. If all variants match equally
 * well, the result is undefined.
 * @param q search, whose last word may be incomplete
 */
export function createVariantMatcher(q: string): (product: Product) => Variant | undefined {
  const words = [...new Set(splitWords(q))];
  const lastWord = words.at(-1) ?? "";
  const code = normalizeCode(q);
  const countMatches = ({ words: variantWords, codes }: VariantWords): number => {
    if (code !== "" && codes.includes(code)) return words.length + 1;
    const describesVariant = (word: string): boolean =>
      variantWords.has(word) ||
      (word === lastWord &&
        word.length >= MIN_PREFIX_LENGTH &&
        [...variantWords].some((variantWord) => variantWord.startsWith(word)));
    return words.filter(describesVariant).length;
  };
  return (product) => {
    const countedVariants = listVariantWords(product).map((variantWords) => ({
      variant: variantWords.variant,
      count: countMatches(variantWords),
    }));
    const highestCount = Math.max(0, ...countedVariants.map(({ count }) => count));
    const bestVariants = countedVariants.filter(({ count }) => count === highestCount);
    if (highestCount === 0 || bestVariants.length === countedVariants.length) return undefined;
    return (bestVariants.find(({ variant }) => isAvailable(variant)) ?? bestVariants[0])?.variant;
  };
}

const getMatcher = memoizePerObject(({ q }: ProductSearch) => createVariantMatcher(q));

/**
 * Returns the variant to which a search refers by code or option values, such as a color; undefined if there is none.
 * @param product product in the language of the search
 */
export function findMatchedVariant(search: ProductSearch, product: Product): Variant | undefined {
  return getMatcher(search)(product);
}
