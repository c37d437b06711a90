import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createCartWriter } from "./cart/writer/cart-writer.ts";
import { loadConfig } from "./config/load-config.ts";
import type { StoreSettings } from "./config/settings.ts";
import { createServer } from "./http/wire/server.ts";
import { followCatalog } from "./import/follow-catalog.ts";
import { importNewStore } from "./import/import-new-store.ts";
import { createLog, type Log } from "./observability/log.ts";
import { createMetrics } from "./observability/metrics.ts";
import { listenForScrapes } from "./observability/metrics-listener.ts";
import { joinSynonyms } from "./predictive-search/rules/joined-synonyms.ts";
import { describeRuleFault, openRulesFolder } from "./predictive-search/rules/rules-folder.ts";
import { createSearchTrails } from "./predictive-search/search-trails.ts";
import { createKeyring } from "./security/keyring.ts";
import { createRateLimit, withTotal } from "./security/rate-limit.ts";
import { parseSameStorePath } from "./security/same-store-path.ts";
import { readSecrets } from "./security/secrets.ts";
import type { Shop } from "./shop.ts";
import { indexFolder } from "./snapshot/index-files.ts";
import { openSnapshots } from "./snapshot/snapshot.ts";
import { sweepAppliedWrites } from "./storage/applied-writes.ts";
import { createCartStore, sweepCarts } from "./storage/cart-store.ts";
import { createChoiceLog, sweepChoices } from "./storage/choice-store.ts";
import { createContactStore } from "./storage/contact-store.ts";
import { prepareDataFolder } from "./storage/data-folder.ts";
import type { Database } from "./storage/database.ts";
import { createDiscountUses, sweepDiscountUses } from "./storage/discount-uses.ts";
import { observeDatabase } from "./storage/observed-database.ts";
import { migrateOpen, openDatabase, sourceOf } from "./storage/open-database.ts";
import { rememberCarts } from "./storage/remembered-carts.ts";
import { createSearchLog, sweepSearches } from "./storage/search-log-store.ts";
import { lockStore } from "./storage/sqlite/server-lock.ts";
import { createWriteProbe } from "./storage/write-probe.ts";
import { createIds, system } from "./system.ts";
import { loadTheme } from "./theme/theme-loader.ts";
import { createTurns } from "./theme/turns.ts";

export interface AppOptions {
  /** The store's folder. */
  readonly storeDir: string;
  /** "postgres://…": a database that several servers may share; absent: the store's own SQLite file. */
  readonly databaseUrl?: string;
  /** Settings that beat those of `vitrine.config.ts`. */
  readonly config?: StoreSettings;
  /** "silent", "error", "warn" or "info". */
  readonly logLevel?: string;
  /** Count what goes on, for `listenForScrapes`. */
  readonly hasMetrics?: boolean;
  /** Comma-separated keys, the first signs; absent: `data/secret`, made where it is missing. */
  readonly secret?: string;
  /** Told what happens before the first answer: an import, for one. */
  readonly onNotice?: (text: string) => void;
  /** Milliseconds since 1970; absent: the clock of the database's server, or this machine's. */
  readonly now?: () => number;
  /** 128 random bits or more, base64url. */
  readonly newId?: () => string;
}

/** A shop, ready to be served. */
export interface App {
  readonly shop: Shop;
  /** @param port 0 takes a free one  @returns its address, "http://127.0.0.1:3000" */
  listen(host: string, port: number): Promise<string>;
  /** Serves the metrics alone. @param port 0 takes a free one  @returns their address, "http://127.0.0.1:9464/metrics" */
  listenForScrapes(host: string, port: number): Promise<string>;
  /** Answers what is in flight, then closes everything. */
  close(): Promise<void>;
}

/** Wires a store folder to a shop: settings, database, catalogue, theme, server.
 *  @throws SetupError for what the merchant can put right */
export async function createApp(options: AppOptions): Promise<App> {
  const storeDir = resolve(options.storeDir);
  const config = await loadConfig(storeDir, options.config);
  const newId = options.newId ?? createIds();
  const log = createLog(options.logLevel ?? "warn");
  const dataDir = join(storeDir, "data");
  await prepareDataFolder(dataDir);
  const secrets = await readSecrets(dataDir, options.secret, () => randomBytes(48).toString("base64url"));

  // What is opened is closed again in the opposite order, also where a later step fails.
  const closers: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const source = sourceOf(dataDir, options.databaseUrl);
    if ("file" in source) closers.push(lockStore(dataDir));
    const metrics = options.hasMetrics === true ? createMetrics(await describeBuild(source)) : undefined;
    const opened = await openDatabase(source, metrics === undefined ? {} : { onGroup: metrics.groupCommitted });
    closers.push(() => opened.close());
    const database = metrics === undefined ? opened : observeDatabase(opened, metrics.databaseUsed);
    const now = options.now ?? database.now ?? system.now;
    if (database.connections !== undefined) metrics?.watchConnections(database.connections);
    await migrateOpen(database, source, () =>
      options.onNotice?.("Waiting for another server, which brings the database to this version."),
    );
    await importNewStore(database, storeDir, { currency: config.currency, now, newId }, options.onNotice);
    const rules = await openRulesFolder({
      storeDir,
      locales: [config.locales.default, ...config.locales.others],
      parsePath: parseSameStorePath,
      report: (fault) => log.warn({}, `a rule for searches does not hold: ${describeRuleFault(fault)}`),
    });
    closers.push(() => rules.close());
    const onBuilt = metrics === undefined ? {} : { onBuilt: metrics.snapshotBuilt };
    const folder = indexFolder(join(dataDir, "index"), config.locales);
    const synonyms = joinSynonyms(config.search.synonyms, rules.current);
    const learns = config.search.implicitFeedback;
    const use = { source, database, config, synonyms, learns, folder };
    const snapshots = await openSnapshots({ ...use, log, now, newId, ...onBuilt });
    closers.push(() => snapshots.close());
    closers.push(followCatalog({ storeDir, source, currency: config.currency }, log));
    metrics?.watchCatalog(snapshots.facts);
    const turn = createTurns();
    const theme = await loadTheme({
      turn,
      dir: join(storeDir, "theme"),
      fallbackDir: fileURLToPath(new URL("../themes/default", import.meta.url)),
      config,
      report: (error) => log.warn({ error }, "a part of the theme failed"),
    });
    closers.push(() => theme.close());
    const keyring = createKeyring(secrets);
    const visits = () => ({
      newSalt: newId,
      digest: (text: string) => keyring.digest("search", text),
      newRows: withTotal(createRateLimit(newRowsByNetwork), createRateLimit(newRowsInAll)),
      log,
    });
    const searches = createSearchLog(database, visits());
    closers.push(() => searches.close());
    const choices = learns ? createChoiceLog(database, visits()) : undefined;
    closers.push(() => choices?.close());
    closers.push(sweepHourly(database, config.cart.cookieDays, now, log));
    const takesWrites = createWriteProbe(database, (error) => log.recurring({ error }, "not ready"));
    const stored = createCartStore(database, newId().slice(0, SERVER_ID_LENGTH));
    // The file is this process's alone; a server of databases has others.
    const carts = "file" in source ? rememberCarts(stored) : stored;
    let isStopping = false;
    const shop: Shop = {
      config,
      snapshot: snapshots.current,
      carts,
      cartWriter: createCartWriter(carts, database.beginMs),
      discountUses: createDiscountUses(database),
      wrongCodes: {
        byAddress: createRateLimit(wrongCodesByAddress),
        byCart: createRateLimit(wrongCodesByCart),
      },
      contacts: createContactStore(database),
      contactsByAddress: createRateLimit(contactsByAddress),
      searches,
      ...(choices === undefined ? {} : { feedback: { trails: createSearchTrails(), choices } }),
      searchRules: rules.current,
      theme,
      turn,
      keyring,
      log,
      ...(metrics === undefined ? {} : { metrics }),
      now,
      newId,
      isReady: async () => !isStopping && (await takesWrites()),
    };
    const server = createServer(shop, { storeDir });
    closers.push(() => {
      isStopping = true;
      return server.close();
    });
    return {
      shop,
      listen: (host, port) => server.listen(host, port),
      async listenForScrapes(host, port) {
        if (metrics === undefined) throw new Error("there are no metrics: ask for them with hasMetrics");
        const listener = await listenForScrapes(metrics, host, port);
        closers.push(() => listener.close());
        return listener.address;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Wrong discount codes and gift cards that are looked at: who mistypes a few goes on, who guesses gets six a minute. Many shoppers may
 *  share an address. */
const wrongCodesByAddress = { burst: 30, refillMs: 10_000, maxKeys: 20_000 };
const wrongCodesByCart = { burst: 10, refillMs: 20_000, maxKeys: 20_000 };

/** Messages, comments and addresses for the newsletter that are taken from one address: five at once, then one a minute. */
const contactsByAddress = { burst: 5, refillMs: 60_000, maxKeys: 20_000 };

/** Servers of one database are few: 48 random bits tell them apart. */
const SERVER_ID_LENGTH = 8;

/** Searched terms that are kept though nobody searched them before: about 50 a day from one network, 5,000 a day in all. So many pairs of a term and
 *  a product, too. */
const newRowsByNetwork = { burst: 30, refillMs: 3_600_000, maxKeys: 20_000 };
const newRowsInAll = { burst: 2_000, refillMs: 30_000, maxKeys: 1 };

/** How often abandoned carts are looked for, in milliseconds. */
const SWEEP_MS = 3_600_000;

/** What runs, for `vitrine_build_info`. */
async function describeBuild(
  source: object,
): Promise<{ readonly version: string; readonly node: string; readonly database: string }> {
  const file = await readFile(new URL("../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(file) as { readonly version: string };
  return { version, node: process.versions.node, database: "file" in source ? "sqlite" : "postgresql" };
}

/** Deletes abandoned carts, keys of writes that count no more, uses of discounts that have lapsed, and what tells yesterday's visitors
 *  apart, every hour; the first time an hour after the start, so that a clock which is wrong then can be set. @returns stops it */
function sweepHourly(database: Database, cookieDays: number, now: () => number, log: Log): () => void {
  let isSweeping = false;
  let hasToldKept = false;
  const tellKept = (message: string): void => {
    if (!hasToldKept) log.warn({}, message);
    hasToldKept = true;
  };
  const sweep = async (): Promise<void> => {
    if (isSweeping) return;
    isSweeping = true;
    try {
      await sweepCarts(database, cookieDays, now(), tellKept);
      await sweepAppliedWrites(database, now());
      await sweepDiscountUses(database, now());
      await sweepSearches(database, now());
      await sweepChoices(database, now());
    } catch (error) {
      log.warn({ error }, "old carts, keys of writes and searches were not swept");
    }
    isSweeping = false;
  };
  const timer = setInterval(sweep, SWEEP_MS);
  timer.unref();
  return () => clearInterval(timer);
}
