import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { createIndexFolder, type IndexFolder } from "../../src/snapshot/index-files.ts";
import { openSnapshots, type Snapshots } from "../../src/snapshot/open-snapshots.ts";
import type { ObjectStore } from "../../src/snapshot/shared/object-store.ts";
import { openObjectStore } from "../../src/snapshot/shared/open-object-store.ts";
import type { Database } from "../../src/storage/database.ts";
import { migrate } from "../../src/storage/migrate.ts";
import { openSqlite } from "../../src/storage/sqlite/sqlite.ts";
import { importRows, row } from "./product-rows.ts";
import type { S3Server } from "./s3-server.ts";
import { until } from "./until.ts";

/** A database, and the storage of the index that its servers share. */
export interface SharedStore {
  readonly storeDir: string;
  readonly file: string;
  readonly database: Database;
  readonly location: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface SharedServer extends Snapshots {
  /** Kinds of index builds, "whole" or "changes", in order. */
  readonly built: string[];
  readonly warnings: string[];
}

const locales = { default: "en", others: [] };
/** Number of products of a new store. */
export const productCount = 30;

/**
 * Creates a database with products, whose folder is removed after the test.
 * @param s3 storage of the index. Default: a folder
 */
export async function makeSharedStore(s3?: S3Server): Promise<SharedStore> {
  const storeDir = await mkdtemp(join(tmpdir(), "vitrine-shared-index-"));
  after(() => rm(storeDir, { recursive: true, force: true }));
  const file = join(storeDir, "vitrine.db");
  const database = await openSqlite(file);
  await migrate(database);
  const location = s3 === undefined ? join(storeDir, "shared") : `s3://${s3.bucket}/shop-${randomUUID()}/index`;
  const store = { storeDir, file, database, location, environment: s3?.environment ?? {} };
  await importRows(
    store,
    Array.from({ length: productCount }, (_, number) => row(number, "Lantern")),
  );
  return store;
}

/** Returns an empty folder of a server.  @param maxTexts maximum bytes of a catalog's texts in memory */
export function createServerFolder({ storeDir }: SharedStore, maxTexts?: number): IndexFolder {
  return createIndexFolder(join(storeDir, "servers", randomUUID()), locales, maxTexts);
}

/** Opens a server with an empty folder.  @param file path of the database for builds */
export async function openSharedServer(
  store: SharedStore,
  file = store.file,
  folder = createServerFolder(store),
  objectStore?: ObjectStore,
): Promise<SharedServer> {
  const { database, storeDir, location, environment } = store;
  const warnings: string[] = [];
  const built: string[] = [];
  const warn = (_: unknown, text: string) => void warnings.push(text);
  const snapshots = await openSnapshots({
    ...{ source: { file }, database, config: { locales }, synonyms: () => noSynonyms, folder },
    log: { warn: () => {}, recurring: warn },
    sharedStore: objectStore ?? (await openObjectStore(location, storeDir, environment)),
    newId: randomUUID,
    onBuilt: (part: string) => void built.push(part),
  });
  return { ...snapshots, built, warnings };
}

const noSynonyms: readonly (readonly string[])[] = [];

export async function closeAll({ database }: SharedStore, ...servers: readonly SharedServer[]): Promise<void> {
  for (const server of servers) await server.close();
  await database.close();
}

/** Waits until the builder has shared a revision. */
export async function untilShared({ database }: SharedStore, revision: number): Promise<void> {
  await until(async () => {
    const [builder] = await database.read("SELECT revision FROM index_builders");
    return builder?.revision === revision;
  });
}

/** Waits until a server shows a revision. */
export async function untilRevision(server: SharedServer, revision: number): Promise<void> {
  await until(() => server.currentSnapshot().revision === revision);
}
