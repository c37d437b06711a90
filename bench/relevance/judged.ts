import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dataFolder } from "../store.ts";
import type { Grades } from "./metrics.ts";

/** What people, or a rule, said about a query. */
export interface JudgedQuery {
  readonly query: string;
  /** A grade below 0: must not be shown. */
  readonly grades: Grades;
}

/** Judgments of the public data: queries for which nothing is relevant are left out, as no answer to them is better than another. */
export function readJudgments(name: string): readonly JudgedQuery[] {
  return readJudgmentFile(join(dataFolder(), "judgments", name));
}

/** A tab-separated file with a heading: query, product id, grade, title; the title is for who reads it. */
export function readJudgmentFile(file: string): readonly JudgedQuery[] {
  const byQuery = new Map<string, Map<string, number>>();
  for (const line of readFileSync(file, "utf8").trim().split("\n").slice(1)) {
    const [query = "", id = "", grade = ""] = line.split("\t");
    const grades = byQuery.get(query) ?? new Map<string, number>();
    grades.set(id, Number(grade));
    byQuery.set(query, grades);
  }
  return [...byQuery]
    .map(([query, grades]) => ({ query, grades }))
    .filter(({ grades }) => [...grades.values()].some((grade) => grade > 0));
}
