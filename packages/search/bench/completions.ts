// Measures whether completions save typing. Types queries letter by letter, and measures how early each query is
// offered and whether offered queries have results.
//   VITRINE_DATA=… node packages/search/bench/completions.ts [--list wands,esci] [--show 40] [--record]
// --show prints this number of random prefixes with their completions. --record adds rows to results.md.
import { parseArgs } from "node:util";
import { normalize } from "@vitrine/search";
import { catalogueFile, catalogues, flatFile } from "../../../bench/catalogs.ts";
import { createRandom } from "../../../bench/random.ts";
import { type Cells, recordRows, today } from "../../../bench/results.ts";
import { percentile } from "../../../bench/store.ts";
import { isListName, type ListName, lists, readList } from "./completions/query-lists.ts";
import { openVitrineIndex, product } from "./engines/vitrine-index.ts";

const { values: options } = parseArgs({
  options: {
    list: { type: "string", default: Object.keys(lists).join() },
    show: { type: "string", default: "0" },
    record: { type: "boolean", default: false },
  },
});
const heading = "## completions.ts: completions of queries typed letter by letter";
/** Number of requested completions, as in the default theme, and number of visible ones. */
const limit = 10;
const shown = 4;
/** Minimum number of words of a long query. */
const longFrom = 4;
/** Number of times each list is typed. The time of a call is the minimum. */
const passes = 3;

type Opened = Awaited<ReturnType<typeof openVitrineIndex>>;
type Index = Opened["index"];

/** Result of typing one query. */
interface Typed {
  readonly words: number;
  readonly letters: number;
  /** Whether one product contains all words of the query. */
  readonly isFound: boolean;
  /** Whether a completion exists for the entire query. */
  readonly isCompleted: boolean;
  /**
   * Number of letters after which the query is offered, and after which it is visible. Undefined if only after the last
   * letter.
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

function measure({ index, reopen }: Opened, name: ListName, queries: readonly string[]): Cells {
  const locale = catalogues[lists[name].catalogue];
  const made = new Set<string>();
  const beginnings: (readonly [string, readonly string[]])[] = [];
  const typed = queries.map((query): Typed => {
    const letters = [...query];
    const key = normalize(query);
    let offeredAt: number | undefined;
    let shownAt: number | undefined;
    let last: readonly string[] = [];
    for (let count = 1; count <= letters.length; count += 1) {
      const text = letters.slice(0, count).join("");
      last = index.complete(text, locale, limit);
      beginnings.push([text, last]);
      for (const one of last) made.add(one);
      const place = count === letters.length ? -1 : last.findIndex((one) => normalize(one) === key);
      if (place >= 0) offeredAt ??= count;
      if (place >= 0 && place < shown) shownAt ??= count;
    }
    const isFound = finds(index, locale, query);
    return {
      words: key.split(" ").length,
      letters: letters.length,
      isFound,
      isCompleted: last.length > 0,
      offeredAt,
      shownAt,
    };
  });
  for (const [text, completions] of createRandom(3).sample(beginnings, Number(options.show)))
    process.stdout.write(`  ${text.padEnd(30)} ${completions.join(" | ")}\n`);
  const found = typed.filter(({ isFound }) => isFound);
  const times = timesOf(
    reopen,
    locale,
    beginnings.map(([text]) => text),
  );
  return [
    ...today(),
    `${name}, ${lists[name].catalogue}`,
    `${typed.length}, ${found.length}`,
    completed(typed),
    completed(typed.filter(({ words }) => words >= longFrom)),
    completed(found),
    offered(typed, ({ offeredAt }) => offeredAt),
    offered(typed, ({ shownAt }) => shownAt),
    offered(found, ({ shownAt }) => shownAt),
    `${[...made].filter((text) => !finds(index, locale, text)).length} of ${made.size}`,
    `${[0.5, 0.99, 0.999].map((share) => (percentile(times, share) * 1_000).toFixed(0)).join(" / ")} µs`,
  ];
}

/** Returns the share of queries that have a completion when typed in full. */
function completed(typed: readonly Typed[]): string {
  return `${percent(typed.filter(({ isCompleted }) => isCompleted).length / typed.length)} of ${typed.length}`;
}

/**
 * Returns the share of queries offered before their last letter, the letters typed until then, and the share of all
 * letters saved.
 */
function offered(typed: readonly Typed[], at: (one: Typed) => number | undefined): string {
  const letters = typed.map((one) => at(one)).filter((one) => one !== undefined);
  const saved = typed.map((one) => 1 - (at(one) ?? one.letters) / one.letters);
  return `${percent(letters.length / typed.length)}, ${mean(letters).toFixed(1)}, ${percent(mean(saved))}`;
}

/** Returns the milliseconds of each call: the minimum of several runs with empty caches. */
function timesOf(reopen: Opened["reopen"], locale: string, texts: readonly string[]): number[] {
  const least = texts.map(() => Number.POSITIVE_INFINITY);
  for (let pass = 0; pass < passes; pass += 1) {
    const index = reopen();
    texts.forEach((text, at) => {
      const start = performance.now();
      index.complete(text, locale, limit);
      least[at] = Math.min(least[at] as number, performance.now() - start);
    });
  }
  return least;
}

/** Returns whether one product contains all words of a text, in full and without misspellings. */
function finds(index: Index, locale: string, text: string): boolean {
  return index.findsExactly({ text, locale, limits: new Map([[product, 1]]), typos: false, unavailable: "show" });
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
