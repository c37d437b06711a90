import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { readDataLines } from "../../../../bench/store.ts";
import { getOrCreate } from "../../../../src/runtime/cache.ts";
import type { Grades } from "./metrics.ts";

/** Relevance judgments of a query, by people or by a rule. */
export interface JudgedQuery {
  readonly query: string;
  /** Grades by product. A grade below 0 means that the product must not rank above relevant ones. */
  readonly grades: Grades;
}

/**
 * Reads the public judgments of icecat: tab-separated query, product id, grade, title. The first line is a header.
 * Queries without a relevant product are omitted, because all results for them are equally good.
 */
export function readJudgments(): readonly JudgedQuery[] {
  const byQuery = new Map<string, Map<string, number>>();
  for (const line of readDataLines("judgments/icecat-public-half.tsv").slice(1)) {
    const [query = "", id = "", grade = ""] = line.split("\t");
    getOrCreate(byQuery, query, () => new Map()).set(id, Number(grade));
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
  return readLines<JudgedLine>(file).map((line) => ({ query: line.query, grades: gradesOf(line) }));
}

/** A line of the judgments of shoppers' queries. The text of a public query is in the public data. */
interface ShopperLine extends Omit<JudgedLine, "query"> {
  readonly set: string;
  /** Text of a query that was written for this project. */
  readonly query?: string;
  /** Public file and number of a query, such as `wands:17`. */
  readonly source?: string;
}

/**
 * Reads the judged queries of shoppers for one catalog.
 * @param half constants are chosen by the half "tuning", and results are reported for the half "report"
 */
export function readShopperJudgments(file: string, set: string, half: "tuning" | "report"): readonly JudgedQuery[] {
  const publicQueries = readPublicQueries();
  return readLines<ShopperLine>(file)
    .filter((line) => line.set === set)
    .map((line) => ({ query: line.query ?? publicQueries.get(line.source ?? "") ?? "", grades: gradesOf(line) }))
    .filter(({ query }) => (crc32(query) % 2 === 0) === (half === "tuning"));
}

/** Returns the public queries by file and number. */
function readPublicQueries(): ReadonlyMap<string, string> {
  return new Map([
    ...readQueryTable("wands").map(([id, query = ""]) => [`wands:${id}`, query] as const),
    ...readQueryTable("esci").map(([query = ""], index) => [`esci:${index}`, query] as const),
  ]);
}

/** Reads the rows of a file with the queries of a shop: the number and text for "wands", the text for "esci". */
export function readQueryTable(shop: "wands" | "esci"): readonly string[][] {
  const lines = readDataLines(`queries/${shop === "wands" ? "wands-480" : "esci-us"}-queries.tsv`);
  return lines.slice(1).map((line) => line.split("\t").map((cell) => cell.trim()));
}

function readLines<T>(file: string): readonly T[] {
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as T);
}

function gradesOf({ exact, close, related, wrong, forbidden }: Omit<JudgedLine, "query">): Grades {
  const byGrade = [
    [3, exact],
    [2, close],
    [1, related],
    [0, wrong],
    [-1, forbidden],
  ] as const;
  return new Map(byGrade.flatMap(([grade, ids]) => ids.map((id) => [id, grade] as const)));
}
