import { normalize } from "@vitrine/search";
import { addValueLabels, type LabeledValue } from "../catalog/facets/facet-labels.ts";
import { emptySelection, facetParams, hasSelection } from "../catalog/facets/filter-selection.ts";
import type { SearchContext } from "./search-context.ts";
import { findBestProducts, findFilteredList, type SearchPageParams } from "./search-page.ts";

/** Number of best results whose product types are compared. */
const BEST_RESULT_COUNT = 10;
const MIN_BEST_RESULTS = 5;
/** Minimum share of the best results that must have the same product type. */
const MIN_TYPE_SHARE = 0.9;

/**
 * Returns the product type that a search almost certainly means. The search contains all words of the type's name, and
 * at least 90 % of the ten best products have the type. If the search names several types, the one with the most words
 * wins.
 * @returns undefined if no type is certain, all found products have this type, or a filter applies
 */
export function detectType(params: SearchPageParams, context: SearchContext): LabeledValue | undefined {
  const { q, group, selection = emptySelection, restriction = emptySelection } = params;
  if (group !== undefined || hasSelection(selection) || hasSelection(restriction)) return undefined;
  const { bestProductNumbers: bestEntryNumbers, total } = findBestProducts(params, BEST_RESULT_COUNT, context);
  if (bestEntryNumbers.length < MIN_BEST_RESULTS) return undefined;
  const products = bestEntryNumbers.flatMap((number) => {
    const product = context.catalog.entry(number);
    return product?.kind === "product" ? [product] : [];
  });
  const countProducts = (type: string): number => products.filter(({ productType }) => productType === type).length;
  const facet = findFilteredList(params, context).facets.find(({ facet: name }) => name === facetParams.productType);
  if (facet === undefined) return undefined;
  const mentionedTypes = addValueLabels(context.catalog, facet, context.locale).filter(({ label }) =>
    containsName(label, q),
  );
  const maxWordCount = Math.max(...mentionedTypes.map(({ label }) => countWords(label)));
  const [type, otherType] = mentionedTypes.filter(({ label }) => countWords(label) === maxWordCount);
  if (type === undefined || otherType !== undefined || type.count === total) return undefined;
  return countProducts(type.value) < MIN_TYPE_SHARE * products.length ? undefined : type;
}

function countWords(name: string): number {
  return normalize(name).split(" ").length;
}

/** Returns whether a search contains all words of a name, in singular or plural. */
function containsName(name: string, q: string): boolean {
  const words = normalize(q).split(" ");
  return normalize(name)
    .split(" ")
    .every((nameWord) => words.some((word) => isSameWord(word, nameWord)));
}

/** Maximum number of letters of a plural's ending. */
const MAX_ENDING_LENGTH = 2;

function isSameWord(left: string, right: string): boolean {
  const [shortWord, longWord] = left.length < right.length ? [left, right] : [right, left];
  return shortWord !== "" && longWord.startsWith(shortWord) && longWord.length - shortWord.length <= MAX_ENDING_LENGTH;
}
