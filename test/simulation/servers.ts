import { createCartWriter } from "../../src/cart/writer/cart-writer.ts";
import type { NewInvoice } from "../../src/checkout/invoice.ts";
import type { Order } from "../../src/checkout/order.ts";
import { addCartCache, allocateCartVersions, openCartVersions } from "../../src/storage/cart-cache.ts";
import { createDistributedCarts } from "../../src/storage/cart-databases/distributed-carts.ts";
import type { CartDatabases } from "../../src/storage/cart-databases/open-cart-databases.ts";
import { removeAllOrderedItems } from "../../src/storage/cart-databases/ordered-carts.ts";
import { createCartStore } from "../../src/storage/cart-store.ts";
import { createCheckoutStore } from "../../src/storage/checkouts/checkout-store.ts";
import { createOrderStore } from "../../src/storage/checkouts/order-store.ts";
import {
  CommitInDoubtError,
  type Database,
  DatabaseUnavailableError,
  type SqlRow,
  type Statement,
  WriteNotStartedError,
} from "../../src/storage/database.ts";
import { createDiscountUseStore } from "../../src/storage/discount-uses.ts";
import { createPostgresDatabase } from "../../src/storage/postgres/postgres.ts";
import { createStockChangeStore } from "../../src/storage/stock-changes.ts";
import type { MemoryDatabase } from "./memory-database.ts";
import type { PlantedBug } from "./planted-bugs.ts";
import { createPostgresConnections } from "./postgres-connections.ts";
import type { PostgresSessions } from "./postgres-sessions.ts";
import type { Scheduler } from "./scheduler.ts";

/** Maximum milliseconds before a write starts, as with both databases. */
const MAX_START_DELAY_MS = 3_800;

/** Topology of a history. "threads": two threads of one process, which cache carts. "servers": two processes. */
export type Topology = "servers" | "threads";

export interface ClusterParts {
  readonly scheduler: Scheduler;
  readonly memory: MemoryDatabase;
  /** Databases of the carts by name. Empty if the carts are in the same database as orders. */
  readonly cartMemories: ReadonlyMap<string, MemoryDatabase>;
  readonly topology: Topology;
  readonly bug: PlantedBug;
  /** Called after each write that was committed. */
  readonly onWrite: (statements: readonly Statement[]) => void;
  /** PostgreSQL, whose rows are copied to the memory database. Default: the servers use the memory database. */
  readonly sessions?: PostgresSessions | undefined;
}

/** The stores of one server, connected to the shared database. */
export type Server = ReturnType<typeof createServer>;

/** Two servers that crash and restart. */
export class Cluster {
  readonly #parts: ClusterParts;
  #versions = allocateCartVersions();
  #servers: readonly Server[];
  #ids = 0;

  constructor(parts: ClusterParts) {
    this.#parts = parts;
    this.#servers = [0, 1].map((slot) => this.#start(slot));
  }

  get servers(): readonly Server[] {
    return this.#servers;
  }

  pick(): Server {
    return this.#parts.scheduler.random.pick(this.#servers);
  }

  /** Returns a unique id. */
  readonly newId = (): string => {
    this.#ids += 1;
    return `id${this.#ids}`;
  };

  /** Ends a server, or the process of both threads, and starts it again. */
  crash(): void {
    const { scheduler, topology } = this.#parts;
    const slot = scheduler.random.below(2);
    this.#versions = allocateCartVersions();
    this.#servers = this.#servers.map((server, index) => {
      if (topology === "servers" && index !== slot) return server;
      server.crash();
      return this.#start(index, server.clockOffset);
    });
  }

  #start(slot: number, clockOffset = 0): Server {
    return createServer(this.#parts, {
      newId: this.newId,
      name: `${"ab"[slot]}${this.newId()}`,
      versions: this.#parts.bug.sharesNoVersions === true ? allocateCartVersions() : this.#versions,
      clockOffset,
    });
  }
}

interface ServerParts {
  readonly newId: () => string;
  readonly name: string;
  readonly versions: SharedArrayBuffer;
  readonly clockOffset: number;
}

function createServer(parts: ClusterParts, { newId, name, versions, clockOffset }: ServerParts) {
  const crashed = Promise.withResolvers<"crashed">();
  const state: ServerState = { isRunning: true, pendingWrites: new Set() };
  const { database, crash } =
    parts.sessions === undefined
      ? { database: connect(parts, parts.memory, state), crash: () => runPendingWrites(parts, state) }
      : connectToPostgres(parts, parts.sessions, state);
  const cartStore = createCartStore(database, name);
  const mainCarts = parts.topology === "threads" ? addCartCache(cartStore, openCartVersions(versions)) : cartStore;
  const cartDatabases: CartDatabases = new Map(
    [...parts.cartMemories].map(([databaseName, memory]) => {
      const cartDatabase = connect(parts, memory, state);
      const isAvailable = (): boolean => !parts.scheduler.hasFault("unavailable", 10);
      return [databaseName, { name: databaseName, database: cartDatabase, acceptsNewCarts: true, isAvailable }];
    }),
  );
  const carts = cartDatabases.size === 0 ? mainCarts : createDistributedCarts(mainCarts, cartDatabases, name);
  const cartWriter = createCartWriter(carts, MAX_START_DELAY_MS);
  return {
    database,
    cartDatabases,
    removeOrderedItems: () => removeAllOrderedItems({ database, carts, cartWriter }, cartDatabases),
    carts: { ...carts, ...cartWriter },
    checkouts: createCheckoutStore({ database, carts, cartWriter, onStock: () => undefined, newId, createInvoice }),
    orders: createOrderStore({ database, newId, sendsEmail: () => false }),
    discountUses: createDiscountUseStore(database),
    stock: createStockChangeStore(database, newId),
    crashed: crashed.promise,
    /** Difference of the server's clock from the real time, in milliseconds. */
    clockOffset,
    crash() {
      state.isRunning = false;
      crashed.resolve("crashed");
      crash();
    },
  };
}

/** Runs some of the writes that a process had sent. A new process opens the file only after the old one has ended. */
function runPendingWrites({ scheduler, topology }: ClusterParts, { pendingWrites }: ServerState): void {
  if (topology === "threads") for (const commitNow of pendingWrites) if (scheduler.random.below(2) === 0) commitNow();
}

interface ServerState {
  isRunning: boolean;
  /** Writes that were sent to the database and did not run yet. Each function runs one without an answer. */
  readonly pendingWrites: Set<() => void>;
}

/** Connects a server to the database. Reads and writes run, and their results arrive, when the scheduler decides. */
function connect(
  { scheduler, topology, bug, onWrite }: ClusterParts,
  memory: MemoryDatabase,
  state: ServerState,
): Database {
  const deliver = (task: () => void): void =>
    scheduler.add(() => {
      if (state.isRunning) task();
    });
  const commit = (statements: readonly Statement[]): readonly (readonly SqlRow[])[] => {
    const rows = memory.write(statements);
    onWrite(statements);
    return rows;
  };
  const commitUnanswered = (statements: readonly Statement[]): void => {
    try {
      commit(statements);
    } catch {
      // A condition of the write is not met.
    }
  };
  const commitLate = (statements: readonly Statement[]): void => scheduler.add(() => commitUnanswered(statements));
  const unavailable = (): Error => new DatabaseUnavailableError("the database is unavailable");
  return {
    read: (sql, params) =>
      new Promise((resolve, reject) =>
        deliver(() => {
          if (scheduler.hasFault("unavailable", 20)) return deliver(() => reject(unavailable()));
          const rows = memory.read(sql, params);
          deliver(() => resolve(rows));
        }),
      ),
    write: (statements, startDeadline = Number.POSITIVE_INFINITY) =>
      new Promise((resolve, reject) => {
        const commitNow = (): void => commitUnanswered(statements);
        state.pendingWrites.add(commitNow);
        scheduler.add(() => {
          state.pendingWrites.delete(commitNow);
          // A write of a server that has crashed may have been sent before.
          if (!state.isRunning && (topology === "threads" || scheduler.random.below(2) === 0)) return;
          const fail = (error: unknown): void => deliver(() => reject(error as Error));
          if (performance.now() > startDeadline) {
            if (bug.runsLateWrites === true) commitLate(statements);
            return fail(new WriteNotStartedError("too late"));
          }
          if (scheduler.hasFault("unavailable", 30)) return fail(unavailable());
          const loseResponse = (): void => fail(new CommitInDoubtError("the connection broke"));
          if (scheduler.hasFault("lost commit", 40)) return loseResponse();
          if (topology === "servers" && scheduler.hasFault("late commit", 40)) {
            commitLate(statements);
            return loseResponse();
          }
          try {
            const rows = commit(statements);
            if (scheduler.hasFault("lost response", 60)) return loseResponse();
            deliver(() => resolve(rows));
          } catch (error) {
            fail(error);
          }
        });
      }),
    maxStartDelayMs: MAX_START_DELAY_MS,
    lockStatements: [],
    defersIndexCreation: true,
    now: Date.now,
    close: async () => undefined,
  };
}

/** Connects a server to PostgreSQL with the code of the storage. The scheduler decides when each statement runs. */
function connectToPostgres(
  { scheduler, bug, onWrite }: ClusterParts,
  sessions: PostgresSessions,
  state: ServerState,
): { readonly database: Database; readonly crash: () => void } {
  const connections = createPostgresConnections({
    ...{ scheduler, sessions, bug, isRunning: () => state.isRunning },
    async onCommit(statements) {
      await sessions.copyToMemory(["stock_levels", "balances", "checkouts", "discount_uses"]);
      onWrite(statements);
    },
  });
  const database = createPostgresDatabase(connections, {
    ...{ statementTimeoutMs: 2_000, lockTimeoutMs: 1_000 },
    createListener: () => {
      throw new Error("a simulated server listens to no other");
    },
  });
  const write: Database["write"] = async (statements, startDeadline) => {
    const alteredStatements = bug.alter?.(statements) ?? statements;
    try {
      return await database.write(alteredStatements, startDeadline);
    } catch (error) {
      if (bug.runsLateWrites === true && error instanceof WriteNotStartedError)
        scheduler.add(() => void database.write(alteredStatements).catch(() => undefined));
      throw error;
    }
  };
  return { database: { ...database, write }, crash: connections.crash };
}

/** Creates an invoice whose document has only the fields that the storage reads. */
function createInvoice({ number, createdAt, content }: Order): NewInvoice {
  const total = Math.max(1, content.priced.total);
  const document = {
    ...{ kind: "invoice", orderNumber: number, issuedAt: createdAt, timezone: "UTC", creditNotePrefix: "C", total },
    ...{ lines: [], discounts: [] },
  };
  return { prefix: "I", firstNumber: 1, document: document as unknown as NewInvoice["document"] };
}
