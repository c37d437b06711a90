import { DatabaseSync, type StatementSync } from "node:sqlite";
import { type SqlRow, type SqlValue, type Statement, WriteConflict } from "../../src/storage/database.ts";
import type { PlantedBug } from "./planted-bugs.ts";

/** An SQLite database in memory, which runs reads and writes at once. */
export class MemoryDatabase {
  readonly #database = new DatabaseSync(":memory:");
  readonly #statements = new Map<string, { readonly statement: StatementSync; readonly returnsRows: boolean }>();
  #bug: PlantedBug = {};

  /** Runs a history. All its changes are undone at the end. */
  async runHistory<T>(bug: PlantedBug, history: () => Promise<T>): Promise<T> {
    this.#bug = bug;
    this.#database.exec("SAVEPOINT history");
    try {
      return await history();
    } finally {
      this.#bug = {};
      this.#database.exec("ROLLBACK TO history; RELEASE history");
    }
  }

  read(sql: string, params: readonly SqlValue[] = []): readonly SqlRow[] {
    return this.#run({ sql, params });
  }

  /** Runs all statements in a transaction.  @throws WriteConflict */
  write(statements: readonly Statement[]): readonly (readonly SqlRow[])[] {
    this.#runCommand("SAVEPOINT job");
    try {
      return (this.#bug.alter?.(statements) ?? statements).map((statement) => this.#run(statement));
    } catch (error) {
      if (!this.#bug.keepsFailedWrites) this.#runCommand("ROLLBACK TO job");
      throw error;
    } finally {
      this.#runCommand("RELEASE job");
    }
  }

  #runCommand(sql: string): void {
    this.#prepare(sql).statement.run();
  }

  #run({ sql, params, requireRows = 0 }: Statement): readonly SqlRow[] {
    const { statement, returnsRows } = this.#prepare(sql);
    const rows = returnsRows ? (statement.all(...params) as unknown as readonly SqlRow[]) : [];
    const count = returnsRows ? rows.length : Number(statement.run(...params).changes);
    if (count < requireRows) throw new WriteConflict(sql);
    return rows;
  }

  #prepare(sql: string): { readonly statement: StatementSync; readonly returnsRows: boolean } {
    const knownStatement = this.#statements.get(sql);
    if (knownStatement !== undefined) return knownStatement;
    const statement = this.#database.prepare(sql.replace(/\$(\d+)/g, "?$1"));
    const preparedStatement = { statement, returnsRows: statement.columns().length > 0 };
    this.#statements.set(sql, preparedStatement);
    return preparedStatement;
  }
}
