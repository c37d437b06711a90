import type pg from "pg";
import { type Statement, WriteNotStartedError } from "../../src/storage/database.ts";
import type { Connections } from "../../src/storage/postgres/connections.ts";
import { isUnavailable } from "../../src/storage/postgres/errors.ts";
import type { PlantedBug } from "./planted-bugs.ts";
import type { PostgresSessions, Session, StatementResult } from "./postgres-sessions.ts";
import type { Scheduler } from "./scheduler.ts";

export interface PostgresConnectionOptions {
  readonly scheduler: Scheduler;
  readonly sessions: PostgresSessions;
  readonly bug: PlantedBug;
  readonly isRunning: () => boolean;
  /** Called after each commit, with the statements of the transaction that write. */
  readonly onCommit: (statements: readonly Statement[]) => Promise<void>;
}

export interface PostgresConnections extends Connections {
  /** Breaks all connections in use, because the server has ended. */
  crash(): void;
}

/** Creates the connections of one server. Each statement runs, and its result arrives, when the scheduler decides. */
export function createPostgresConnections(options: PostgresConnectionOptions): PostgresConnections {
  const { scheduler, sessions } = options;
  const clients = new Set<SimulatedClient>();
  const acquire = async (startDeadline: number): Promise<Session> => {
    for (;;) {
      await scheduler.wait();
      if (performance.now() > startDeadline) throw new WriteNotStartedError("no connection was free in time");
      const session = sessions.acquire();
      if (session !== undefined) return session;
    }
  };
  return {
    async use(startDeadline, task) {
      const client = new SimulatedClient(options, await acquire(startDeadline));
      clients.add(client);
      let mustClose = false;
      try {
        return await task(client as unknown as pg.PoolClient);
      } catch (error) {
        mustClose = isUnavailable(error);
        throw error;
      } finally {
        clients.delete(client);
        client.release(mustClose);
      }
    },
    crash() {
      for (const client of clients) client.crash();
    },
    now: () => performance.now(),
    countConnections: () => ({ inUseCount: 0, idleCount: 0, waitingCount: 0 }),
    close: async () => undefined,
  };
}

interface QueuedStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly resolve: (result: pg.QueryResult) => void;
  readonly reject: (error: unknown) => void;
  /** Time at which the driver stops waiting for the response. */
  readonly timeoutAt: number;
}

/** Milliseconds after which the driver stops waiting for a response. */
const QUERY_TIMEOUT_MS = 2_500;

/** Client that sends statements without waiting for earlier responses, as the pool's clients do. */
class SimulatedClient {
  readonly #options: PostgresConnectionOptions;
  readonly #session: Session;
  #queue: QueuedStatement[] = [];
  #texts: string[] = [];
  #isBroken = false;
  #isBlocked = false;

  constructor(options: PostgresConnectionOptions, session: Session) {
    this.#options = options;
    this.#session = session;
  }

  query(
    statement: string | { readonly text: string; readonly values: readonly unknown[]; readonly query_timeout?: number },
  ): Promise<pg.QueryResult> {
    const {
      text,
      values,
      query_timeout: timeoutMs = QUERY_TIMEOUT_MS,
    } = typeof statement === "string" ? { text: statement, values: [] } : statement;
    return new Promise((resolve, reject) => {
      this.#queue.push({ text, values, resolve, reject, timeoutAt: performance.now() + timeoutMs });
      this.#options.scheduler.add(() => this.#runNext());
    });
  }

  /** Gives the session back.  @param mustClose whether the connection is in an unknown state, which ends its transaction */
  release(mustClose: boolean): void {
    if (mustClose) this.#break();
    else if (!this.#isBroken) this.#session.isUsed = false;
  }

  /** Ends the server. The database may already have received its next statement. */
  crash(): void {
    const commits = this.#queue[0]?.text === "COMMIT" && this.#options.scheduler.random.below(2) === 0;
    this.#break(commits ? () => this.#commit() : undefined);
  }

  /** Breaks the connection. The database ends its transaction later. */
  #break(finish: (() => Promise<void>) | undefined = undefined): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    const { scheduler, sessions } = this.#options;
    const queue = this.#queue;
    this.#queue = [];
    for (const { reject } of queue) this.#deliver(() => reject(createNetworkError("ECONNRESET")));
    scheduler.add(async () => {
      await finish?.();
      await sessions.rollBack(this.#session);
    });
  }

  #deliver(task: () => void): void {
    this.#options.scheduler.add(() => {
      if (this.#options.isRunning()) task();
    });
  }

  async #runNext(): Promise<void> {
    if (this.#isBroken || this.#isBlocked) return;
    const statement = this.#queue.shift();
    if (statement === undefined) return;
    const { scheduler, isRunning, bug } = this.#options;
    const { text } = statement;
    const isCommit = text === "COMMIT";
    if (!isRunning()) return this.#break();
    const fail = (error: Error, finish?: () => Promise<void>): void => {
      this.#deliver(() => statement.reject(error));
      this.#break(finish);
    };
    if (performance.now() > statement.timeoutAt)
      return fail(
        new Error("Query read timeout"),
        isCommit && scheduler.random.below(2) === 0 ? () => this.#commit() : undefined,
      );
    if (text.startsWith("BEGIN") && scheduler.hasFault("unavailable", 20))
      return fail(createNetworkError("ECONNREFUSED"));
    if (isCommit && scheduler.hasFault("lost commit", 40)) return fail(createNetworkError("ECONNRESET"));
    if (isCommit && scheduler.hasFault("late commit", 40))
      return fail(createNetworkError("ECONNRESET"), () => this.#commit());
    if (isCommit && scheduler.hasFault("lost response", 60)) {
      await this.#commit();
      return fail(createNetworkError("ECONNRESET"));
    }
    if (isCommit || (text === "ROLLBACK" && bug.keepsFailedWrites === true)) {
      await this.#commit();
      return this.#deliver(() => statement.resolve({ rows: [], rowCount: 0 } as unknown as pg.QueryResult));
    }
    const sql = text.startsWith("BEGIN") ? "BEGIN" : text;
    if (sql === "ROLLBACK") this.#texts = [];
    else this.#texts.push(text);
    this.#isBlocked = true;
    await this.#options.sessions.run(this.#session, sql, statement.values, (outcome) => {
      this.#isBlocked = false;
      if (this.#isBroken) return;
      this.#deliver(() => settle(statement, outcome));
      // Statements that were sent meanwhile run now.
      for (const _ of this.#queue) scheduler.add(() => this.#runNext());
    });
  }

  async #commit(): Promise<void> {
    await this.#options.sessions.run(this.#session, "COMMIT", [], () => undefined);
    const statements = this.#texts.filter(isWrite).map((sql) => ({ sql, params: [] }));
    this.#texts = [];
    if (statements.length > 0) await this.#options.onCommit(statements);
  }
}

function isWrite(sql: string): boolean {
  return /^(?:INSERT|UPDATE|DELETE)/.test(sql);
}

function settle({ resolve, reject }: QueuedStatement, outcome: StatementResult): void {
  if ("error" in outcome) reject(outcome.error);
  else resolve(outcome.result);
}

function createNetworkError(code: string): Error {
  return Object.assign(new Error("the connection broke"), { code });
}
