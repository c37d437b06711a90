// What if the documents were in several shards? Documents are distributed over segments, in one process: does a search
// of all
// of them find what one index finds, how often must they agree before it knows what to look for, and what does each find by itself?
//   VITRINE_DATA=… node --max-old-space-size=6000 packages/search/bench/shards.ts [--products 1000000] [--shards 4] [--queries 150] [--record]
// A question is whatever a search must know of all shards at once: how many postings a word has, whether a step finds anything, which documents are
// best. Shards on machines of their own would be asked so often, one after the other.
import { parseArgs } from "node:util";
import type { Hit, Segment } from "@vitrine/search";
import { createSegmentBuilder } from "@vitrine/search";
import { bigCatalogue } from "../../../bench/catalog-1m.ts";
import { flatFile } from "../../../bench/catalogs.ts";
import { readFlat } from "../../../bench/flat-documents.ts";
import { type Cells, recordRows, today } from "../../../bench/results.ts";
import { percentile } from "../../../bench/store.ts";
import { schema } from "../../../src/predictive-search/schema.ts";
import { BitSets } from "../src/docset/bit-set.ts";
import { LevenshteinAutomaton } from "../src/fuzzy/levenshtein-automaton.ts";
import type { LeafReader } from "../src/index/leaf.ts";
import { LeafCache } from "../src/leaf-cache.ts";
import { search } from "../src/query/execute.ts";
import { PhraseScratch } from "../src/query/phrase-scratch.ts";
import { SchemaPoints } from "../src/scoring/field-points.ts";
import { SearchContext } from "../src/search-context.ts";
import { realQueries, type Task, tasks, thin, typedByTask } from "./keystrokes-typed.ts";

const { values: options } = parseArgs({
  options: {
    products: { type: "string", default: "1000000" },
    shards: { type: "string", default: "4" },
    queries: { type: "string", default: "150" },
    record: { type: "boolean", default: false },
  },
});
const heading = "## shards.ts: one index compared with shards";
const locale = "en";
const product = 0;
const wanted = 10;
const maxWarming = 6_000;
const kinds = ["one word", "all words", "some words"] as const;

/** Asks an index letter by letter. */
interface Asked {
  readonly hits: readonly (readonly Hit[])[];
  readonly ms: readonly number[];
  readonly questions: readonly number[];
}

const documents = await flatFile(bigCatalogue(Number(options.products)));
const count = Number(options.shards);
const [whole] = build(1);
const shards = build(count);
const { measured, others } = realQueries(Number(options.queries));
const typed = typedByTask(measured);
const warming = typedByTask(others);
const rows: Cells[] = [];
for (const task of tasks) {
  const ask = (segments: readonly Segment[]): Asked => keystrokesOver(segments, thin(warming[task], maxWarming), task);
  const one = ask([whole as Segment]);
  const agreed = ask(shards);
  const alone = shards.map((shard) => ask([shard]));
  const merged = one.hits.map((_, at) =>
    alone
      .flatMap(({ hits }) => hits[at] ?? [])
      .sort((a, b) => b.score - a.score || a.externalId - b.externalId)
      .slice(0, wanted),
  );
  const slowest = one.ms.map((_, at) => Math.max(...alone.map(({ ms }) => ms[at] ?? 0)));
  const row = [
    ...today(),
    options.products,
    options.shards,
    task,
    `${one.ms.length}`,
    figures(one.ms),
    figures(agreed.ms),
    [0.5, 0.99, 1].map((share) => percentile(agreed.questions, share)).join(" / "),
    ...kinds.map((kind) => compared(typed[task], one.hits, agreed.hits, kind)),
    figures(slowest),
    same(one.hits, merged),
  ];
  process.stdout.write(`| ${row.join(" | ")} |\n`);
  rows.push(row);
}
if (options.record) recordRows(heading, rows, new URL("./results.md", import.meta.url));

/** Distributes the documents over segments. */
function build(parts: number): readonly Segment[] {
  const builders = Array.from({ length: parts }, () => createSegmentBuilder(schema, locale));
  for (const { number, available, popularity, values } of readFlat(documents)) {
    const fields = values.flatMap((texts, field) => texts.map((text): [number, string] => [field, text]));
    builders[number % parts]?.add({ externalId: number, type: product, available, popularity, locale, fields });
  }
  return builders.map((builder) => builder.finish());
}

function keystrokesOver(segments: readonly Segment[], warm: readonly string[], task: Task): Asked {
  const leaves = segments.flatMap((segment) => segment.leaves);
  const bitSets = new BitSets();
  const context = new SearchContext({
    schema,
    points: new SchemaPoints(schema),
    bitSets,
    automaton: new LevenshteinAutomaton(),
    phraseScratch: new PhraseScratch(),
    leafCaches: new Map(leaves.map((leaf) => [leaf, new LeafCache(bitSets)])),
    categorySpaces: new WeakMap(),
  });
  const counted = countWalks(leaves.map((leaf): LeafReader => ({ leaf, deletedCount: 0, fewDeleted: [] })));
  const noFavour = { ofQuery: [], ofDocuments: undefined };
  const ask = (text: string): readonly Hit[] => {
    const limits = new Map([[product, wanted]]);
    const query = { text, locale, limits, typos: task !== "exact", unavailable: "last" } as const;
    try {
      return search(context, query, counted.readers, new Map(), noFavour).get(product) ?? [];
    } finally {
      context.end();
    }
  };
  for (const text of warm) ask(text);
  const asked = { hits: [] as (readonly Hit[])[], ms: [] as number[], questions: [] as number[] };
  for (const text of typed[task]) {
    const before = counted.walks();
    const start = performance.now();
    asked.hits.push(ask(text));
    asked.ms.push(performance.now() - start);
    asked.questions.push(counted.walks() - before);
  }
  return asked;
}

/** The same readers; each walk over all of them is counted. */
function countWalks(readers: readonly LeafReader[]): { readonly readers: readonly LeafReader[]; walks(): number } {
  let walks = 0;
  const ways: ReadonlySet<string | symbol> = new Set(["some", "reduce", "forEach", Symbol.iterator]);
  const proxy = new Proxy(readers, {
    get(target, name, receiver) {
      if (ways.has(name)) walks += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  return { readers: proxy, walks: () => walks };
}

/** The share of keystrokes with the same best hits in the same order. */
function same(one: readonly (readonly Hit[])[], other: readonly (readonly Hit[])[]): string {
  const key = (hits: readonly Hit[] = []): string => hits.map(({ externalId }) => externalId).join();
  return share(one, (hits, at) => key(hits) === key(other[at]));
}

/**
 * Kind of a keystroke by the results of one index: documents with its only word, with all of several words, or with
 * some.
 */
type Kind = (typeof kinds)[number];

function kindOf(text: string, hits: readonly Hit[]): Kind {
  if (hits.some(({ missing }) => missing > 0)) return "some words";
  return text.trim().includes(" ") ? "all words" : "one word";
}

/** For the keystrokes of a kind: their number, and the numbers with equal and with equally good hits. */
function compared(
  texts: readonly string[],
  one: readonly (readonly Hit[])[],
  other: readonly (readonly Hit[])[],
  kind: Kind,
): string {
  const places = [...one.keys()].filter((at) => kindOf(texts[at] ?? "", one[at] ?? []) === kind);
  const [before, after] = [one, other].map((all) => places.map((at) => all[at] ?? []));
  const asGood = share(before ?? [], (hits, at) => isAsGood(after?.[at] ?? [], hits));
  return `${places.length}: ${same(before ?? [], after ?? [])}, ${asGood}`;
}

/**
 * Returns whether the hit at each rank has at least as many points. An index scores some hundred of the most popular
 * documents of each part with the words of a frequent query: shards read more of them.
 */
function isAsGood(hits: readonly Hit[], than: readonly Hit[]): boolean {
  return hits.length >= than.length && than.every(({ score }, at) => (hits[at] as Hit).score >= score);
}

function share<T>(all: readonly T[], isTrue: (one: T, at: number) => boolean): string {
  return `${((all.filter(isTrue).length / all.length) * 100).toFixed(2)} %`;
}

function figures(ms: readonly number[]): string {
  return `${[0.5, 0.99].map((share) => percentile(ms, share).toFixed(3)).join(" / ")} ms`;
}
