import type { SearchContext } from "../predictive-search/search-context.ts";
import { assignTestGroup } from "../predictive-search/team-draft.ts";
import type { ShopSnapshot } from "../snapshot/snapshot.ts";
import { readVisitorId } from "./sessions/csrf-session.ts";
import type { IncomingRequest } from "./wire/request.ts";

/**
 * Returns the draft of the search rules under test, and the visitor's test group. The group decides how the results of
 * the live rules and of the draft are interleaved. Returns an empty object if no draft is tested or the visitor has no
 * cookie.
 */
export function getTestedRules(
  { testedRules }: ShopSnapshot,
  request: Pick<IncomingRequest, "headers" | "isSecure">,
  now: number,
): Pick<SearchContext, "testedRules"> {
  const visitor = testedRules === undefined ? undefined : readVisitorId(request);
  if (testedRules === undefined || visitor === undefined) return {};
  const { index, rules } = testedRules;
  return { testedRules: { index, rules, arm: assignTestGroup(visitor, now) } };
}

/**
 * Returns the part of the cache key that separates the test groups of a search rules test, because each group sees
 * suggestions in a different order.
 */
export function formatTestedRulesKey(snapshot: ShopSnapshot, request: IncomingRequest, now: number): string {
  if (snapshot.testedRules === undefined || !request.url.includes("/search/suggest")) return "";
  const { testedRules } = getTestedRules(snapshot, request, now);
  return testedRules === undefined ? "" : ` ${testedRules.arm}`;
}
