// Compares completions with those of other engines. Types queries letter by letter, and measures the share of letters
// saved and the rank of the query among the completions. Only queries count whose words are in one product.
//   VITRINE_DATA=… node packages/search/bench/completion-peers.ts [--only vitrine,minisearch] [--sets wands,shoppers-office-report] [--queries] [--record]
// --queries prints the figures of each query. --record adds rows to results.md.
import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { normalize } from "@vitrine/search";
import MiniSearch from "minisearch";
import { type CatalogueName, catalogueFile, catalogues, createInProcess, flatFile } from "../../../bench/catalogs.ts";
import { type FlatDocument, readFlat, readTitles } from "../../../bench/flat-documents.ts";
import { createRandom } from "../../../bench/random.ts";
import { type Cells, recordRows, today } from "../../../bench/results.ts";
import { fieldNumbers } from "../../../src/predictive-search/documents.ts";
import { isListName, lists, readList } from "./completions/query-lists.ts";
import { openVitrineIndex } from "./engines/vitrine-index.ts";
import { prefixesOf } from "./keystrokes-typed.ts";
import { WordIndex } from "./relevance/content-words.ts";
import { canEdit, wordsOf } from "./relevance/edits.ts";
import { answersOf } from "./relevance/peer-answers.ts";
import { judgedSets } from "./relevance/sets.ts";
import { formatPercent, mean } from "./relevance/significance.ts";
import { type EngineName, engineTitles, explainMissing } from "./run-engine.ts";

const engines = ["vitrine", "lucene-infix", "lucene-fuzzy", "minisearch", "flexsearch", "orama"] as const;
const reportSets = judgedSets.map(({ name }) => name).filter((name) => /^shoppers-.*-report$/.test(name));
const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: engines.join() },
    sets: { type: "string", default: [...Object.keys(lists), ...reportSets].join() },
    queries: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
  },
});
const heading = "## completion-peers.ts: completions, with peers";
const requestedCount = 10;
const visibleCount = 4;
/** Maximum number of queries of a set. */
const maxQueries = 40;
/** Maximum number of words of a phrase that other engines complete, and minimum number of products that contain it. */
const maxPhraseWords = 4;
const minPhraseProducts = 2;
const phraseFields = ["title", "vendor", "product_type"].flatMap((name) => fieldNumbers.get(name) ?? []);

interface OpenedSet {
  readonly documents: string;
  readonly locale: string;
  readonly queries: readonly string[];
}

/** Figures of a typed query, from 0 to 1. */
interface Figures {
  /** Share of letters that need not be typed until the query is among all completions, and among the visible ones. */
  readonly saved: number;
  readonly visiblySaved: number;
  /** Mean of 1 / rank of the query over its prefixes. It counts 0 if the query is not among the completions. */
  readonly reciprocalRank: number;
}
const figureNames = ["saved", "visiblySaved", "reciprocalRank"] as const;

const rows: Cells[] = [];
const meansBySet: ReadonlyMap<EngineName, Figures>[] = [];
let queryCount = 0;
for (const name of options.sets.split(",")) {
  const set = await openSet(name);
  queryCount += set.queries.length;
  const figures = new Map<EngineName, readonly Figures[]>();
  for (const engine of engines)
    if (options.only.split(",").includes(engine) && explainMissing(engine) === undefined)
      figures.set(engine, await measure(engine, set));
  const means = new Map(Array.from(figures, ([engine, list]) => [engine, meansOf(list)]));
  meansBySet.push(means);
  for (const [engine, one] of means) addRow(name, set.queries.length, engine, one, compareSets([means], engine));
  if (options.queries)
    set.queries.forEach((query, index) => {
      const cells = Array.from(figures.values(), (list) => cellsOf(list[index] as Figures).join(" "));
      process.stdout.write(`  ${query.padEnd(40)} ${cells.join(" | ")}\n`);
    });
}
if (meansBySet.length > 1)
  for (const engine of meansBySet[0]?.keys() ?? []) {
    const figures = meansOf(meansBySet.map((means) => means.get(engine) as Figures));
    addRow(`mean of ${meansBySet.length} sets`, queryCount, engine, figures, compareSets(meansBySet, engine));
  }
if (options.record) recordRows(heading, rows, new URL("./results.md", import.meta.url));

/** Opens a list of queries, or a set of judged queries. */
async function openSet(name: string): Promise<OpenedSet> {
  const judgedSet = judgedSets.find((set) => set.name === name);
  const catalogue: CatalogueName | undefined = isListName(name) ? lists[name].catalogue : judgedSet?.catalogue;
  if (catalogue === undefined) throw new Error(`no set ${name}: ${[...Object.keys(lists), ...reportSets].join(", ")}`);
  const documents = await flatFile(catalogueFile(catalogue));
  const queries = isListName(name) ? readList(name, documents) : (judgedSet?.queries() ?? []).map(({ query }) => query);
  const words = new WordIndex(documents, queries.flatMap(wordsOf));
  const isInOneProduct = (query: string): boolean => {
    const [first = new Set<number>(), ...others] = wordsOf(query).map((word) => words.documentsWithAny([word]));
    return others.reduce((products, other) => products.intersection(other), first).size > 0;
  };
  const foundQueries = queries.filter(isInOneProduct);
  return { documents, locale: catalogues[catalogue], queries: createRandom(17).sample(foundQueries, maxQueries) };
}

async function measure(engine: EngineName, set: OpenedSet): Promise<Figures[]> {
  const prefixesByQuery = set.queries.map((query) => prefixesOf(query).slice(0, -1));
  const completions = (await complete(engine, set, prefixesByQuery.flat())).map((texts) => texts.map(normalize));
  let start = 0;
  return set.queries.map((query, at) => {
    const end = start + (prefixesByQuery[at]?.length ?? 0);
    const ranks = completions.slice(start, end).map((texts) => texts.indexOf(normalize(query)) + 1);
    start = end;
    const savedShare = (count: number): number => {
      const index = ranks.findIndex((rank) => rank > 0 && rank <= count);
      return index < 0 ? 0 : 1 - (index + 1) / [...query].length;
    };
    return {
      saved: savedShare(requestedCount),
      visiblySaved: savedShare(visibleCount),
      reciprocalRank: mean(ranks.map((rank) => (rank === 0 ? 0 : 1 / rank))),
    };
  });
}

/** Returns the completions of texts, best first. */
async function complete(
  engine: EngineName,
  { documents, locale }: OpenedSet,
  texts: readonly string[],
): Promise<readonly (readonly string[])[]> {
  if (engine === "vitrine") {
    const { index } = await openVitrineIndex(documents, locale);
    return texts.map((text) => index.complete(text, locale, requestedCount));
  }
  if (engine === "minisearch") {
    const index = openMiniSearch(documents);
    return texts.map((text) =>
      index
        .autoSuggest(text, { fuzzy: (word) => canEdit(word) && 0.2 })
        .slice(0, requestedCount)
        .map(({ suggestion }) => suggestion),
    );
  }
  const phrases = await createInProcess(`${basename(documents, ".tsv")}.phrases.tsv`, [documents], async (to) =>
    writeFileSync(to, listPhrases(documents)),
  );
  const { titles } = readTitles(phrases);
  const engineQueries = texts.map((text) => ({ task: "typo" as const, text }));
  return answersOf(engine, { documents: phrases, locale, engineQueries }).map(({ hits }) =>
    hits.map((number) => titles[number] ?? ""),
  );
}

/** Opens MiniSearch over the fields that name a product. Its suggestions combine words of one product. */
function openMiniSearch(documents: string): MiniSearch<FlatDocument> {
  const index = new MiniSearch<FlatDocument>({
    idField: "number",
    fields: phraseFields.map(String),
    extractField: ({ number, values }, field) =>
      field === "number" ? number : (values[Number(field)]?.join(" ") ?? ""),
  });
  for (const document of readFlat(documents)) index.add(document);
  return index;
}

/**
 * Creates flat documents with the phrases of titles, vendors, and types, for engines that complete a list of texts. The
 * popularity of a phrase is the number of products that contain it.
 */
function listPhrases(documents: string): string {
  const counts = new Map<string, number>();
  for (const { values } of readFlat(documents)) {
    const phrases = new Set<string>();
    for (const text of phraseFields.flatMap((field) => values[field] ?? []))
      for (const run of text.toLowerCase().split(/[,;:()[\]|/"]| [-–] /)) {
        const words = run.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’.&+-]*/gu) ?? [];
        for (let start = 0; start < words.length; start += 1)
          for (let length = 1; length <= maxPhraseWords && start + length <= words.length; length += 1)
            phrases.add(words.slice(start, start + length).join(" "));
      }
    for (const phrase of phrases) counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  }
  const common = [...counts].filter(([, count]) => count >= minPhraseProducts);
  const maxCount = common.reduce((max, [, count]) => Math.max(max, count), 1);
  return common
    .map(([phrase, count], index) => `${index}\t1\t${count / maxCount}\t${phrase}${"\t".repeat(8)}\n`)
    .join("");
}

function meansOf(figures: readonly Figures[]): Figures {
  const meanOf = (name: keyof Figures): number => mean(figures.map((one) => one[name]));
  return { saved: meanOf("saved"), visiblySaved: meanOf("visiblySaved"), reciprocalRank: meanOf("reciprocalRank") };
}

/** Returns Vitrine's figures divided by those of the best other engine of each set: the means and the minima. */
function compareSets(sets: typeof meansBySet, engine: EngineName): string {
  if (engine !== "vitrine" || (sets[0]?.size ?? 0) < 2) return "-";
  return figureNames
    .map((name) => {
      const ratios = sets.map((means) => {
        const peers = [...means].flatMap(([other, figures]) => (other === "vitrine" ? [] : figures[name]));
        return (means.get("vitrine")?.[name] ?? 0) / Math.max(...peers);
      });
      return `${mean(ratios).toFixed(2)}${sets.length > 1 ? `, least ${Math.min(...ratios).toFixed(2)}` : ""}`;
    })
    .join("; ");
}

function addRow(set: string, queryCount: number, engine: EngineName, figures: Figures, comparison: string): void {
  const title = engine === "minisearch" ? `${engineTitles[engine]}, autoSuggest` : engineTitles[engine];
  rows.push([...today(), set, String(queryCount), title, ...cellsOf(figures), comparison]);
  process.stdout.write(`${rows.at(-1)?.slice(2).join(" | ")}\n`);
}

function cellsOf({ saved, visiblySaved, reciprocalRank }: Figures): string[] {
  return [formatPercent(saved), formatPercent(visiblySaved), reciprocalRank.toFixed(3)];
}
