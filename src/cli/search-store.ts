import { join } from "node:path";
import type { Explanation, Hit } from "@vitrine/search";
import { createLog } from "../observability/log.ts";
import { documentTypes } from "../predictive-search/documents.ts";
import { entriesOf, searchQuery } from "../predictive-search/predictive-search.ts";
import { type AppliedRules, describeRules, findAppliedRules } from "../predictive-search/rules/applied-rules.ts";
import { withPins } from "../predictive-search/rules/pinned-hits.ts";
import {
  createDayClock,
  describeRuleError,
  joinSynonyms,
  openRulesFolder,
} from "../predictive-search/rules/rules-folder.ts";
import type { SearchContext } from "../predictive-search/search-context.ts";
import { parseSameStorePath } from "../security/same-store-path.ts";
import { indexedLocales } from "../snapshot/build.ts";
import { indexFolder } from "../snapshot/index-files.ts";
import { openSnapshots } from "../snapshot/snapshot.ts";
import { readLiveRules } from "../storage/search-rules.ts";
import { readTotals } from "../storage/signals/read-totals.ts";
import { system } from "../system.ts";
import type { Io } from "./io.ts";
import { openStore } from "./store-database.ts";

/** Maximum number of results to print. */
const LIMIT = 10;

const emptyCatalogText =
  "The store has no catalog yet. Import one with `vitrine import`, or start `vitrine serve`, which imports the files of catalog/.\n";

interface Result {
  readonly kind: string;
  readonly handle: string;
  readonly title: string;
  readonly score: number;
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
  readonly isJson: boolean;
}

/** Searches a store and prints the results.  @param rejectArguments reports wrong arguments  @returns the exit code */
export async function searchStore(
  storeDir: string,
  { words, locale: requestedLocale, isExplained, isJson }: SearchRequest,
  rejectArguments: (message: string) => number,
  io: Io,
): Promise<number> {
  const { config, database, source } = await openStore(storeDir, io.env.DATABASE_URL);
  try {
    const storeLocales = [config.locales.default, ...config.locales.others];
    const locale = requestedLocale ?? config.locales.default;
    if (!storeLocales.includes(locale))
      return rejectArguments(`the store has no language "${locale}" (it has ${storeLocales.join(", ")}).`);
    const log = createLog("warn");
    const rules = await openRulesFolder({
      storeDir,
      locales: storeLocales,
      parsePath: parseSameStorePath,
      today: createDayClock(config.timezone, system.now),
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
      now: system.now,
      newId: system.newId,
      synonyms: joinSynonyms(config.search.synonyms, rules.current),
      signals: () => totals,
      folder: indexFolder(join(storeDir, "data", "index"), indexedLocales(config)),
      isReadOnly: true,
    });
    const { catalog, index } = snapshots.current();
    const { typoTolerance } = config.search;
    const context = { catalog, index, locale, now: system.now(), typoTolerance, rules: rules.current() };
    const results = findResults(words, context, isExplained);
    const appliedRuleSet = findAppliedRules(words, context, config.search.synonyms);
    await snapshots.close();
    io.stdout.write(
      isJson ? toJsonLines(isExplained ? [appliedRuleSet, ...results] : results) : toText(appliedRuleSet, results),
    );
    if (results.length === 0) io.stderr.write(catalog.revision === 0 ? emptyCatalogText : "No results found.\n");
    return results.length === 0 ? 1 : 0;
  } finally {
    await database.close();
  }
}

/** Returns the best results of each kind. */
function findResults(words: string, context: SearchContext, explain: boolean): readonly Result[] {
  const types = Object.keys(documentTypes) as (keyof typeof documentTypes)[];
  const request = { q: words, types, limit: LIMIT, unavailableProducts: "last" } as const;
  const query = searchQuery(request, context);
  const pinnedHandles = new Set(context.rules?.forQuery(words, context.locale).pins);
  const hits: readonly Hit[] = [...withPins(context.index.search(query), request, context).values()].flatMap(
    (hitsOfKind) => hitsOfKind.slice(0, LIMIT),
  );
  return hits.flatMap((hit) => {
    const explanation = explain ? context.index.explain(query, hit.externalId) : undefined;
    return entriesOf([hit], context).map(({ kind, handle, title }) => {
      const isPinned = kind === "product" && pinnedHandles.has(handle);
      const score = isPinned ? (explanation?.score ?? 0) : hit.score;
      return {
        kind,
        handle,
        title,
        score,
        ...(isPinned ? { pinned: true as const } : {}),
        ...(explanation === undefined ? {} : { explanation }),
      };
    });
  });
}

function toJsonLines(objects: readonly object[]): string {
  return objects.map((object) => `${JSON.stringify(object)}\n`).join("");
}

function toText(appliedRuleSet: AppliedRules, results: readonly Result[]): string {
  const notes = describeRules(appliedRuleSet).map((note) => `${note}\n`);
  return [...notes, ...(notes.length > 0 && results.length > 0 ? ["\n"] : []), ...results.map(describeResult)].join("");
}

function describeResult({ kind, handle, title, score, pinned, explanation }: Result): string {
  const parts = explanation?.parts.map((part) => `  ${part.score.toFixed(2).padStart(10)}  ${part.reason}\n`) ?? [];
  const scoreText = (pinned ? "pinned" : score.toFixed(2)).padStart(10);
  return `${scoreText}  ${title}  (${kind} ${handle})\n${parts.join("")}`;
}
