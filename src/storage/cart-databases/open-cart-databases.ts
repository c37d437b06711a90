import { type PollLoop, poll } from "../../runtime/poll.ts";
import { SetupError } from "../../setup-error.ts";
import { type Database, DatabaseUnavailableError, LockTimeout } from "../database.ts";
import { loadPostgres, migrateOpenDatabase } from "../open-database.ts";
import type { CartDatabaseSource } from "./cart-database-urls.ts";

/** A database for some of the carts. */
export interface CartDatabase {
  readonly name: string;
  readonly database: Database;
  readonly acceptsNewCarts: boolean;
  /** Returns whether the last read or write found the database available. */
  isAvailable(): boolean;
}

/** Databases for carts by name. */
export type CartDatabases = ReadonlyMap<string, CartDatabase>;

export interface OpenCartDatabases {
  readonly databases: CartDatabases;
  close(): Promise<void>;
}

export interface CartDatabaseOptions {
  /** The database of stock and orders, which also lists the names of the cart databases. */
  readonly mainDatabase: Database;
  /** Number of threads of this process that open the databases. Default: 1. */
  readonly threads?: number;
  /** Wraps each database, for metrics. Default: no wrapper. */
  readonly observe?: (database: Database) => Database;
  readonly log: { recurring(fields: { readonly error: unknown }, message: string): void };
}

/** Milliseconds between two attempts to reach an unavailable database. */
const RETRY_INTERVAL_MS = 1_000;

/**
 * Opens the databases for carts. A server also starts if some of them are unavailable, and uses them as soon as they
 * answer.
 * @throws SetupError if this version cannot use a database, or a URL leads to another database than before
 */
export async function openCartDatabases(
  sources: readonly CartDatabaseSource[],
  options: CartDatabaseOptions,
): Promise<OpenCartDatabases> {
  const openDatabases: OpenCartDatabase[] = [];
  const jobs: PollLoop[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(jobs.map((job) => job.close()));
    await Promise.all(openDatabases.map(({ database }) => database.close()));
  };
  try {
    for (const source of sources) openDatabases.push(await openCartDatabase(source, options));
    await Promise.all(openDatabases.map(({ prepare }) => prepare().catch(ignoreUnavailable)));
    if (openDatabases.length > 0)
      jobs.push(
        poll({ name: "reaching unavailable cart databases", intervalMs: RETRY_INTERVAL_MS, log: options.log }, () =>
          Promise.all(
            openDatabases
              .filter((one) => !one.isAvailable())
              .map(({ database }) => database.read("SELECT 1 AS one").catch(ignoreUnavailable)),
          ),
        ),
      );
    const missingNames = await findMissingNames(sources, options.mainDatabase);
    const databases = [
      ...openDatabases,
      ...missingNames.map((name) => createMissingDatabase(name, options.mainDatabase)),
    ];
    return { databases: new Map(databases.map((one) => [one.name, one])), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns the databases with carts: the main database, and the cart databases that are available. */
export function listCartDatabases(mainDatabase: Database, cartDatabases: CartDatabases): readonly Database[] {
  const availableDatabases = cartDatabases.values().filter((one) => one.isAvailable());
  return [mainDatabase, ...availableDatabases.map((one) => one.database)];
}

/** Returns the names of databases that have carts, but no URL. */
export async function findMissingNames(
  sources: readonly CartDatabaseSource[],
  mainDatabase: Database,
): Promise<readonly string[]> {
  const names = new Set(sources.map(({ name }) => name));
  return (await readNames(mainDatabase)).filter((name) => !names.has(name));
}

/** Creates a database without a URL. Its carts are unavailable, so that they are not taken for missing carts. */
function createMissingDatabase(name: string, { maxStartDelayMs, now }: Database): CartDatabase {
  const fail = (): Promise<never> =>
    Promise.reject(new DatabaseUnavailableError(`CART_DATABASE_URLS lacks the database "${name}", which has carts`));
  const database = { read: fail, write: fail, maxStartDelayMs, now, lockStatements: [], defersIndexCreation: false };
  return { name, database: { ...database, close: async () => {} }, acceptsNewCarts: false, isAvailable: () => false };
}

/**
 * Updates the tables of all databases for carts.
 * @throws SetupError if a database is unavailable, or this version cannot use it
 */
export async function migrateCartDatabases(
  sources: readonly CartDatabaseSource[],
  options: CartDatabaseOptions,
): Promise<void> {
  const { databases, close } = await openCartDatabases(sources, options);
  await close();
  const unavailableDatabase = sources.find(({ name }) => databases.get(name)?.isAvailable() !== true);
  if (unavailableDatabase !== undefined)
    throw new SetupError(
      `CART_DATABASE_URLS: the database of "${unavailableDatabase.name}" is unavailable. Check that the server is running and the URL is correct.`,
    );
}

interface OpenCartDatabase extends CartDatabase {
  /** Migrates the database and checks its name, unless this was done before.  @throws DatabaseUnavailableError */
  prepare(): Promise<void>;
}

async function openCartDatabase(
  { name, url, acceptsNewCarts }: CartDatabaseSource,
  { mainDatabase, threads = 1, observe = (database) => database, log }: CartDatabaseOptions,
): Promise<OpenCartDatabase> {
  const { countConnectionsOfThread, openPostgres } = await loadPostgres();
  const postgres = observe(
    await openPostgres(url, { connections: countConnectionsOfThread(threads), connectsLazily: true }),
  );
  let isAvailable = true;
  let isPrepared = false;
  let preparation: Promise<void> | undefined;
  const prepareOnce = async (): Promise<void> => {
    try {
      await migrateOpenDatabase(postgres, { url });
      await registerName(name, postgres, mainDatabase);
      isPrepared = true;
    } finally {
      preparation = undefined;
    }
  };
  const watch = async <T>(task: () => Promise<T>): Promise<T> => {
    try {
      const result = await task();
      isAvailable = true;
      return result;
    } catch (error) {
      // A cart that another transaction locks does not mean that the database is unavailable.
      if (error instanceof DatabaseUnavailableError && !(error instanceof LockTimeout)) {
        isAvailable = false;
        log.recurring({ error }, `the cart database "${name}" is unavailable`);
      }
      throw error;
    }
  };
  const prepare = (): Promise<void> => {
    preparation ??= prepareOnce();
    return preparation;
  };
  const prepareForRequest = (): Promise<void> =>
    watch(() =>
      prepare().catch((error: unknown) => {
        throw error instanceof SetupError ? new DatabaseUnavailableError(error.message) : error;
      }),
    );
  const run = <T>(task: () => Promise<T>): Promise<T> =>
    isPrepared ? watch(task) : prepareForRequest().then(() => watch(task));
  const database: Database = {
    ...postgres,
    read: (sql, params) => run(() => postgres.read(sql, params)),
    write: (statements, startDeadline) => run(() => postgres.write(statements, startDeadline)),
  };
  return { name, acceptsNewCarts, database, isAvailable: () => isAvailable, prepare: () => watch(prepare) };
}

/** Records the name in the cart database and in the main database.  @throws SetupError if the URL is wrong */
async function registerName(name: string, database: Database, mainDatabase: Database): Promise<void> {
  const { isInCartDatabase, isInMainDatabase } = await requireCartDatabaseName(name, database, mainDatabase);
  if (!isInCartDatabase) await database.write([insertName(name)]);
  if (!isInMainDatabase) await mainDatabase.write([insertName(name)]);
}

/**
 * Checks that a database has the carts of a name, or is new. A wrong URL would hide carts.
 * @returns which databases have recorded the name
 * @throws SetupError if the database has the carts of another name, or is empty although the name had carts before
 */
export async function requireCartDatabaseName(
  name: string,
  database: Database,
  mainDatabase: Database,
): Promise<{ readonly isInCartDatabase: boolean; readonly isInMainDatabase: boolean }> {
  const [ownNames, allNames] = await Promise.all([readNames(database), readNames(mainDatabase)]);
  const isInCartDatabase = ownNames.includes(name);
  const isInMainDatabase = allNames.includes(name);
  if (!isInCartDatabase) {
    if (ownNames.length > 0)
      throw new SetupError(
        `CART_DATABASE_URLS: the database of "${name}" contains the carts of "${ownNames.join('", "')}". Correct the URL.`,
      );
    if (isInMainDatabase)
      throw new SetupError(
        `CART_DATABASE_URLS: the database of "${name}" is new, but "${name}" had carts in another database. Correct the URL, or choose a new name.`,
      );
  }
  return { isInCartDatabase, isInMainDatabase };
}

async function readNames(database: Database): Promise<readonly string[]> {
  return (await database.read("SELECT name FROM cart_database_names ORDER BY name")).map((row) => String(row.name));
}

function insertName(name: string) {
  return { sql: "INSERT INTO cart_database_names (name) VALUES ($1) ON CONFLICT DO NOTHING", params: [name] };
}

function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof DatabaseUnavailableError)) throw error;
}
