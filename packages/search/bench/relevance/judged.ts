import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dataFolder } from "../../../../bench/store.ts";
import type { Grades } from "./metrics.ts";

/** Relevance judgments of a query, by people or by a rule. */
export interface JudgedQuery {
  readonly query: string;
  /** Grades by product. A grade below 0 means that the product must not rank above relevant ones. */
  readonly grades: Grades;
}

/**
 * Reads a public file of tab-separated judgments: query, product id, grade, title. The first line is a header. Queries
 * without a relevant product are omitted, because all results for them are equally good.
 */
export function readJudgments(name: string): readonly JudgedQuery[] {
  const byQuery = new Map<string, Map<string, number>>();
  const lines = readFileSync(join(dataFolder(), "judgments", name), "utf8")
    .trim()
    .split("\n");
  for (const line of lines.slice(1)) {
    const [query = "", id = "", grade = ""] = line.split("\t");
    const grades = byQuery.get(query) ?? new Map<string, number>();
    grades.set(id, Number(grade));
    byQuery.set(query, grades);
  }
  return [...byQuery]
    .map(([query, grades]) => ({ query, grades }))
    .filter(({ grades }) => [...grades.values()].some((grade) => grade > 0));
}

/**
 * A line of the project's judgments: product ids by relevance to the query (see
 * `packages/search/bench/judged/README.md`).
 */
interface JudgedLine {
  readonly query: string;
  readonly exact: readonly string[];
  readonly close: readonly string[];
  readonly related: readonly string[];
  readonly wrong: readonly string[];
  readonly forbidden: readonly string[];
}

/** Reads judgments of this project.  @param file file of JSON lines */
export function readProjectJudgments(file: string): readonly JudgedQuery[] {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => {
    const { query, exact, close, related, wrong, forbidden } = JSON.parse(line) as JudgedLine;
    const byGrade = [
      [3, exact],
      [2, close],
      [1, related],
      [0, wrong],
      [-1, forbidden],
    ] as const;
    return { query, grades: new Map(byGrade.flatMap(([grade, ids]) => ids.map((id) => [id, grade] as const))) };
  });
}
