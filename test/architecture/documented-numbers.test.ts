import assert from "node:assert/strict";
import { test } from "node:test";
import { languages } from "../../packages/search/src/analysis/languages/registry.ts";
import { matchBoosts } from "../../packages/search/src/scoring/score.ts";
import { production, read } from "./sources.ts";

interface Claim {
  /** Document: a path in `docs/explanation/`, or `ARCHITECTURE.md`. */
  readonly document: string;
  /** Pattern whose first group matches the number. */
  readonly text: RegExp;
  /** End of the path and name of the constant, such as "scheduler.ts YIELD_INTERVAL_MS". */
  readonly constant: string;
  /** Factor from the document's unit to the constant's unit. Default: 1. */
  readonly unit?: number;
}

const second = 1_000;
const megabyte = 1_024 * 1_024;
const claims: readonly Claim[] = [
  ...of("ARCHITECTURE.md", [
    [/runs (\d+) ms of work/, "scheduler.ts YIELD_INTERVAL_MS"],
    [/half-life, (\d+) days/, "decay.ts HALF_LIFE_DAYS"],
    [/SQLite is polled every (\d+) ms/, "poll-changes.ts POLL_INTERVAL_MS"],
    [/at most one in (\d+) ms/, "poll-changes.ts MIN_READ_INTERVAL_MS"],
  ]),
  ...of("overload.md", [
    [/time slices of (\d+) ms/, "scheduler.ts YIELD_INTERVAL_MS"],
    [/`YIELD_INTERVAL_MS` = (\d+)/, "scheduler.ts YIELD_INTERVAL_MS"],
    [/`MAX_WAIT_MS` = ([\d,]+)/, "scheduler.ts MAX_WAIT_MS"],
    [/`server\.maxWait` \(([\d,]+) ms\)/, "scheduler.ts MAX_WAIT_MS"],
    [/At most ([\d,]+) requests wait/, "scheduler.ts MAX_WAITING_REQUESTS"],
    [/`MAX_WAITING_REQUESTS` = ([\d,]+)/, "scheduler.ts MAX_WAITING_REQUESTS"],
  ]),
  ...of("performance.md", [[/outside the heap \((\d+) MB/, "http/routes.ts ENTRY_CACHE_BYTES", megabyte]]),
  ...of("search-data-and-privacy.md", [
    [/one of (\d+) bits for each network/, "privacy.ts NETWORK_BITS"],
    [/from (\w+) buyers on/, "privacy.ts MIN_BUYERS"],
    [/at most (\d+) characters/, "countable-term.ts MAX_TERM_LENGTH"],
    [/characters and (\d+) words/, "countable-term.ts MAX_WORDS"],
    [/half of its weight in (\d+) days/, "decay.ts HALF_LIFE_DAYS"],
    [/for (\d+,\d+) visitors/, "attribution.ts MAX_VISITORS"],
    [/log2\(1 \+ position\), at most (\d+)/, "click-weight.ts MAX_INVERSE_PROPENSITY"],
    [/Adding to the cart counts (\w+) times/, "click-weight.ts ADD_TO_CART_WEIGHT"],
    [/last (\d+) days before the setting/, "count-purchases.ts MAX_AGE_DAYS"],
    [/deleted after (\w+) weeks/, "forget-signals.ts REPORT_DAYS", 7],
    [/memory for (\w+) seconds/, "sessions.ts TYPING_PAUSE_MS", second],
  ]),
  ...of("search-engine.md", [
    [/all words in primary fields \| (\d+)/, "execute.ts maxScoredDocuments"],
    [/with missing words \| (\d+)/, "execute.ts maxPartialScoredDocuments"],
    [/verified by a search \| (\d+)/, "complete-phrases.ts maxSearches"],
    [/The (\d+) documents with the best static rank/, "text-sample.ts maxSampledDocuments"],
    [/terms and prefixes with ([\d,]+) postings/, "frequent-ranges.ts minFrequentPostings"],
    [/the best (\d+) documents of each partition/, "frequent-ranges.ts championsPerPartition"],
    [/a bitmap if there is a posting for every (\d+)/, "champion-lists.ts maxDocumentsPerPosting"],
    [/first position \(0 to (\d+)\)/, "postings.ts maxPosition"],
    [/a trie of the first (\w+) letters/, "trie.ts trieDepth"],
    [/static rank, (\d+) at a time/, "bit-set.ts batchLength"],
    [/over intersections of the (\w+) rarest words/, "evidence-levels.ts maxCombinedWords"],
    [/For each word, (\d+) of its documents/, "category-space.ts maxSampledPostings"],
    [/fuzzy matches, (\d+) bitmaps/, "leaf-cache.ts maxFilters"],
    [/bitmaps, and (\d+) intersections/, "leaf-cache.ts maxIntersections"],
    [/its best (\d+,\d+) products by score/, "search-results.ts maxResults"],
    [/\| k1, b \| ([\d.]+),/, "score.ts frequencySaturation"],
    [/\| k1, b \| [\d.]+, ([\d.]+) \|/, "field-scores.ts lengthNormStrength"],
    [/`titleStartBonus` \| ([\d.]+)/, "score.ts titleStartBonus"],
    [/`neighborRatio` \| ([\d.]+)/, "score.ts neighborRatio"],
    [/`fullTitleShare` \| ([\d.]+)/, "score.ts fullTitleShare"],
    [/`baseRarity` \| (\d+);/, "score.ts baseRarity"],
    [/query's best product \+ (\d+)\)/, "click-boosts.ts PRIOR_WEIGHT"],
    [/= strength × (\d+)\n```\n\n- Customers/, "click-boosts.ts MAX_CLICK_BOOST"],
    [/begins, at most (\d+)/, "click-boosts.ts MAX_QUERIES"],
    [/get points, at most (\w+)\./, "click-boosts.ts MAX_BOOSTS"],
    [/the best (\d+) hits get points/, "query-boosts.ts maxBoostedHits"],
    [/of the shop, at least (\d+)\)/, "boosts.ts FULL_BOOST_BUYERS"],
    [/The boost is at most (\d+) point/, "boosts.ts MAX_SALES_BOOST"],
  ]),
  ...of("decisions/0003-sqlite-with-group-commit.md", [
    [/at most (\d+) ms\. A single/, "commit-delay.ts MAX_GROUP_DELAY_MS"],
    [/may wait ([\d.]+) seconds until it starts/, "sqlite/sqlite.ts MAX_START_DELAY_MS", second],
  ]),
  ...of("decisions/0004-own-search-index.md", [
    [/more than (\d+) documents of a partition/, "execute.ts maxScoredDocuments"],
    [/are scored, (\d+) after dropped words/, "execute.ts maxPartialScoredDocuments"],
  ]),
  ...of("decisions/0006-postgresql-for-several-servers.md", [
    [/wait ([\d.]+) seconds for a connection/, "postgres/postgres.ts MAX_START_DELAY_MS", second],
    [/ends within (\w+) seconds/, "postgres/postgres.ts STATEMENT_TIMEOUT_MS", second],
    [/latest (\w+) writers/, "cart-store.ts MAX_RECORDED_WRITERS"],
    [/unreachable for (\w+) seconds/, "write-with-retry.ts OUTCOME_TIMEOUT_MS", second],
  ]),
  ...of("decisions/0008-resize-images.md", [
    [/ratios to (\d+)ths/, "image-size.ts ASPECT_RATIO_DENOMINATOR"],
    [/above (\d+) million pixels/, "resize-image.ts MAX_INPUT_PIXELS", 1e6],
    [/more than (\d+) waiting requests/, "resized-images.ts MAX_QUEUED_RESIZES"],
  ]),
  ...of("decisions/0009-event-loop-per-thread.md", [
    [/JSON of products \((\d+) MB\)/, "http/routes.ts ENTRY_CACHE_BYTES", megabyte],
    [/ carts \((\d+) MB\)/, "http/routes.ts CART_LINE_CACHE_BYTES", megabyte],
    [/cart responses \((\d+) MB\)/, "http/routes.ts CART_REPLY_CACHE_BYTES", megabyte],
    [/carts in memory \((\d+) MB\)/, "open-carts.ts CART_CACHE_BYTES", megabyte],
    [/(\w+) connections, divided/, "postgres/postgres.ts DEFAULT_CONNECTIONS"],
    [/after (?:a) second if it lived less than (\w+)/, "loop-threads.ts MIN_LIFETIME_MS", second],
  ]),
];

test("numbers in documents are those of the constants in the code", () => {
  assert.deepEqual(claims.flatMap(errorsOf), []);
});

test("the boosts of matches in the documentation are those of the code", () => {
  const [, row = ""] = /^\| boosts[^|]* \| ([^|]+) \|/m.exec(read("docs/explanation/search-engine.md")) ?? [];
  const documented = Array.from(row.matchAll(/(\w+) (\d+)/g), ([, kind = "", percent]) => [kind, Number(percent)]);
  const { exact: _, ...boosts } = matchBoosts;
  assert.deepEqual(Object.fromEntries(documented), boosts);
});

test("the README of the search counts the languages with word forms", () => {
  const [, count] = /word forms of (\d+) languages/.exec(read("packages/search/README.md")) ?? [];
  // The forms of English words are rules of the code, which apply to all languages.
  assert.equal(Number(count), languages.filter(({ code, plurals }) => code === "en" || plurals !== undefined).length);
});

function of(document: string, rows: readonly (readonly [RegExp, string, number?])[]): readonly Claim[] {
  return rows.map(([text, constant, unit = 1]) => ({ document, text, constant, unit }));
}

function errorsOf({ document, text, constant, unit = 1 }: Claim): readonly string[] {
  const file = document === "ARCHITECTURE.md" ? document : `docs/explanation/${document}`;
  const constantText = text.exec(read(file))?.[1];
  if (constantText === undefined) return [`${file} lacks ${text}: follow its new text here, or remove the claim`];
  const [path = "", name = ""] = constant.split(" ");
  const declared = production
    .filter((source) => source.endsWith(`/${path}`))
    .map((source) => new RegExp(`\\bconst ${name}(?:: \\w+)? = ([\\d_.* ]+)[;,]`).exec(read(source))?.[1])
    .find((value) => value !== undefined);
  if (declared === undefined) return [`no ${path} declares ${name}: follow its new name here`];
  const value = declared.split("*").reduce((product, factor) => product * Number(factor.replaceAll("_", "")), 1);
  return numberOf(constantText) === value / unit
    ? []
    : [`${file} says ${constantText}, ${name} in ${path} is ${value}`];
}

function numberOf(text: string): number {
  const word = "zero one two three four five six seven eight nine ten".split(" ").indexOf(text);
  return word >= 0 ? word : Number(text.replaceAll(",", ""));
}

test("the weights of fields and average lengths in the documentation are those of the code", () => {
  const text = read("docs/explanation/search-engine.md");
  const schema = read("src/predictive-search/schema.ts");
  const weights = { vendor: "vendor", type: "productType", tags: "tag", body: "body", purpose: "purpose" };
  const [row = ""] = /^\| field weights.*$/m.exec(text) ?? [];
  for (const [field, key] of Object.entries(weights)) {
    const [, documented] = new RegExp(`\\b${field} (\\d+)`).exec(row) ?? [];
    const [, actual] = new RegExp(`\\b${key}: \\{[^}]*\\bweight: (\\d+)`).exec(schema) ?? [];
    assert.ok(documented !== undefined && actual !== undefined, field);
    assert.equal(documented, actual, field);
  }
  const [, title, phrase, otherWeight] = /title (\d+) words, phrases (\d+), texts (\d+)/.exec(text) ?? [];
  const lengths = `{ title: ${title}, phrase: ${phrase}, text: ${otherWeight} }`;
  assert.ok(read("packages/search/src/scoring/field-scores.ts").includes(`averageLengths = ${lengths}`), lengths);
});
