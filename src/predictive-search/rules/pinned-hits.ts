import type { Hit, Query } from "@vitrine/search";
import { isProductAvailable } from "../../catalog/stock.ts";
import { documentTypes } from "../documents.ts";
import type { SearchContext } from "../search-context.ts";
import type { SuggestParams } from "../suggest-params.ts";

/** Score of pinned hits, above the score of any other hit. */
const pinnedScore = 1_000_000_000;

const emptyNumbers: ReadonlySet<number> = new Set();

/**
 * Moves the pinned products of a query to the front, in the order of the pins. Unpublished products are skipped, and so
 * are unavailable products if the request hides them.
 * @param hitsByType hits by type
 * @returns hits by type; the list of products may be longer than the limit
 */
export function applyPins(
  hitsByType: ReadonlyMap<number, readonly Hit[]>,
  { q, unavailableProducts }: Pick<SuggestParams, "q" | "unavailableProducts">,
  { catalog, locale, rules }: SearchContext,
): ReadonlyMap<number, readonly Hit[]> {
  const products = hitsByType.get(documentTypes.product);
  const handles = rules?.getRulesForQuery(q, locale).pins ?? [];
  if (handles.length === 0 || products === undefined) return hitsByType;
  const pinnedHits = handles.flatMap((handle, index): Hit[] => {
    const number = catalog.productNumber(handle);
    const product = catalog.product(handle);
    if (number === undefined || product === undefined) return [];
    if (unavailableProducts === "hide" && !isProductAvailable(product)) return [];
    return [{ externalId: number, type: documentTypes.product, score: pinnedScore - index, missing: 0 }];
  });
  const pinnedIds = new Set(pinnedHits.map(({ externalId }) => externalId));
  const otherHits = products.filter(({ externalId }) => !pinnedIds.has(externalId));
  return new Map([...hitsByType, [documentTypes.product, [...pinnedHits, ...otherHits]]]);
}

/** Returns the document numbers of the products that rules hide for a query. */
export function findHiddenNumbers(q: string, { catalog, locale, rules }: SearchContext): ReadonlySet<number> {
  const handles = rules?.getRulesForQuery(q, locale).hides;
  if (handles === undefined || handles.size === 0) return emptyNumbers;
  return new Set([...handles].flatMap((handle) => catalog.productNumber(handle) ?? []));
}

/** Returns the boosts that rules define for a query; undefined without boosts. */
export function listRuleBoosts(q: string, { catalog, locale, rules }: SearchContext): Query["boosts"] {
  const boosts = rules?.getRulesForQuery(q, locale).boosts;
  if (boosts === undefined || boosts.size === 0) return undefined;
  return Array.from(boosts).flatMap(([handle, points]) => {
    const externalId = catalog.productNumber(handle);
    return externalId === undefined ? [] : [{ externalId, points, reason: "boosted by a search rule" }];
  });
}
