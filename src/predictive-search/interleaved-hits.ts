import { collapseHits } from "./collapse-groups.ts";
import { findFieldHits } from "./field-hits.ts";
import { findPredictiveHits, type PredictiveSearchHits } from "./predictive-search.ts";
import type { SearchContext } from "./search-context.ts";
import { maxSuggestions, type SuggestParams } from "./suggest-params.ts";
import { type Interleaving, interleave } from "./team-draft.ts";

/**
 * Products of one search, which was run twice: with the live rules, and with a draft of the rules. The two rankings are
 * combined into one list.
 */
export interface InterleavedProducts extends Interleaving {
  /**
   * Set if only one of the two searches found a product that contains all words, or a redirect. The list then contains
   * only the products of that search.
   */
  readonly matchingVersion?: "draft" | "live";
}

type ProductParams = Pick<SuggestParams, "q" | "unavailableProducts" | "fields" | "spelling">;

/**
 * Searches with the live rules and with the tested draft of the rules, and interleaves the first products of both.
 * @returns undefined if no draft is tested, or if both searches find the same products in the same order
 */
export function interleaveProducts(params: ProductParams, context: SearchContext): InterleavedProducts | undefined {
  const { testedRules } = context;
  if (testedRules === undefined) return undefined;
  const productParams = { ...params, types: ["product"], limit: maxSuggestions, limitScope: "each" } as const;
  const [liveResults, draft] = [
    findPredictiveHits(productParams, context),
    findPredictiveHits(productParams, createDraftContext(context)),
  ];
  const [liveNumbers, draftProducts] = [liveResults, draft].map(({ hits }) =>
    hits.product.map(({ externalId }) => externalId),
  );
  if (liveNumbers === undefined || draftProducts === undefined || String(liveNumbers) === String(draftProducts))
    return undefined;
  if (liveResults.isFound === draft.isFound) return interleave(liveNumbers, draftProducts, testedRules.arm);
  return draft.isFound
    ? { numbers: draftProducts, draftProducts: new Set(draftProducts), matchingVersion: "draft" }
    : { numbers: liveNumbers, draftProducts: new Set(), matchingVersion: "live" };
}

/** Finds suggestions, with interleaved products if a draft of the rules is tested. */
export function findInterleavedHits(params: SuggestParams, context: SearchContext): PredictiveSearchHits {
  const fieldHits = findFieldHits(params, context);
  if (fieldHits !== undefined) return fieldHits;
  const interleavedProducts = params.types.includes("product") ? interleaveProducts(params, context) : undefined;
  if (interleavedProducts?.matchingVersion === "draft") return findPredictiveHits(params, createDraftContext(context));
  const liveHits = findPredictiveHits(params, context);
  if (interleavedProducts === undefined || interleavedProducts.matchingVersion === "live") return liveHits;
  // The two searches may find different products of the same group, so the combined list is collapsed again.
  const products = collapseHits(
    interleavedProducts.numbers.map((externalId) => ({ externalId })),
    params.q,
    context,
  );
  return { ...liveHits, hits: { ...liveHits.hits, product: products.slice(0, liveHits.hits.product.length) } };
}

/**
 * Moves the given products to the front of a results page. Products that the live rules do not find are inserted after
 * the last complete match.
 */
export function putProductsFirst(
  movedNumbers: readonly number[],
  { numbers, completeCount, products }: RankedResults,
): Pick<RankedResults, "numbers" | "completeCount"> {
  const liveProducts = new Set(products.numbers());
  const rankedProducts = [...new Set(movedNumbers).union(liveProducts)].values();
  const reorderedHits = Array.from(numbers, (number) =>
    liveProducts.has(number) ? (rankedProducts.next().value ?? number) : number,
  );
  const addedDocNumbers = [...rankedProducts];
  const listedHits = [...reorderedHits.slice(0, completeCount), ...addedDocNumbers];
  return {
    numbers: Uint32Array.from([...listedHits, ...reorderedHits.slice(completeCount)]),
    completeCount: listedHits.length,
  };
}

interface RankedResults {
  /** Document numbers of all results. */
  readonly numbers: Uint32Array;
  /** Number of complete matches, which contain all words of the query. They come first. */
  readonly completeCount: number;
  readonly products: { numbers(): Uint32Array };
}

/** Returns the context with the tested draft instead of the live rules. */
export function createDraftContext({ testedRules, ...at }: SearchContext): SearchContext {
  return testedRules === undefined ? at : { ...at, index: testedRules.index, rules: testedRules.rules };
}
