import type { ChangeTopic, SqlRow, SqlValue, Statement } from "../database.ts";

/**
 * Jobs in the format in which they are sent to the database thread. For each job, `values` contains the number of
 * statements. For each statement it contains the index of the SQL text, `requireRows`, the number of parameters, and
 * the parameters. One flat list is several times faster to copy between threads than nested objects.
 */
export interface JobBatch {
  readonly jobs: number;
  readonly sqlTexts: readonly string[];
  readonly values: readonly SqlValue[];
  /** Topics of the statements. */
  readonly topics: readonly ChangeTopic[];
}

export type JobOutcome =
  | { readonly kind: "rows"; readonly rows: readonly (readonly SqlRow[])[] }
  | { readonly kind: "conflict" | "locked" | "unavailable" | "bug"; readonly message: string };

/** Outcomes by job. null is the usual case: all statements succeeded and returned no rows. */
export type JobOutcomes = readonly (JobOutcome | null)[];

/** Packs jobs for the thread.  @param jobs the statements of each job */
export function packJobs(jobs: readonly (readonly Statement[])[]): JobBatch {
  const sqlTextIndexes = new Map<string, number>();
  const values: SqlValue[] = [];
  const topics: ChangeTopic[] = [];
  for (const statements of jobs) {
    values.push(statements.length);
    for (const { sql, params, requireRows = 0, topic } of statements) {
      if (topic !== undefined) topics.push(topic);
      let sqlTextIndex = sqlTextIndexes.get(sql);
      if (sqlTextIndex === undefined) {
        sqlTextIndex = sqlTextIndexes.size;
        sqlTextIndexes.set(sql, sqlTextIndex);
      }
      values.push(sqlTextIndex, requireRows, params.length);
      for (const param of params) values.push(param);
    }
  }
  return { jobs: jobs.length, sqlTexts: [...sqlTextIndexes.keys()], values, topics };
}

/** Unpacks the statements of each job from {@link packJobs}. */
export function unpackJobs({ jobs, sqlTexts, values }: JobBatch): readonly (readonly Statement[])[] {
  let position = 0;
  const readNumber = (): number => {
    position += 1;
    return values[position - 1] as number;
  };
  const readStatement = (): Statement => {
    const [sql = "", requireRows, count] = [sqlTexts[readNumber()], readNumber(), readNumber()];
    position += count;
    return { sql, requireRows, params: values.slice(position - count, position) };
  };
  return Array.from({ length: jobs }, () => Array.from({ length: readNumber() }, readStatement));
}

/** Packs the outcome of a job.  @returns null if all statements succeeded without rows */
export function packOutcome(outcome: JobOutcome): JobOutcome | null {
  return outcome.kind === "rows" && outcome.rows.every((rows) => rows.length === 0) ? null : outcome;
}

/** Reverses `packOutcome`: null becomes an empty list of rows for each statement. */
export function unpackOutcome(outcome: JobOutcome | null, { length }: readonly Statement[]): JobOutcome {
  return outcome ?? { kind: "rows", rows: Array.from({ length }, () => []) };
}
