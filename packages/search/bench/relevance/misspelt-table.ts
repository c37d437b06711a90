import { type CatalogueName, catalogueFile, catalogues, flatFile } from "../../../../bench/catalogs.ts";
import { readTitles } from "../../../../bench/flat-documents.ts";
import { createRandom } from "../../../../bench/random.ts";
import { type Cells, today } from "../../../../bench/results.ts";
import { prefixesOf } from "../keystrokes-typed.ts";
import { type Answer, type EngineName, type EngineQuery, engineTitles, explainMissing } from "../run-engine.ts";
import { type JudgedQuery, readJudgments } from "./judged.ts";
import { judged10, ndcg10, recall } from "./metrics.ts";
import { hasAllWords, listedSpellings, type MisspelledQuery, randomEdits } from "./misspelt.ts";
import { answersOf } from "./peer-answers.ts";
import { mean } from "./significance.ts";

/** Number of queries of each kind per catalog. */
const misspelledCount = 400;
const typedTitleCount = 120;
/** Maximum number of typed letters of a title. */
const maxLetters = 40;
/** Rank that a typed title must reach. */
const targetRank = 3;
/**
 * Catalog on which only misspellings are measured. Its prices and other fields are artificial, and slow engines would
 * take hours.
 */
const typosOnlyCatalogue: CatalogueName = "products-100k";
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
export interface PrintOptions {
  readonly queries: boolean;
  readonly misses: boolean;
}

/**
 * Creates one table row per catalog and engine: the results for misspelled words, and the number of typed letters until
 * a random product is found.
 */
export async function misspeltRows(
  names: readonly CatalogueName[],
  engines: readonly EngineName[],
  print: PrintOptions,
): Promise<readonly Cells[]> {
  const rows: Cells[] = [];
  for (const catalogue of names) {
    const documents = await flatFile(catalogueFile(catalogue));
    const plan = makePlan(catalogue, readTitles(documents), print);
    for (const name of engines) {
      if (explainMissing(name) !== undefined) continue;
      const asks = plan.flatMap((section) => section.asks);
      const answers = answersOf(name, { documents, locale: catalogues[catalogue], engineQueries: asks });
      rows.push(evaluatePlan(catalogue, name, plan, answers));
      process.stdout.write(`${rows.at(-1)?.join(" | ")}\n`);
    }
  }
  return rows;
}

/** Queries of one kind, and the evaluation of their results. */
interface Section {
  readonly asks: readonly EngineQuery[];
  /** Evaluates the results and returns the table cells. */
  figures(answers: readonly Answer[]): readonly string[];
}

function makePlan(
  catalogue: CatalogueName,
  { titles, keys }: { readonly titles: readonly string[]; readonly keys: readonly string[] },
  print: PrintOptions,
): readonly Section[] {
  const judgedQueries = catalogue === judgedCatalogue ? readJudgments() : [];
  const misspelledQueries = [
    randomEdits(titles, misspelledCount),
    randomEdits(titles, misspelledCount, ["swap"]),
    listedSpellings(titles, misspelledCount),
  ];
  const typedTitleList = catalogue === typosOnlyCatalogue ? [] : createRandom(13).sample(titles, typedTitleCount);
  return [
    judgedSection(judgedQueries, keys, print),
    ...misspelledQueries.map((queries) => misspeltSection(queries, titles, print)),
    prefixSection(typedTitleList, titles),
  ];
}

function judgedSection(judgedQueries: readonly JudgedQuery[], keys: readonly string[], print: PrintOptions): Section {
  return {
    asks: judgedQueries.map(({ query }) => ({ task: "typo", text: query })),
    figures(answers) {
      if (judgedQueries.length === 0) return ["-", "-", "-"];
      const lists = answers.map(({ hits }) => hits.map((number) => keys[number] ?? ""));
      const scoredQueries = judgedQueries.map((one, at) => ({ query: one.query, ids: lists[at] ?? [], one }));
      if (print.queries)
        for (const { query, ids, one } of scoredQueries)
          process.stdout.write(
            `${ndcg10(ids, one.grades).toFixed(3)}  ${judged10(ids, one.grades).toFixed(1)} judged  ${query}\n`,
          );
      const recall10 = (ids: readonly string[], grades: JudgedQuery["grades"]): number => recall(ids, grades, 10, 1);
      const figures = [ndcg10, recall10, judged10].map((figure) =>
        mean(scoredQueries.map(({ ids, one }) => figure(ids, one.grades))),
      );
      return figures.map((value) => value.toFixed(4));
    },
  };
}

function misspeltSection(queries: readonly MisspelledQuery[], titles: readonly string[], print: PrintOptions): Section {
  return {
    asks: queries.map(({ text }) => ({ task: "typo", text })),
    figures(answers) {
      const isKnownFound = queries.map(
        ({ title }, at) => answers[at]?.hits.some((number) => titles[number] === title) === true,
      );
      const isMeantFound = queries.map(
        ({ intendedWords: meant }, at) =>
          answers[at]?.hits.some((number) => hasAllWords(titles[number] ?? "", meant)) === true,
      );
      if (print.misses)
        queries.forEach(({ text, intendedWords: meant }, at) => {
          if (isMeantFound[at] !== true) process.stdout.write(`  missed: ${text}  (${meant.join(" ")})\n`);
        });
      return [`${shareOf(isMeantFound)} / ${shareOf(isKnownFound)} of ${queries.length}`];
    },
  };
}

function prefixSection(typed: readonly string[], titles: readonly string[]): Section {
  const lists = typed.map((title) => prefixesOf(title.replace(/\s+/g, " ").trim()).slice(0, maxLetters));
  return {
    asks: lists.flat().map((text) => ({ task: "typo", text })),
    figures(answers) {
      if (typed.length === 0) return ["-"];
      let from = 0;
      let neverCount = 0;
      const neededLetters = typed.map((title, at) => {
        const titleAnswers = answers.slice(from, from + (lists[at]?.length ?? 0));
        from += titleAnswers.length;
        const foundIndex = titleAnswers.findIndex(({ hits }) =>
          hits.slice(0, targetRank).some((number) => titles[number] === title),
        );
        if (foundIndex < 0) neverCount += 1;
        return (foundIndex < 0 ? titleAnswers.length : foundIndex) + 1;
      });
      return [`${mean(neededLetters).toFixed(1)}, never ${neverCount} of ${typed.length}`];
    },
  };
}

function evaluatePlan(
  catalogue: CatalogueName,
  name: EngineName,
  plan: readonly Section[],
  answers: readonly Answer[],
): Cells {
  let from = 0;
  const cells = plan.flatMap((section) => {
    const sectionAnswers = answers.slice(from, from + section.asks.length);
    from += sectionAnswers.length;
    return section.figures(sectionAnswers);
  });
  return [...today(), catalogue, engineTitles[name], ...cells];
}

function shareOf(found: readonly boolean[]): string {
  return (found.filter(Boolean).length / found.length).toFixed(3);
}
