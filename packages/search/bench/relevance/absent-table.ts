import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { catalogueFile, catalogues, flatFile } from "../../../../bench/catalogs.ts";
import { readTitles } from "../../../../bench/flat-documents.ts";
import { type Cells, today } from "../../../../bench/results.ts";
import { openVitrineIndex, productType } from "../engines/vitrine-index.ts";
import { type EngineName, engineTitles, explainMissing } from "../run-engine.ts";
import { contentWords, WordIndex } from "./content-words.ts";
import { answersOf } from "./peer-answers.ts";

const catalogue = "products-100k";
export const absentHeading = "## relevance.ts: queries for absent things";

/**
 * Creates one row per engine: the number of queries with results, although no product matches.
 * @throws Error if a document contains a word of a query, except stop words
 */
export async function absentRows(engines: readonly EngineName[], printsQueries: boolean): Promise<readonly Cells[]> {
  const file = fileURLToPath(new URL("../judged/absent.txt", import.meta.url));
  const queries = readFileSync(file, "utf8").trim().split("\n");
  const documents = await flatFile(catalogueFile(catalogue));
  const wordIndex = new WordIndex(documents, new Set(queries.flatMap(contentWords)));
  const answerableQueries = queries.filter((query) => wordIndex.documentsWithAny(contentWords(query)).size > 0);
  if (answerableQueries.length > 0) throw new Error(`${catalogue} holds words of: ${answerableQueries.join(", ")}`);
  const { titles } = readTitles(documents);
  const rows: Cells[] = [];
  for (const name of engines) {
    if (explainMissing(name) !== undefined) continue;
    const asks = (["exact", "typo"] as const).flatMap((task) => queries.map((text) => ({ task, text })));
    const answers = answersOf(name, { documents, locale: catalogues[catalogue], engineQueries: asks });
    const [exactAnswers, typoAnswers] = [answers.slice(0, queries.length), answers.slice(queries.length)];
    const describeAnswered = (of: typeof answers): string =>
      `${of.filter(({ hits }) => hits.length > 0).length} of ${of.length}`;
    rows.push([
      ...today(),
      catalogue,
      engineTitles[name],
      describeAnswered(exactAnswers),
      describeAnswered(typoAnswers),
      name === "vitrine" ? `${await countWithoutNotice(documents, queries)} of ${queries.length}` : "-",
    ]);
    process.stdout.write(`${rows.at(-1)?.slice(2).join(" | ")}\n`);
    if (printsQueries)
      typoAnswers.forEach(({ hits }, at) => {
        if (hits.length > 0) process.stdout.write(`  ${queries[at]}: ${titles[hits[0] ?? 0]}\n`);
      });
  }
  return rows;
}

/** Returns the number of queries with results whose first one contains all words as typed, so that no notice is shown. */
async function countWithoutNotice(documents: string, queries: readonly string[]): Promise<number> {
  const { index } = await openVitrineIndex(documents, catalogues[catalogue]);
  const limits = new Map([[productType, 1]]);
  return queries.filter((text) => {
    const [hit] = index.search({ text, locale: catalogues[catalogue], limits }).get(productType) ?? [];
    return hit?.missing === 0 && !hit.words?.some(({ match }) => match === "corrected");
  }).length;
}
