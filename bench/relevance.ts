// Does the shopper find what is meant? Judged queries, words with one edit, spellings people write, and letters until the product is there.
//   VITRINE_DATA=… node bench/relevance.ts [--only vitrine,lucene] [--catalogue icecat-19k] [--queries] [--misses] [--record]
// --queries prints each judged query with its nDCG@10, --misses what was not found, --record appends to results.md.
import { parseArgs } from "node:util";
import { type CatalogueName, catalogueFile, catalogues, flatFile, isCatalogueName } from "./catalogues.ts";
import { readTitles } from "./flat-documents.ts";
import { type JudgedQuery, judged10, ndcg10, readJudgments, recall10 } from "./relevance/judged.ts";
import { holdsAll, listedSpellings, type Misspelt, randomEdits } from "./relevance/misspelt.ts";
import { beginnings, drawTitles, lettersNeeded } from "./relevance/prefixes.ts";
import { appendRows, type Cells, today } from "./results.ts";
import { type Answer, type Ask, type EngineName, engineNames, engineTitles, missing, runEngine } from "./run-engine.ts";

const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: engineNames.join() },
    catalogue: { type: "string", default: Object.keys(catalogues).join() },
    queries: { type: "boolean", default: false },
    misses: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
  },
});
/** Queries of each kind a catalogue. */
const misspeltCount = 400;
const typedTitles = 120;
/** Only typos there: its prices and part of its fields are made up, and the slow engines would take hours to be typed to. */
const typosOnly: CatalogueName = "products-100k";
const judgedCatalogue: CatalogueName = "icecat-19k";
const heading = "## relevance.ts: what is found among the first ten";

const engines = engineNames.filter((name) => options.only.split(",").includes(name));
const rows: Cells[] = [];
for (const catalogue of options.catalogue.split(",")) {
  if (!isCatalogueName(catalogue)) throw new Error(`no catalogue ${catalogue}: ${Object.keys(catalogues).join(", ")}`);
  const documents = await flatFile(catalogueFile(catalogue));
  const plan = makePlan(catalogue, readTitles(documents));
  for (const name of engines) {
    const why = missing(name);
    if (why !== undefined) process.stdout.write(`${engineTitles[name]} is left out: ${why}\n`);
    else {
      const asks = plan.flatMap((section) => section.asks);
      const run = runEngine(name, { documents, locale: catalogues[catalogue], asks });
      rows.push(judge(catalogue, name, plan, run.answers));
      process.stdout.write(`${rows.at(-1)?.join(" | ")}\n`);
    }
  }
}
if (options.record) appendRows(heading, rows);

/** Queries of one kind, and what their answers come to. */
interface Section {
  readonly asks: readonly Ask[];
  /** @returns cells of the row */
  figures(answers: readonly Answer[]): readonly string[];
}

function makePlan(
  catalogue: CatalogueName,
  { titles, keys }: { readonly titles: readonly string[]; readonly keys: readonly string[] },
): readonly Section[] {
  const judged = catalogue === judgedCatalogue ? readJudgments("icecat-public-half.tsv") : [];
  const misspelt = [
    randomEdits(titles, misspeltCount),
    randomEdits(titles, misspeltCount, ["swap"]),
    listedSpellings(titles, misspeltCount),
  ];
  const typed = catalogue === typosOnly ? [] : drawTitles(titles, typedTitles);
  return [
    judgedSection(judged, keys),
    ...misspelt.map((queries) => misspeltSection(queries, titles)),
    prefixSection(typed, titles),
  ];
}

function judgedSection(judged: readonly JudgedQuery[], keys: readonly string[]): Section {
  return {
    asks: judged.map(({ query }) => ({ task: "typo", text: query })),
    figures(answers) {
      if (judged.length === 0) return ["-", "-", "-"];
      const lists = answers.map(({ hits }) => hits.map((number) => keys[number] ?? ""));
      const scored = judged.map((one, at) => ({ query: one.query, ids: lists[at] ?? [], one }));
      if (options.queries)
        for (const { query, ids, one } of scored)
          process.stdout.write(`${ndcg10(ids, one).toFixed(3)}  ${judged10(ids, one).toFixed(1)} judged  ${query}\n`);
      const figures = [ndcg10, recall10, judged10].map((figure) =>
        mean(scored.map(({ ids, one }) => figure(ids, one))),
      );
      return figures.map((value) => value.toFixed(4));
    },
  };
}

function misspeltSection(queries: readonly Misspelt[], titles: readonly string[]): Section {
  return {
    asks: queries.map(({ text }) => ({ task: "typo", text })),
    figures(answers) {
      const isKnownFound = queries.map(
        ({ title }, at) => answers[at]?.hits.some((number) => titles[number] === title) === true,
      );
      const isMeantFound = queries.map(
        ({ meant }, at) => answers[at]?.hits.some((number) => holdsAll(titles[number] ?? "", meant)) === true,
      );
      if (options.misses)
        queries.forEach(({ text, meant }, at) => {
          if (isMeantFound[at] !== true) process.stdout.write(`  missed: ${text}  (${meant.join(" ")})\n`);
        });
      return [`${share(isMeantFound)} / ${share(isKnownFound)} of ${queries.length}`];
    },
  };
}

function prefixSection(typed: readonly string[], titles: readonly string[]): Section {
  const lists = typed.map(beginnings);
  return {
    asks: lists.flat().map((text) => ({ task: "typo", text })),
    figures(answers) {
      if (typed.length === 0) return ["-"];
      let from = 0;
      const needed = typed.map((title, at) => {
        const own = answers.slice(from, from + (lists[at]?.length ?? 0));
        from += own.length;
        return lettersNeeded(title, own, titles);
      });
      const never = needed.filter((letters, at) => letters > (lists[at]?.length ?? 0)).length;
      return [`${mean(needed).toFixed(1)}, never ${never} of ${typed.length}`];
    },
  };
}

function judge(
  catalogue: CatalogueName,
  name: EngineName,
  plan: readonly Section[],
  answers: readonly Answer[],
): Cells {
  let from = 0;
  const cells = plan.flatMap((section) => {
    const own = answers.slice(from, from + section.asks.length);
    from += own.length;
    return section.figures(own);
  });
  return [...today(), catalogue, engineTitles[name], ...cells];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function share(found: readonly boolean[]): string {
  return (found.filter(Boolean).length / found.length).toFixed(3);
}
