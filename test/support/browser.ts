import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { createApp } from "../../src/app.ts";
import type { StoreSettings } from "../../src/config/settings.ts";
import { browserPath } from "./chromium.ts";
import { develop } from "./server-process.ts";
import { freshDatabase } from "./test-database.ts";
import { createVisits, type Open } from "./visits.ts";

export interface Demo {
  readonly origin: string;
  readonly storeDir: string;
  /** Environment variables of a command on the same database. */
  readonly env: { readonly DATABASE_URL?: string };
  /** Opens a page as a new visitor. `close` asserts that the page had no errors. */
  readonly open: Open;
  close(): Promise<void>;
}

const demoStore = fileURLToPath(new URL("../../examples/harbour-outfitters", import.meta.url));

/**
 * Starts the demo store, or another one, on a copy of its folder with the default theme, and a browser.
 * @param foreignTheme folder of a theme made for another storefront, which replaces the default theme with
 * `compat: true`
 * @param hooks text of the hooks module
 * @param config settings that override those of the store
 * @param isWritten whether the store contains the default theme and is served by `vitrine dev`
 */
export async function startDemo(
  foreignTheme?: string,
  {
    hooks,
    config,
    source = demoStore,
    isWritten = false,
  }: {
    readonly hooks?: string;
    readonly config?: StoreSettings;
    readonly source?: string;
    readonly isWritten?: boolean;
  } = {},
): Promise<Demo> {
  const storeDir = await mkdtemp(join(tmpdir(), "vitrine-demo-"));
  await cp(source, storeDir, { recursive: true, filter: (path) => path !== join(source, "data") });
  if (foreignTheme !== undefined) await takeTheme(foreignTheme, storeDir);
  if (hooks !== undefined) await writeFile(join(storeDir, "hooks.ts"), hooks);
  const settings = { ...config, ...(hooks === undefined ? {} : { hooks: "hooks.ts" }) };
  const { origin, env, close } = isWritten
    ? await writtenStore(storeDir)
    : await servedStore(storeDir, { config: settings });
  // On a busy machine the first render of a section may exceed its time limit, which these tests do not cover.
  await fetch(`${origin}/recommendations/products?section_id=related-products&product_id=1&limit=4`);
  const { resource: browser, leave } = await takeBrowser();
  return {
    origin,
    storeDir,
    env,
    open: createVisits(browser, origin),
    async close() {
      await leave();
      await close();
      await rm(storeDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

/**
 * Returns the demo store with the console. Test files in one process share it, and the last user closes it. A test must
 * restore what it changes for all visitors.
 */
export async function sharedDemo(): Promise<Demo> {
  const { resource: demo, leave } = await takeDemo();
  after(leave);
  return demo;
}

/** Returns the shared demo store. */
export const takeDemo = share(() => startDemo(undefined, { config: { console: true } }));

/** Returns the browser of all shops in this process. */
const takeBrowser = share(() => launchBrowser());

/** Shares a resource in this process: the first user opens it, and it is closed when the last user leaves. */
function share<T extends { close(): Promise<unknown> }>(
  open: () => Promise<T>,
): () => Promise<{ readonly resource: T; leave(): Promise<void> }> {
  let opened: Promise<T> | undefined;
  let users = 0;
  return async () => {
    users += 1;
    opened ??= open();
    const resource = await opened;
    return {
      resource,
      async leave() {
        users -= 1;
        if (users > 0) return;
        opened = undefined;
        await resource.close();
      },
    };
  };
}

export async function launchBrowser(...switches: readonly string[]): Promise<Browser> {
  // The default switches of the package disable web security, which these tests need.
  const args = ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none", ...switches];
  return chromium.launch({ executablePath: await browserPath(), args });
}

interface Serving {
  readonly origin: string;
  readonly env: Demo["env"];
  close(): Promise<unknown>;
}

async function servedStore(storeDir: string, config: object): Promise<Serving> {
  const database = await freshDatabase();
  const app = await createApp({ storeDir, logLevel: "error", ...config, ...database });
  const env = database.databaseUrl === undefined ? {} : { DATABASE_URL: database.databaseUrl };
  return { origin: await app.listen("127.0.0.1", 0), env, close: app.close };
}

async function writtenStore(storeDir: string): Promise<Serving> {
  const theme = fileURLToPath(new URL("../../themes/default", import.meta.url));
  await cp(theme, join(storeDir, "theme"), { recursive: true });
  const { origin, child, finished } = await develop(storeDir);
  const close = (): Promise<unknown> => {
    child.kill("SIGTERM");
    return finished;
  };
  return { origin, env: {}, close };
}

async function takeTheme(folder: string, storeDir: string): Promise<void> {
  await cp(folder, join(storeDir, "theme"), { recursive: true });
  const config = join(storeDir, "vitrine.config.ts");
  const settings = await readFile(config, "utf8");
  await writeFile(config, settings.replace("defineStore({", "defineStore({\n  compat: true,"));
}
