import type { Explanation, Hit } from "@vitrine/search";
import { createLog } from "../observability/log.ts";
import { compareRanks, computeScore, hasScore } from "../predictive-search/compare-ranks.ts";
import { documentTypes } from "../predictive-search/documents.ts";
import { createQuery, entriesOf } from "../predictive-search/predictive-search.ts";
import { type AppliedRules, describeRules, findAppliedRules } from "../predictive-search/rules/applied-rules.ts";
import { applyPins } from "../predictive-search/rules/pinned-hits.ts";
import {
  createDayFormatter,
  describeRuleError,
  joinSynonyms,
  openRulesFolder,
} from "../predictive-search/rules/rules-folder.ts";
import type { SearchContext } from "../predictive-search/search-context.ts";
import { openIndexFolder } from "../snapshot/index-files.ts";
import { openSnapshots } from "../snapshot/open-snapshots.ts";
import { readLiveRules } from "../storage/search-rules.ts";
import { readTotals } from "../storage/signals/read-totals.ts";
import { system } from "../system.ts";
import { UsageError } from "./arguments.ts";
import { type CommandIo, formatJson } from "./io.ts";
import { openStore } from "./store-database.ts";

/** Maximum number of results to print. */
const RESULT_LIMIT = 10;

const emptyCatalogText =
  "The store has no catalog yet. Import one with `vitrine import`, or start `vitrine serve`, which imports the files of catalog/.\n";

interface SearchResult {
  readonly kind: string;
  readonly handle: string;
  readonly title: string;
  readonly score: number;
  /**
   * Score by which the result is sorted among results of the same group, for example results with all words of the
   * query.
   */
  readonly points: number;
  /** Whether a search rule of the merchant pins the result. */
  readonly pinned?: true;
  readonly explanation?: Explanation;
}

/** Options of a search on the command line. */
export interface SearchRequest {
  readonly words: string;
  /** Language of the search. Default: the default language of the store. */
  readonly locale: string | undefined;
  readonly isExplained: boolean;
  /** Handle of a product to compare with the result that ranks directly before it. */
  readonly comparedHandle: string | undefined;
  readonly isJson: boolean;
}

/** Searches a store and prints the results.  @returns the exit code  @throws UsageError */
export async function searchStore(
  storeDir: string,
  { words, locale: requestedLocale, isExplained, isJson, comparedHandle }: SearchRequest,
  io: CommandIo,
): Promise<number> {
  await using store = await openStore(storeDir, io.env.DATABASE_URL);
  const { config, database, source } = store;
  const storeLocales = [config.locales.default, ...config.locales.others];
  const locale = requestedLocale ?? config.locales.default;
  if (!storeLocales.includes(locale))
    throw new UsageError(`the store has no language "${locale}" (it has ${storeLocales.join(", ")}).`);
  const log = createLog("warn");
  const rules = await openRulesFolder({
    storeDir,
    locales: config.locales,
    getToday: createDayFormatter(config.timezone, system.now),
    storedTexts: (await readLiveRules(database)).texts,
    report: (error) => io.stderr.write(`${describeRuleError(error)}\n`),
    log,
  });
  await rules.close();
  const boosts = { clicks: config.search.implicitFeedback, sales: config.search.popularityFromOrders };
  const totals = await readTotals(database, system.now(), boosts);
  const snapshots = await openSnapshots({
    source,
    database,
    config,
    log,
    newId: system.newId,
    synonyms: joinSynonyms(config.search.synonyms, rules.currentRules),
    signals: () => totals,
    folder: openIndexFolder(storeDir, config),
    isReadOnly: true,
  });
  const { catalog, index } = snapshots.currentSnapshot();
  const { typoTolerance } = config.search;
  const context = { catalog, index, locale, now: system.now(), typoTolerance, rules: rules.currentRules() };
  const results = findResults(words, context, isExplained);
  const comparison = comparedHandle === undefined ? "" : describeRank(comparedHandle, words, context);
  const appliedRuleSet = findAppliedRules(words, context, config.search.synonyms);
  await snapshots.close();
  io.stdout.write(
    isJson
      ? (isExplained ? [appliedRuleSet, ...results] : results).map((object) => formatJson(object)).join("")
      : toText(appliedRuleSet, results) + comparison,
  );
  if (results.length === 0) io.stderr.write(catalog.revision === 0 ? emptyCatalogText : "No results found.\n");
  return results.length === 0 ? 1 : 0;
}

/** Returns the best results of each kind. */
function findResults(words: string, context: SearchContext, needsReasons: boolean): readonly SearchResult[] {
  const types = Object.keys(documentTypes) as (keyof typeof documentTypes)[];
  const request = { q: words, types, limit: RESULT_LIMIT, unavailableProducts: "last" } as const;
  const query = createQuery(request, context);
  const pinnedHandles = new Set(context.rules?.getRulesForQuery(words, context.locale).pins);
  const hits: readonly Hit[] = [...applyPins(context.index.search(query), request, context).values()].flatMap(
    (hitsOfKind) => hitsOfKind.slice(0, RESULT_LIMIT),
  );
  return hits.flatMap((hit) => {
    const explanation = context.index.explain(query, hit.externalId);
    return entriesOf([hit], context).map(({ kind, handle, title }) => {
      const isPinned = kind === "product" && pinnedHandles.has(handle);
      const score = isPinned ? (explanation?.score ?? 0) : hit.score;
      return {
        kind,
        handle,
        title,
        score,
        points: explanation === undefined ? 0 : computeScore(explanation),
        ...(isPinned ? { pinned: true as const } : {}),
        ...(needsReasons && explanation !== undefined ? { explanation } : {}),
      };
    });
  });
}

function toText(appliedRuleSet: AppliedRules, results: readonly SearchResult[]): string {
  const ruleNotes = describeRules(appliedRuleSet).map((note) => `${note}\n`);
  return [
    ...ruleNotes,
    ...(ruleNotes.length > 0 && results.length > 0 ? ["\n"] : []),
    ...results.map(describeResult),
  ].join("");
}

function describeResult({ kind, handle, title, points, pinned, explanation }: SearchResult): string {
  const scoreText = (pinned ? "pinned" : points.toFixed(2)).padStart(10);
  const parts = explanation?.parts.map((part) =>
    formatScorePart(hasScore(part) ? part.score.toFixed(2) : "", part.reason),
  );
  return `${scoreText}  ${title}  (${kind} ${handle})\n${parts?.join("") ?? ""}`;
}

function formatScorePart(pointsText: string, reason: string): string {
  return `  ${pointsText.padStart(10)}  ${reason}\n`;
}

/** Maximum number of results among which a compared product is searched. */
const MAX_COMPARED_RESULTS = 1_000;

/** Describes why a product does not rank higher, compared with the result before it. */
function describeRank(handle: string, words: string, context: SearchContext): string {
  const { catalog, index } = context;
  const number = catalog.productNumber(handle);
  if (number === undefined) return `\nNo product has the handle "${handle}".\n`;
  const request = {
    q: words,
    types: ["product" as const],
    limit: MAX_COMPARED_RESULTS,
    unavailableProducts: "last" as const,
  };
  const query = createQuery(request, context);
  const hits = applyPins(index.search(query), request, context).get(documentTypes.product) ?? [];
  const rank = hits.findIndex(({ externalId }) => externalId === number);
  const explanation = index.explain(query, number);
  if (rank < 0 || explanation === undefined)
    return `\n"${handle}" is no result: its texts lack words of the search, or a search rule hides it.\n`;
  const [betterHit] = hits.slice(Math.max(0, rank - 1), rank);
  const [betterEntry] = betterHit === undefined ? [] : entriesOf([betterHit], context);
  const betterExplanation = betterHit === undefined ? undefined : index.explain(query, betterHit.externalId);
  if (betterEntry === undefined) return `\n"${handle}" is the first product.\n`;
  const rankText = `\n"${handle}" is product ${rank + 1}, after "${betterEntry.handle}".`;
  if (betterExplanation === undefined || betterExplanation.score < explanation.score)
    return `${rankText} "${betterEntry.handle}" is pinned.\n`;
  const { summary, differences } = compareRanks(betterExplanation, explanation);
  const lines = differences.map(({ points, betterReason: betterReasonText, other }) =>
    formatScorePart(
      `${points > 0 ? "+" : ""}${points.toFixed(2)}`,
      `${betterReasonText ?? "nothing"}  |  here: ${other ?? "nothing"}`,
    ),
  );
  return `${rankText} ${summary}\n${lines.join("")}`;
}
