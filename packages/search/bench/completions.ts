// Measures whether search completions save typing. Types queries letter by letter, and measures after how many letters
// each query is offered and whether the offered queries have results.
//   VITRINE_DATA=… node packages/search/bench/completions.ts [--list wands,esci] [--show 40] [--record]
// --show 40 prints 40 random prefixes with their completions. --record adds rows to results.md.
import { parseArgs } from "node:util";
import { normalize } from "@vitrine/search";
import { catalogueFile, catalogues, flatFile } from "../../../bench/catalogs.ts";
import { createRandom } from "../../../bench/random.ts";
import { type Cells, recordRows, today } from "../../../bench/results.ts";
import { percentile } from "../../../bench/store.ts";
import { isListName, type ListName, lists, readList } from "./completions/query-lists.ts";
import { openVitrineIndex, productType } from "./engines/vitrine-index.ts";
import { formatPercent, mean } from "./relevance/significance.ts";

const { values: options } = parseArgs({
  options: {
    list: { type: "string", default: Object.keys(lists).join() },
    show: { type: "string", default: "0" },
    record: { type: "boolean", default: false },
  },
});
const heading = "## completions.ts: completions of queries typed letter by letter";
/** Number of completions per request, the same as in the default theme. */
const requestedCount = 10;
const visibleCount = 4;
/** Minimum number of words of a long query. */
const longQueryMinWords = 4;
/** Number of times each list of queries is typed. The shortest time of each request counts. */
const passCount = 3;

type OpenedIndex = Awaited<ReturnType<typeof openVitrineIndex>>;
type Index = OpenedIndex["index"];

/** Result of typing one query. */
interface TypedQuery {
  readonly words: number;
  readonly letters: number;
  /** Whether one product contains all words of the query. */
  readonly isFound: boolean;
  /** Whether the query has a completion when it is typed in full. */
  readonly isCompleted: boolean;
  /**
   * Number of typed letters after which the query is among the completions. Undefined if it is not offered before its
   * last letter.
   */
  readonly offeredAt: number | undefined;
  readonly shownAt: number | undefined;
}

const rows: Cells[] = [];
for (const name of options.list.split(",")) {
  if (!isListName(name)) throw new Error(`no list ${name}: ${Object.keys(lists).join(", ")}`);
  const { catalogue } = lists[name];
  const documents = await flatFile(catalogueFile(catalogue));
  const opened = await openVitrineIndex(documents, catalogues[catalogue]);
  rows.push(measure(opened, name, readList(name, documents)));
  process.stdout.write(`${rows.at(-1)?.slice(2).join(" | ")}\n`);
}
if (options.record) recordRows(heading, rows, new URL("./results.md", import.meta.url));

function measure({ index, reopen }: OpenedIndex, name: ListName, queries: readonly string[]): Cells {
  const locale = catalogues[lists[name].catalogue];
  const uniqueCompletions = new Set<string>();
  const prefixes: (readonly [string, readonly string[]])[] = [];
  const typedQueries = queries.map((query): TypedQuery => {
    const letters = [...query];
    const key = normalize(query);
    let offeredAt: number | undefined;
    let shownAt: number | undefined;
    let completions: readonly string[] = [];
    for (let count = 1; count <= letters.length; count += 1) {
      const text = letters.slice(0, count).join("");
      completions = index.complete(text, locale, requestedCount);
      prefixes.push([text, completions]);
      for (const completion of completions) uniqueCompletions.add(completion);
      const rank = count === letters.length ? -1 : completions.findIndex((completion) => normalize(completion) === key);
      if (rank >= 0) offeredAt ??= count;
      if (rank >= 0 && rank < visibleCount) shownAt ??= count;
    }
    const isFound = hasMatch(index, locale, query);
    return {
      words: key.split(" ").length,
      letters: letters.length,
      isFound,
      isCompleted: completions.length > 0,
      offeredAt,
      shownAt,
    };
  });
  for (const [text, completions] of createRandom(3).sample(prefixes, Number(options.show)))
    process.stdout.write(`  ${text.padEnd(30)} ${completions.join(" | ")}\n`);
  const answeredQueries = typedQueries.filter(({ isFound }) => isFound);
  const times = timesOf(
    reopen,
    locale,
    prefixes.map(([text]) => text),
  );
  return [
    ...today(),
    `${name}, ${lists[name].catalogue}`,
    `${typedQueries.length}, ${answeredQueries.length}`,
    completedShare(typedQueries),
    completedShare(typedQueries.filter(({ words }) => words >= longQueryMinWords)),
    completedShare(answeredQueries),
    describeOffers(typedQueries, ({ offeredAt }) => offeredAt),
    describeOffers(typedQueries, ({ shownAt }) => shownAt),
    describeOffers(answeredQueries, ({ shownAt }) => shownAt),
    `${[...uniqueCompletions].filter((text) => !hasMatch(index, locale, text)).length} of ${uniqueCompletions.size}`,
    `${[0.5, 0.99, 0.999].map((share) => (percentile(times, share) * 1_000).toFixed(0)).join(" / ")} µs`,
  ];
}

/** Returns the share of queries that have a completion when typed in full. */
function completedShare(typedQueries: readonly TypedQuery[]): string {
  return `${formatPercent(typedQueries.filter(({ isCompleted }) => isCompleted).length / typedQueries.length)} of ${typedQueries.length}`;
}

/**
 * Returns three figures: the share of queries that are offered before their last letter, the mean number of letters
 * typed until then, and the mean share of letters saved.
 */
function describeOffers(typedQueries: readonly TypedQuery[], at: (one: TypedQuery) => number | undefined): string {
  const letters = typedQueries.map((one) => at(one)).filter((one) => one !== undefined);
  const savedShares = typedQueries.map((one) => 1 - (at(one) ?? one.letters) / one.letters);
  return `${formatPercent(letters.length / typedQueries.length)}, ${mean(letters).toFixed(1)}, ${formatPercent(mean(savedShares))}`;
}

/** Returns the time of each completion request in milliseconds: the minimum of several runs with empty caches. */
function timesOf(reopen: OpenedIndex["reopen"], locale: string, texts: readonly string[]): number[] {
  const minTimes = texts.map(() => Number.POSITIVE_INFINITY);
  for (let pass = 0; pass < passCount; pass += 1) {
    const index = reopen();
    texts.forEach((text, at) => {
      const start = performance.now();
      index.complete(text, locale, requestedCount);
      minTimes[at] = Math.min(minTimes[at] as number, performance.now() - start);
    });
  }
  return minTimes;
}

/** Returns whether one product contains all words of a text, in full and without misspellings. */
function hasMatch(index: Index, locale: string, text: string): boolean {
  return index.findsExactly({ text, locale, limits: new Map([[productType, 1]]), typos: false, unavailable: "show" });
}
