import { normalize } from "@vitrine/search";
import { localize } from "../catalog/localize.ts";
import { collapseHits, searchByGroup } from "../predictive-search/collapse-groups.ts";
import { documentTypes } from "../predictive-search/documents.ts";
import { createQuery } from "../predictive-search/predictive-search.ts";
import { applyPins } from "../predictive-search/rules/pinned-hits.ts";
import type { SearchContext } from "../predictive-search/search-context.ts";
import type { SearchClick, VisitorSearch, WeightedClick } from "./signals.ts";

/**
 * Weighs a click by the inverse of the probability that a shopper looks at its position. Without this weight, the first
 * result would stay first only because it is first (inverse propensity weighting: Joachims, Swaminathan and Schnabel,
 * "Unbiased Learning-to-Rank with Biased Feedback", WSDM 2017).
 * @returns undefined if the results of the search do not contain the product
 */
export function weighClick(
  { search, product: handle, action, address, at: time, failedQuery }: SearchClick,
  context: Omit<SearchContext, "locale">,
): WeightedClick | undefined {
  const { locale, kind, q } = search;
  const product = action === "ordered" ? undefined : context.catalog.product(handle);
  if (product === undefined) return undefined;
  const position = positionOf(search, product.id, { ...context, locale });
  if (position === undefined) return undefined;
  const term = kind === "searched" ? q : completeLastWord(q, localize(product, locale).title);
  const weight = computeInversePropensity(position) * (action === "added" ? ADD_TO_CART_WEIGHT : 1);
  const failedQueryField = failedQuery === undefined ? {} : { failedQuery };
  return { term, locale, product: product.id, action, weight, address, at: time, ...failedQueryField };
}

/**
 * Returns the inverse of the probability that a shopper looks at a position, modeled by the discount of DCG. This
 * discount falls more slowly than most measured probabilities, so it corrects too little rather than too much. The
 * result is limited, because otherwise a few clicks at low positions would outweigh all other clicks.
 * @param position position in the results, starting at 1
 */
export function computeInversePropensity(position: number): number {
  return Math.min(Math.log2(1 + position), MAX_INVERSE_PROPENSITY);
}

/** Maximum weight of a click, reached at position 15. */
const MAX_INVERSE_PROPENSITY = 4;
/** Adding a product to the cart counts as this many clicks, in addition to the click that opened the product. */
const ADD_TO_CART_WEIGHT = 3;
/** Clicks count only up to this position: about two pages of results, or the longest list of suggestions. */
const lastPositions = { searched: 48, typed: 10 } as const;

/** Returns the position of a product in the results of a search, starting at 1. */
function positionOf({ q, kind }: VisitorSearch, product: string, context: SearchContext): number | undefined {
  const number = context.catalog.productNumberById(product);
  if (number === undefined) return undefined;
  const params = { q, types: ["product"], limit: lastPositions[kind], unavailableProducts: "last" } as const;
  const hits =
    applyPins(searchByGroup(createQuery(params, context), context), params, context).get(documentTypes.product) ?? [];
  const index = collapseHits(hits, q, context)
    .slice(0, lastPositions[kind])
    .findIndex(({ externalId }) => externalId === number);
  return index < 0 ? undefined : index + 1;
}

/**
 * Completes the last word of the typed text from the title of the chosen product, because shoppers choose suggestions
 * before they finish a word.
 */
function completeLastWord(q: string, title: string): string {
  const words = normalize(q).split(" ");
  const lastWord = words.pop() ?? "";
  const completedWord = normalize(title)
    .split(" ")
    .find((word) => word.startsWith(lastWord));
  return [...words, completedWord ?? lastWord].join(" ");
}
