import { type CatalogueName, catalogueFile, catalogues, flatFile } from "../../../../bench/catalogs.ts";
import { readTitles } from "../../../../bench/flat-documents.ts";
import { type Cells, today } from "../../../../bench/results.ts";
import { type Answer, type Ask, type EngineName, engineTitles, missing } from "../run-engine.ts";
import { type JudgedQuery, readJudgments } from "./judged.ts";
import { judged10, ndcg10, recall } from "./metrics.ts";
import { holdsAll, listedSpellings, type Misspelt, randomEdits } from "./misspelt.ts";
import { answersOf } from "./peer-answers.ts";
import { beginnings, drawTitles, lettersNeeded } from "./prefixes.ts";
import { mean } from "./significance.ts";

/** Number of queries of each kind per catalog. */
const misspeltCount = 400;
const typedTitles = 120;
/** Catalog for typos only: its prices and other fields are artificial, and slow engines would take hours. */
const typosOnly: CatalogueName = "products-100k";
const judgedCatalogue: CatalogueName = "icecat-19k";
export const misspeltCatalogues: readonly CatalogueName[] = [
  "icecat-19k",
  "fashion-styles-44k",
  "bestbuy-3k",
  "dm-de-18k",
  "products-100k",
];
export const misspeltHeading = "## relevance.ts: the first ten results";

/** Options for additional output. */
export interface Print {
  readonly queries: boolean;
  readonly misses: boolean;
}

/**
 * Creates one row per catalog and engine: results for misspelled words, and letters until a random product is found.
 */
export async function misspeltRows(
  names: readonly CatalogueName[],
  engines: readonly EngineName[],
  print: Print,
): Promise<readonly Cells[]> {
  const rows: Cells[] = [];
  for (const catalogue of names) {
    const documents = await flatFile(catalogueFile(catalogue));
    const plan = makePlan(catalogue, readTitles(documents), print);
    for (const name of engines) {
      if (missing(name) !== undefined) continue;
      const asks = plan.flatMap((section) => section.asks);
      const answers = answersOf(name, { documents, locale: catalogues[catalogue], asks });
      rows.push(judge(catalogue, name, plan, answers));
      process.stdout.write(`${rows.at(-1)?.join(" | ")}\n`);
    }
  }
  return rows;
}

/** Queries of one kind, and the evaluation of their results. */
interface Section {
  readonly asks: readonly Ask[];
  /** Returns cells of the row. */
  figures(answers: readonly Answer[]): readonly string[];
}

function makePlan(
  catalogue: CatalogueName,
  { titles, keys }: { readonly titles: readonly string[]; readonly keys: readonly string[] },
  print: Print,
): readonly Section[] {
  const judged = catalogue === judgedCatalogue ? readJudgments("icecat-public-half.tsv") : [];
  const misspelt = [
    randomEdits(titles, misspeltCount),
    randomEdits(titles, misspeltCount, ["swap"]),
    listedSpellings(titles, misspeltCount),
  ];
  const typed = catalogue === typosOnly ? [] : drawTitles(titles, typedTitles);
  return [
    judgedSection(judged, keys, print),
    ...misspelt.map((queries) => misspeltSection(queries, titles, print)),
    prefixSection(typed, titles),
  ];
}

function judgedSection(judged: readonly JudgedQuery[], keys: readonly string[], print: Print): Section {
  return {
    asks: judged.map(({ query }) => ({ task: "typo", text: query })),
    figures(answers) {
      if (judged.length === 0) return ["-", "-", "-"];
      const lists = answers.map(({ hits }) => hits.map((number) => keys[number] ?? ""));
      const scored = judged.map((one, at) => ({ query: one.query, ids: lists[at] ?? [], one }));
      if (print.queries)
        for (const { query, ids, one } of scored)
          process.stdout.write(
            `${ndcg10(ids, one.grades).toFixed(3)}  ${judged10(ids, one.grades).toFixed(1)} judged  ${query}\n`,
          );
      const recall10 = (ids: readonly string[], grades: JudgedQuery["grades"]): number => recall(ids, grades, 10, 1);
      const figures = [ndcg10, recall10, judged10].map((figure) =>
        mean(scored.map(({ ids, one }) => figure(ids, one.grades))),
      );
      return figures.map((value) => value.toFixed(4));
    },
  };
}

function misspeltSection(queries: readonly Misspelt[], titles: readonly string[], print: Print): Section {
  return {
    asks: queries.map(({ text }) => ({ task: "typo", text })),
    figures(answers) {
      const isKnownFound = queries.map(
        ({ title }, at) => answers[at]?.hits.some((number) => titles[number] === title) === true,
      );
      const isMeantFound = queries.map(
        ({ meant }, at) => answers[at]?.hits.some((number) => holdsAll(titles[number] ?? "", meant)) === true,
      );
      if (print.misses)
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

function share(found: readonly boolean[]): string {
  return (found.filter(Boolean).length / found.length).toFixed(3);
}
