import { catalogueFile, catalogues, flatFile } from "../../../../bench/catalogs.ts";
import { readFlat } from "../../../../bench/flat-documents.ts";
import { type Cells, today } from "../../../../bench/results.ts";
import { readList } from "../completions/query-lists.ts";
import { type Answer, type EngineName, engineTitles, explainMissing } from "../run-engine.ts";
import { contentWords, WordIndex } from "./content-words.ts";
import { hasAllWords } from "./misspelt.ts";
import { answersOf } from "./peer-answers.ts";
import { formatPercent, mean } from "./significance.ts";

const catalogue = "products-100k";
export const listsHeading = "## relevance.ts: queries of other shops";

/**
 * Creates one table row per query list and engine.
 * @param printsQueries whether to print, for each query, the words that the first result does not contain
 */
export async function listsRows(engines: readonly EngineName[], printsQueries: boolean): Promise<readonly Cells[]> {
  const documents = await flatFile(catalogueFile(catalogue));
  const texts = [...readFlat(documents)].map(({ values }) => values.flat().join(" "));
  const rows: Cells[] = [];
  for (const list of ["wands", "esci"] as const) {
    const queries = readList(list, documents);
    const words = new WordIndex(documents, new Set(queries.flatMap(contentWords)));
    for (const name of engines) {
      if (explainMissing(name) !== undefined) continue;
      const asks = queries.map((text) => ({ task: "whole" as const, text }));
      const answers = answersOf(name, { documents, locale: catalogues[catalogue], engineQueries: asks });
      const cells = cellsOf(queries, answers, words, texts, printsQueries && name === "vitrine");
      rows.push([...today(), `${list.toUpperCase()}, ${queries.length}`, engineTitles[name], ...cells]);
      process.stdout.write(`${rows.at(-1)?.slice(2).join(" | ")}\n`);
    }
  }
  return rows;
}

function cellsOf(
  queries: readonly string[],
  answers: readonly Answer[],
  index: WordIndex,
  texts: readonly string[],
  printsQueries: boolean,
): readonly string[] {
  let shortCount = 0;
  let emptyCount = 0;
  const firstCoverage: number[] = [];
  const tenCoverage: number[] = [];
  const rarestWordCoverage: number[] = [];
  queries.forEach((query, at) => {
    const hits = answers[at]?.hits ?? [];
    // Words that no product contains are ignored, because no result can contain them.
    const words = [...new Set(contentWords(query))].filter((word) => index.documentsWith(word) > 0);
    if (hits.length < 10 && index.documentsWithAny(words).size >= 10) shortCount += 1;
    if (hits.length === 0) emptyCount += 1;
    const [firstHit] = hits;
    if (words.length < 2 || firstHit === undefined) return;
    const coveredWords = words.filter((word) => hasAllWords(texts[firstHit] ?? "", [word]));
    firstCoverage.push(coveredWords.length / words.length);
    tenCoverage.push(
      mean(hits.map((hit) => words.filter((word) => hasAllWords(texts[hit] ?? "", [word])).length / words.length)),
    );
    const rarestWord = words.reduce((one, other) =>
      index.documentsWith(other) < index.documentsWith(one) ? other : one,
    );
    rarestWordCoverage.push(coveredWords.includes(rarestWord) ? 1 : 0);
    if (printsQueries && coveredWords.length < words.length)
      process.stdout.write(
        `  ${query}: without ${words.filter((word) => !coveredWords.includes(word)).join(", ")}; ${hits.length} shown\n`,
      );
  });
  return [
    formatPercent(shortCount / queries.length),
    formatPercent(emptyCount / queries.length),
    formatPercent(mean(firstCoverage)),
    formatPercent(mean(tenCoverage)),
    formatPercent(mean(rarestWordCoverage)),
  ];
}
