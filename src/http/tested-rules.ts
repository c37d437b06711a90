import type { SearchContext } from "../predictive-search/search-context.ts";
import { armOf } from "../predictive-search/team-draft.ts";
import type { ShopSnapshot } from "../snapshot/snapshot.ts";
import { readVisitorId } from "./sessions/csrf-session.ts";
import type { IncomingRequest } from "./wire/request.ts";

/**
 * Returns the tested draft of the search rules, and the coin sequence that decides the order of this visitor's results.
 * Returns an empty object without a test, and for visitors without a cookie.
 */
export function testedRulesFor(
  { testedRules }: ShopSnapshot,
  request: Pick<IncomingRequest, "headers" | "isSecure">,
  now: number,
): Pick<SearchContext, "testedRules"> {
  const visitor = testedRules === undefined ? undefined : readVisitorId(request);
  if (testedRules === undefined || visitor === undefined) return {};
  const { index, rules } = testedRules;
  return { testedRules: { index, rules, arm: armOf(visitor, now) } };
}

/**
 * Returns the part of a cache key that distinguishes visitors whose suggestions are in a different order because of a
 * test of search rules.
 */
export function testedRulesKey(snapshot: ShopSnapshot, request: IncomingRequest, now: number): string {
  if (snapshot.testedRules === undefined || !request.url.includes("/search/suggest")) return "";
  const { testedRules } = testedRulesFor(snapshot, request, now);
  return testedRules === undefined ? "" : ` ${testedRules.arm}`;
}
