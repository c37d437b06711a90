import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dataFolder } from "../store.ts";

/** What people said about a query: product id -> grade, 0 (wrong) to 3 (just what is meant). */
export interface JudgedQuery {
  readonly query: string;
  readonly grades: ReadonlyMap<string, number>;
}

/** A tab-separated file with a heading: query, product id, grade, title. Queries for which nothing is relevant are left out: no
 *  answer to them is better than another. */
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

/** How good the best ten are: 1 where they are the best there could be, a product worth 2^grade - 1, less the lower it stands.
 *  What nobody judged is worth nothing.
 *  @param ids best first */
export function ndcg10(ids: readonly string[], { grades }: JudgedQuery): number {
  const best = [...grades.values()].sort((one, other) => other - one);
  const ideal = gain(best);
  return ideal === 0 ? 0 : gain(ids.map((id) => grades.get(id) ?? 0)) / ideal;
}

/** The share of the relevant products (grade 1 and more) among the first ten, of ten at most. */
export function recall10(ids: readonly string[], { grades }: JudgedQuery): number {
  const relevant = [...grades.values()].filter((grade) => grade > 0).length;
  const found = ids.slice(0, 10).filter((id) => (grades.get(id) ?? 0) > 0).length;
  return relevant === 0 ? 0 : found / Math.min(10, relevant);
}

/** The share of the first ten that somebody judged. */
export function judged10(ids: readonly string[], { grades }: JudgedQuery): number {
  const first = ids.slice(0, 10);
  return first.length === 0 ? 0 : first.filter((id) => grades.has(id)).length / first.length;
}

function gain(grades: readonly number[]): number {
  return grades.slice(0, 10).reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
}
