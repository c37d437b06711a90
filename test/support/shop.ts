import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { createApp, type LocalApp } from "../../src/app.ts";
import { rows as fixtureRows, type RowJson } from "./catalog.ts";
import { type Client, createClient } from "./client.ts";
import { freshDatabase, putSchema } from "./test-database.ts";

export interface StoreOptions {
  /** Rows of the catalog. Default: the fixture catalog. */
  readonly rows?: readonly RowJson[];
  /** Settings that are merged into those of the fixture store. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Texts by path in the theme, which extend or replace files of the fixture theme. */
  readonly themeFiles?: Readonly<Record<string, string>>;
  /** Texts by path in the store's folder. */
  readonly storeFiles?: Readonly<Record<string, string>>;
  /** Whether the store has a theme. If not, the default theme is used. */
  readonly hasTheme?: boolean;
}

export interface TestShop {
  readonly origin: string;
  readonly storeDir: string;
  readonly app: LocalApp;
  /** Environment variables of a command on the same database. */
  readonly env: { readonly DATABASE_URL?: string };
  client(): Client;
  close(): Promise<void>;
}

/** Secret of every test shop. Tests sign customer tokens with it, like a merchant's login. */
export const testSecret = "only-for-tests-0123456789-abcdefghij";

/**
 * Starts a shop on a new store folder and a free port. `close` deletes the folder, and runs at the latest after the
 * test or file that started the shop. The database is the store's SQLite file, or an empty PostgreSQL database if the
 * tests run on PostgreSQL.
 */
export async function startShop(
  options: StoreOptions & { readonly now?: () => number; readonly secret?: string } = {},
): Promise<TestShop> {
  const storeDir = await makeStore(options);
  const { now, secret = testSecret } = options;
  const database = await freshDatabase();
  await putSchema(storeDir);
  const served = await serveStore({ storeDir, secret, ...database, ...(now === undefined ? {} : { now }) });
  const { origin } = served;
  const close = async (): Promise<void> => {
    await served.close();
    await rm(storeDir, { recursive: true, force: true });
  };
  after(close);
  const env = database.databaseUrl === undefined ? {} : { DATABASE_URL: database.databaseUrl };
  return {
    ...{ origin, storeDir, env, close },
    get app() {
      return served.app;
    },
    client: () => createClient(origin),
  };
}

/**
 * Serves an existing store folder in this process, on a free port. `close` runs at the latest after the test or file. The
 * database is the store's SQLite file, or that of `databaseUrl`.
 */
export function openShop(storeDir: string, databaseUrl?: string): Promise<Pick<TestShop, "origin" | "close">> {
  return serveStore({ storeDir, secret: testSecret, ...(databaseUrl === undefined ? {} : { databaseUrl }) });
}

async function serveStore(
  options: Parameters<typeof createApp>[0],
): Promise<Pick<TestShop, "origin" | "app" | "close">> {
  let app: LocalApp | undefined = await createApp({ logLevel: "silent", ...options });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= app?.close() ?? Promise.resolve();
    // The test runner keeps hooks until the process ends.
    app = undefined;
    return closing;
  };
  after(close);
  return {
    origin: await app.listen("127.0.0.1", 0),
    get app() {
      assert.ok(app, "the shop is closed");
      return app;
    },
    close,
  };
}

/** Creates a store folder in the system's temporary folder. */
export async function makeStore({
  rows = fixtureRows,
  config = {},
  themeFiles = {},
  storeFiles = {},
  hasTheme = true,
}: StoreOptions): Promise<string> {
  const storeDir = await mkdtemp(join(tmpdir(), "vitrine-test-"));
  const settings = {
    name: "Test Harbour",
    currency: "USD",
    locales: { default: "en", others: ["fr", "ja"] },
    // Clients run in the thread of the shop and delay it. Each additional thread costs start time, so tests of threads
    // set their number.
    server: { threads: 1, maxWait: 60_000 },
    shipping: { countries: [] },
    ...config,
  };
  const configText = `import { defineStore } from "vitrine";\nexport default defineStore(${JSON.stringify(settings)});\n`;
  await write(join(storeDir, "vitrine.config.ts"), configText);
  await write(join(storeDir, "catalog", "shop.jsonl"), toJsonl(rows));
  // The asynchronous function takes twice the processor time.
  if (hasTheme)
    cpSync(fileURLToPath(new URL("../fixtures/theme", import.meta.url)), join(storeDir, "theme"), { recursive: true });
  for (const [path, text] of Object.entries(themeFiles)) await write(join(storeDir, "theme", path), text);
  for (const [path, text] of Object.entries(storeFiles)) await write(join(storeDir, path), text);
  return storeDir;
}

export function toJsonl(rows: readonly RowJson[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
