import type { SqlRow, SqlValue, Statement } from "../database.ts";

/**
 * Jobs on their way to the thread with the connection, in order. Threads copy messages value by value: statements as
 * objects, each with its SQL, cost several times as much, and most jobs of a group have the same SQL with other values.
 *
 *     values   2 | 0 1 3 a b c | 1 0 1 d | 1 | ...      statements of a job, then each: its text, requireRows, how many parameters, these
 */
export interface Batch {
  readonly jobs: number;
  readonly texts: readonly string[];
  readonly values: readonly SqlValue[];
}

/** The outcome of one job. */
export type Outcome =
  | { readonly kind: "rows"; readonly rows: readonly (readonly SqlRow[])[] }
  | { readonly kind: "conflict" | "locked" | "unavailable" | "bug"; readonly message: string };

/** By job; null, the usual case, if all its statements succeeded and returned no row. */
export type Outcomes = readonly (Outcome | null)[];

/** @param jobs the statements of each job */
export function packJobs(jobs: readonly (readonly Statement[])[]): Batch {
  const places = new Map<string, number>();
  const values: SqlValue[] = [];
  for (const statements of jobs) {
    values.push(statements.length);
    for (const { sql, params, requireRows = 0 } of statements) {
      let place = places.get(sql);
      if (place === undefined) {
        place = places.size;
        places.set(sql, place);
      }
      values.push(place, requireRows, params.length);
      for (const param of params) values.push(param);
    }
  }
  return { jobs: jobs.length, texts: [...places.keys()], values };
}

/** @returns the statements of each job of {@link packJobs} */
export function unpackJobs({ jobs, texts, values }: Batch): readonly (readonly Statement[])[] {
  let at = 0;
  const next = (): number => {
    at += 1;
    return values[at - 1] as number;
  };
  const statement = (): Statement => {
    const [sql = "", requireRows, count] = [texts[next()], next(), next()];
    at += count;
    return { sql, requireRows, params: values.slice(at - count, at) };
  };
  return Array.from({ length: jobs }, () => Array.from({ length: next() }, statement));
}

/** @param outcome of `count` statements  @returns null if all succeeded without rows */
export function packOutcome(outcome: Outcome): Outcome | null {
  return outcome.kind === "rows" && outcome.rows.every((rows) => rows.length === 0) ? null : outcome;
}

/** @param statements statements of the job; the result has a list of rows for each */
export function unpackOutcome(outcome: Outcome | null, { length }: readonly Statement[]): Outcome {
  return outcome ?? { kind: "rows", rows: Array.from({ length }, () => []) };
}
