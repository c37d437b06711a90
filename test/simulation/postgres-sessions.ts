import pg from "pg";
import type { MemoryDatabase } from "./memory-database.ts";

/** Result of a statement. */
export type StatementResult = { readonly result: pg.QueryResult } | { readonly error: unknown };

/** A connection to PostgreSQL that runs one statement at a time. */
export interface Session {
  readonly client: pg.Client;
  readonly pid: number;
  /** Whether a server uses the session. */
  isUsed: boolean;
}

/** A statement that waits for a lock of another transaction. */
interface BlockedStatement {
  readonly session: Session;
  readonly done: Promise<StatementResult>;
  readonly onResult: (result: StatementResult) => void;
}

const SESSIONS = 6;
/** Tables that never change in a history, or whose rows do not matter. */
const IGNORED_TABLES = new Set(["schema_versions"]);
/** Milliseconds after which PostgreSQL looks for a deadlock. */
const DEADLOCK_TIMEOUT_MS = 10;
/** Milliseconds in which most statements end. After that, their locks are examined. */
const QUICK_STATEMENT_MS = 3;

/** Connections to a PostgreSQL database. They report whether a statement waits for a lock, so that others run first. */
export class PostgresSessions {
  readonly #control: pg.Client;
  readonly #sessions: readonly Session[];
  readonly #memory: MemoryDatabase;
  readonly #wait: (ms: number) => Promise<void>;
  readonly #tables: readonly string[];
  #blockedStatements: readonly BlockedStatement[] = [];

  /** @param wait waits in real time */
  static async open(
    url: string,
    memory: MemoryDatabase,
    wait: (ms: number) => Promise<void>,
  ): Promise<PostgresSessions> {
    const connect = async (): Promise<pg.Client> => {
      const client = new pg.Client({ connectionString: url, types: { getTypeParser }, pipeline: true });
      await client.connect();
      await client.query(`SET deadlock_timeout = '${DEADLOCK_TIMEOUT_MS}ms'; SET synchronous_commit = off`);
      return client;
    };
    const control = await connect();
    const sessions = await Promise.all(
      Array.from({ length: SESSIONS }, async (): Promise<Session> => {
        const client = await connect();
        const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
        return { client, pid: Number(rows[0]?.pid), isUsed: false };
      }),
    );
    const tables = memory
      .read("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .map(({ name }) => String(name))
      .filter((name) => !IGNORED_TABLES.has(name));
    return new PostgresSessions({ control, sessions, memory, wait, tables });
  }

  private constructor(parts: {
    readonly control: pg.Client;
    readonly sessions: readonly Session[];
    readonly memory: MemoryDatabase;
    readonly wait: (ms: number) => Promise<void>;
    readonly tables: readonly string[];
  }) {
    this.#control = parts.control;
    this.#sessions = parts.sessions;
    this.#memory = parts.memory;
    this.#wait = parts.wait;
    this.#tables = parts.tables;
  }

  /** Makes the rows of all tables the same as in the memory database, and rolls back open transactions. */
  async reset(): Promise<void> {
    for (const session of this.#sessions) await this.rollBack(session);
    this.#blockedStatements = [];
    await this.#control.query(`TRUNCATE ${this.#tables.join(", ")}`);
    for (const table of this.#tables)
      for (const row of this.#memory.read(`SELECT * FROM ${table}`)) {
        const names = Object.keys(row);
        await this.#control.query(
          `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map((_, index) => `$${index + 1}`).join(", ")})`,
          Object.values(row),
        );
      }
  }

  /** Copies committed rows to the memory database, where invariants are checked. */
  async copyToMemory(tables: readonly string[] = this.#tables): Promise<void> {
    const results = await Promise.all(tables.map((table) => this.#control.query(`SELECT * FROM ${table}`)));
    for (const [index, { rows }] of results.entries()) {
      const table = tables[index];
      this.#memory.write([
        { sql: `DELETE FROM ${table}`, params: [] },
        ...rows.map((row) => {
          const names = Object.keys(row);
          const values = names.map((_, column) => `$${column + 1}`).join(", ");
          return {
            sql: `INSERT INTO ${table} (${names.join(", ")}) VALUES (${values})`,
            params: Object.values(row) as string[],
          };
        }),
      ]);
    }
  }

  /** Returns a session that no server uses; undefined if there is none. */
  acquire(): Session | undefined {
    const session = this.#sessions.find(({ isUsed }) => !isUsed);
    if (session !== undefined) session.isUsed = true;
    return session;
  }

  /**
   * Runs a statement until it ends or waits for a lock.
   * @param onResult receives the result: before this method returns, or in a later call of `run` or `rollBack`
   */
  async run(session: Session, text: string, values: readonly unknown[], onResult: (result: StatementResult) => void) {
    const done = session.client.query({ text, values: [...values] }).then(
      (result): StatementResult => ({ result }),
      (error: unknown): StatementResult => ({ error }),
    );
    this.#blockedStatements = [...this.#blockedStatements, { session, done, onResult }];
    await this.#settle();
  }

  /** Ends the transaction of a session. */
  async rollBack(session: Session): Promise<void> {
    const blockedStatement = this.#blockedStatements.find((one) => one.session === session);
    if (blockedStatement !== undefined) {
      this.#blockedStatements = this.#blockedStatements.filter((one) => one !== blockedStatement);
      await this.#control.query("SELECT pg_cancel_backend($1)", [session.pid]);
      await blockedStatement.done;
    }
    await session.client.query("ROLLBACK");
    session.isUsed = false;
    await this.#settle();
  }

  async close(): Promise<void> {
    await Promise.all([this.#control, ...this.#sessions.map(({ client }) => client)].map((client) => client.end()));
  }

  /** Waits until each statement has ended or waits for a lock of a transaction that can continue. */
  async #settle(): Promise<void> {
    for (;;) {
      const finished: [BlockedStatement, StatementResult][] = [];
      for (const statement of this.#blockedStatements) {
        const result = await Promise.race([statement.done, this.#wait(QUICK_STATEMENT_MS)]);
        if (result !== undefined) finished.push([statement, result]);
      }
      if (finished.length === 0) {
        if (this.#blockedStatements.length === 0 || (await this.#isWaitingForLocks())) return;
        continue;
      }
      this.#blockedStatements = this.#blockedStatements.filter(
        (one) => !finished.some(([statement]) => statement === one),
      );
      for (const [{ onResult }, result] of finished) onResult(result);
    }
  }

  /** Returns whether all unfinished statements wait for locks, without a deadlock, which PostgreSQL resolves soon. */
  async #isWaitingForLocks(): Promise<boolean> {
    const pids = this.#blockedStatements.map(({ session }) => session.pid);
    const { rows } = await this.#control.query(
      "SELECT pid, pg_blocking_pids(pid) AS blockers FROM unnest($1::int[]) pid",
      [pids],
    );
    const blockers = new Map(rows.map((row) => [Number(row.pid), row.blockers as readonly number[]]));
    const isInCycle = (pid: number, path: readonly number[]): boolean =>
      path.includes(pid) || (blockers.get(pid) ?? []).some((blocker) => isInCycle(blocker, [...path, pid]));
    return pids.every((pid) => (blockers.get(pid) ?? []).length > 0 && !isInCycle(pid, []));
  }
}

/** Parses BIGINT values as numbers, as the storage does. */
const getTypeParser = ((typeOid: number, format?: "text" | "binary") =>
  typeOid === pg.types.builtins.INT8
    ? Number
    : pg.types.getTypeParser(typeOid, format as "text")) as typeof pg.types.getTypeParser;
