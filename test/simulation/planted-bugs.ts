import type { Statement } from "../../src/storage/database.ts";

/** A defect that a simulation adds to the storage, to prove that it would be found. */
export interface PlantedBug {
  /** Changes the statements of a write. */
  readonly alter?: (statements: readonly Statement[]) => readonly Statement[];
  /** Whether a write that was rejected at its deadline runs later. */
  readonly runsLateWrites?: boolean;
  /** Whether the statements before a failed one are committed. */
  readonly keepsFailedWrites?: boolean;
  /** Whether the defect exists only if carts are in other databases. */
  readonly needsCartDatabases?: boolean;
  /** Whether threads do not learn of the carts that other threads save. */
  readonly sharesNoVersions?: boolean;
}

const dropCondition =
  (pattern: RegExp, isAffected: (statements: readonly Statement[]) => boolean = () => true) =>
  (statements: readonly Statement[]): readonly Statement[] =>
    isAffected(statements)
      ? statements.map((statement) => (pattern.test(statement.sql) ? { ...statement, requireRows: 0 } : statement))
      : statements;

const dropStatement =
  (pattern: RegExp) =>
  (statements: readonly Statement[]): readonly Statement[] =>
    statements.filter(({ sql }) => !pattern.test(sql));

const replaceSql =
  (searched: string, replacement: string) =>
  (statements: readonly Statement[]): readonly Statement[] =>
    statements.map((statement) => ({ ...statement, sql: statement.sql.replace(searched, replacement) }));

const isOrder = (statements: readonly Statement[]): boolean =>
  statements.some(({ sql }) => sql.startsWith("INSERT INTO orders"));

/** Removes the record of the server that saved a cart. */
const dropSavedBy = (statements: readonly Statement[]): readonly Statement[] =>
  statements.map(({ params, ...statement }) => {
    const index = params.findIndex((param) => typeof param === "string" && param.startsWith('{"lines":'));
    if (index < 0) return { params, ...statement };
    const { savedBy: _, ...data } = JSON.parse(String(params[index])) as Record<string, unknown>;
    return { ...statement, params: params.with(index, JSON.stringify(data)).with(index + 1, null) };
  });

/** Bugs by name. */
export const plantedBugs: Readonly<Record<string, PlantedBug>> = {
  "an edit after its deadline": { runsLateWrites: true },
  "two orders from one cart": {
    alter: dropCondition(/^UPDATE carts |^SELECT 1 AS one WHERE/, isOrder),
  },
  "an order whose items stay in a cart of another database": {
    alter: dropStatement(/^INSERT INTO ordered_carts/),
    needsCartDatabases: true,
  },
  "a reservation released twice": {
    alter: dropCondition(/^UPDATE checkouts SET (?:state = \$2, network|held_until)/),
  },
  "a reservation for other items than those of the checkout": {
    alter: replaceSql(" AND checkouts.content = excluded.content", ""),
  },
  "an edit that another server overwrites": {
    alter: replaceSql("WHERE id = $4 AND revision = $5", "WHERE id = $4 AND $5 >= 0"),
  },
  "an edit that is repeated after a lost response": { alter: dropSavedBy },
  "an idempotency key that is not stored": {
    alter: dropStatement(/^INSERT INTO applied_writes/),
  },
  "a write that is applied in part": { keepsFailedWrites: true },
  "an outdated cart in a cache": { sharesNoVersions: true },
  "stock that is sold twice": {
    alter: replaceSql(" AND quantity - held >= CAST($2 AS BIGINT)", ""),
  },
  "an order without its event": { alter: dropStatement(/^INSERT INTO events/) },
};
