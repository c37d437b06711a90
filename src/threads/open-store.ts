import { join, resolve } from "node:path";
import type { LiveStock } from "../catalog/live/live-stock.ts";
import { type CdnPurge, startCdnPurge } from "../cdn/purge-cdn.ts";
import type { RunningSettings } from "../config/live-settings.ts";
import { loadConfig } from "../config/load-config.ts";
import type { Config, StoreSettings } from "../config/settings.ts";
import { removeInterruptedChange } from "../config/settings-file.ts";
import type { ConsoleState } from "../console/console.ts";
import type { DevelopmentMode } from "../dev/development.ts";
import { startDeliveries } from "../events/start-deliveries.ts";
import { importNewStore } from "../import/import-new-store.ts";
import { watchCatalogFiles } from "../import/watch-catalog-files.ts";
import { createLog, type Log } from "../observability/log.ts";
import type { Metrics } from "../observability/metrics.ts";
import {
  createDayFormatter,
  describeRuleError,
  joinSynonyms,
  openRulesFolder,
  type RulesFolder,
} from "../predictive-search/rules/rules-folder.ts";
import { readPackageVersion } from "../runtime/package-version.ts";
import { loadTracer } from "../runtime/spans.ts";
import { createKeyring } from "../security/keyring.ts";
import { readSecrets } from "../security/secrets.ts";
import type { ClicksHandler, SignalSink } from "../signals/signals.ts";
import { openFeed, type SnapshotContent, type SnapshotFeed } from "../snapshot/feed.ts";
import { openIndexFolder } from "../snapshot/index-files.ts";
import { openObjectStore } from "../snapshot/shared/open-object-store.ts";
import { createCatalogOpener } from "../snapshot/snapshot.ts";
import { openStockFeed } from "../snapshot/stock-feed.ts";
import { type CartDatabaseSource, parseCartDatabaseUrls } from "../storage/cart-databases/cart-database-urls.ts";
import type { CartDatabases } from "../storage/cart-databases/open-cart-databases.ts";
import type { CatalogDatabase } from "../storage/catalog/catalog-reader.ts";
import type { Database } from "../storage/database.ts";
import { observeDatabase } from "../storage/observed-database.ts";
import {
  type ConnectableDatabase,
  locateDatabase,
  migrateOpenDatabase,
  openDatabase,
  prepareDataFolder,
} from "../storage/open-database.ts";
import { readLiveRules, readRuleRevisions, readRulesTest } from "../storage/search-rules.ts";
import { lockStore } from "../storage/sqlite/files.ts";
import { createIdGenerator, system } from "../system.ts";
import { startBackgroundJobs } from "./background-jobs.ts";
import { startSignalCounter } from "./count-signals.ts";
import { openMeasuredCartDatabases } from "./open-carts.ts";
import { createSharedMemory, openLimits, openSharedStock, type SharedMemory } from "./shared-memory.ts";
import { syncRules } from "./sync-rules.ts";
import { syncSignals } from "./sync-signals.ts";
import { watchSettings } from "./watch-settings.ts";

export interface AppOptions {
  /** Path of the store's folder. */
  readonly storeDir: string;
  /** PostgreSQL URL of a database that several servers may share. Default: the store's own SQLite file. */
  readonly databaseUrl?: string;
  /**
   * Names and PostgreSQL URLs of databases for carts, such as "a=postgres://… b=postgres://…". Default: carts are in the
   * shop's database.
   */
  readonly cartDatabaseUrls?: string;
  /** Settings that override `vitrine.config.ts`. */
  readonly config?: StoreSettings;
  /** One of "silent", "error", "warn", "info". */
  readonly logLevel?: string;
  /** Whether to collect metrics, for `listenForScrapes`. */
  readonly hasMetrics?: boolean;
  /**
   * Comma-separated secrets, the first of which signs cookies and tokens. Default: `data/secret`, created if missing.
   */
  readonly secret?: string;
  /** Receives messages during the start, such as the result of an import. */
  readonly onNotice?: (text: string) => void;
  /** Returns milliseconds since 1970. Default: the clock of the database server, or of this machine. */
  readonly now?: () => number;
  /** Returns at least 128 random bits, base64url. */
  readonly newId?: () => string;
}

export interface StoreOptions extends AppOptions {
  /** Tools of the development server, which require a single thread. */
  readonly development?: DevelopmentMode;
}

/** Resources of a store that a process opens once for all its threads. */
export interface OpenStore {
  readonly storeDir: string;
  readonly config: Config;
  readonly secrets: readonly string[];
  readonly source: CatalogDatabase;
  /** The open database, to which other threads can connect. */
  readonly connectableDatabase: ConnectableDatabase;
  readonly database: Database;
  readonly cartDatabaseSources: readonly CartDatabaseSource[];
  readonly cartDatabases: CartDatabases;
  readonly rulesFolder: RulesFolder;
  readonly consoleState: () => ConsoleState;
  /** Makes the main thread read the settings file. The settings that need no restart are in a later `consoleState`. */
  readonly reloadSettings: () => Promise<void>;
  readonly feed: SnapshotFeed;
  readonly memory: SharedMemory;
  readonly stock: LiveStock;
  /** Counts the tracked events, such as searches and clicks, of all event-loop threads. */
  readonly signals: SignalSink;
  readonly log: Log;
  /** Undefined if metrics are off. */
  readonly metrics: Metrics | undefined;
  readonly development: DevelopmentMode | undefined;
  readonly now: () => number;
  readonly newId: () => string;
  close(): Promise<void>;
}

/**
 * Opens the settings, keys, database and catalog of a store, and watches them for changes.
 * @param threads number of event-loop threads
 * @param onSnapshot receives the data of each later catalog snapshot
 * @param onConsoleState receives each new state of the merchant's console, for all threads
 * @throws SetupError if the merchant can fix the cause
 */
export async function openStore(
  options: StoreOptions,
  threads: number,
  onSnapshot: (parts: SnapshotContent) => void,
  onConsoleState: (consoleState: ConsoleState) => void,
  onClicks: ClicksHandler,
): Promise<OpenStore> {
  const storeDir = resolve(options.storeDir);
  const { development } = options;
  const config = await loadConfig(storeDir, options.config, development?.code);
  const newId = options.newId ?? createIdGenerator();
  const log = createLog(options.logLevel ?? "warn");
  const dataDir = join(storeDir, "data");
  await prepareDataFolder(dataDir);
  const secrets = await readSecrets(dataDir, options.secret, system.newSecret);

  // Closes all resources, the last one first, if a later step fails.
  await using cleanup = new AsyncDisposableStack();
  let settings: RunningSettings = { config, revision: "" };
  let onSettings = (): void => {};
  const onChange = (newSettings: RunningSettings): void => {
    settings = newSettings;
    if (settings.revision !== "") onSettings();
  };
  // In development, the server restarts when the settings change, so they are not watched here.
  const settingsWatcher =
    development === undefined
      ? watchSettings({ storeDir, overrides: options.config, config, onChange }, log)
      : undefined;
  if (settingsWatcher !== undefined) cleanup.defer(settingsWatcher.close);
  const source = locateDatabase(dataDir, options.databaseUrl);
  const cartDatabaseSources = parseCartDatabaseUrls(options.cartDatabaseUrls, source);
  if ("file" in source) {
    cleanup.defer(lockStore(dataDir));
    await removeInterruptedChange(storeDir);
  }
  const metrics = options.hasMetrics === true ? await loadMetrics(source) : undefined;
  const connectableDatabase = await openDatabase(source, { onGroup: metrics?.recordCommit });
  cleanup.defer(() => connectableDatabase.close());
  await loadTracer();
  const database = observeDatabase(connectableDatabase, metrics?.recordDatabaseOperation);
  const now = options.now ?? database.now;
  await migrateOpenDatabase(database, source, () =>
    options.onNotice?.(
      "Waiting until another server or a long transaction releases the database, to update its tables.",
    ),
  );
  const carts = await openMeasuredCartDatabases(cartDatabaseSources, { database, threads: 1, metrics, log });
  cleanup.defer(carts.close);
  const { databases: cartDatabases } = carts;
  const { currency, timezone } = config;
  await importNewStore({ database, storeDir, currency, timezone, now, newId }, options.onNotice);
  const ruleRevisions = await readRuleRevisions(database);
  const [liveRules, test] = await Promise.all([readLiveRules(database), readRulesTest(database)]);
  let consoleState: ConsoleState = { settings, rules: liveRules.texts, test, importErrors: [] };
  const updateConsole = (changes: Partial<ConsoleState>): void => {
    consoleState = { ...consoleState, ...changes };
    onConsoleState(consoleState);
  };
  const rules = await openRulesFolder({
    storeDir,
    locales: config.locales,
    getToday: createDayFormatter(config.timezone, now),
    storedTexts: liveRules.texts,
    log,
    report: (error) => {
      development?.onRuleError(describeRuleError(error));
      log.warn({}, `a search rule is invalid: ${describeRuleError(error)}`);
    },
  });
  cleanup.defer(rules.close);
  if (rules.fileTexts() !== undefined && Object.values(liveRules.texts).some((text) => text !== ""))
    log.warn(
      {},
      "the search rules of the console do not apply, because the folder search/ has rules: take them over in the console, or remove the files",
    );
  const folder = openIndexFolder(storeDir, config);
  const synonyms = joinSynonyms(config.search.synonyms, rules.currentRules);
  const keyring = createKeyring(secrets);
  const enabledBoosts = { clicks: config.search.implicitFeedback, sales: config.search.popularityFromOrders };
  const totals = await syncSignals(database, { enabledBoosts, keyring, now, log });
  cleanup.defer(totals.close);
  const feedOptions = { source, database, config, synonyms, signals: totals.current, folder };
  const memory = createSharedMemory(threads);
  const limits = openLimits(memory, metrics);
  const stock = openSharedStock(memory);
  let cdnPurge: CdnPurge | undefined;
  const applyStock: LiveStock["applyChanges"] = (levels) => {
    stock.applyChanges(levels);
    cdnPurge?.onStock(levels.map(({ variantId }) => variantId));
  };
  const stockFeed = await openStockFeed(database, { applyChanges: applyStock }, log);
  cleanup.defer(stockFeed.close);
  const { sharedIndex } = config.server;
  const sharedStore = sharedIndex === undefined ? undefined : await openObjectStore(sharedIndex, storeDir);
  const applySnapshot = (parts: SnapshotContent): void => {
    onSnapshot(parts);
    cdnPurge?.onCatalog();
  };
  const onBuilt = metrics?.recordBuild;
  const feed = await openFeed({ ...feedOptions, sharedStore, log, newId, onBuilt }, applySnapshot);
  cleanup.defer(feed.close);
  if (config.cdn?.purge?.url !== undefined) {
    const openCatalog = createCatalogOpener(config);
    const purgeResources = { database, currentCatalog: () => openCatalog(feed.getSnapshotParts()), log };
    cdnPurge = startCdnPurge(config.cdn.purge.url, config.cdn.purge, purgeResources);
    cleanup.defer(cdnPurge.close);
  }
  const applyRules = (state: Pick<ConsoleState, "rules" | "test">): void => {
    if (state.rules !== consoleState.rules) rules.setStoredRules(state.rules);
    updateConsole(state);
  };
  const rulesJob = syncRules(database, ruleRevisions, applyRules, log);
  cleanup.defer(rulesJob.close);
  const onImportErrors = (importErrors: readonly string[]): void => {
    updateConsole({ importErrors });
    development?.onCatalogErrors(importErrors);
    // The thread that imports edits has its own connection, so its commits notify no listener of this one.
    if (importErrors.length === 0) feed.refresh().catch(() => undefined);
  };
  cleanup.defer(watchCatalogFiles({ storeDir, source, currency, timezone }, log, onImportErrors).close);
  metrics?.watchCatalog(feed.getFacts);
  const jobs = startBackgroundJobs({ config, database, cartDatabases, onStock: stock.applyChanges, log, now, newId });
  for (const job of jobs) cleanup.defer(job.close);
  const deliveries = startDeliveries(settings.config, {
    ...{ database, folder: join(storeDir, "notifications"), keyring, limits },
    ...{ log, metrics, now, newId },
  });
  cleanup.defer(deliveries.close);
  onSettings = () => {
    updateConsole({ settings });
    deliveries.restart(settings.config);
    cdnPurge?.onSettings();
  };
  onSettings();
  const signals = startSignalCounter({ config, database, limits, secrets, threads, log, now, newId }, onClicks);
  cleanup.defer(signals.close);
  const store = {
    ...{ storeDir, config, secrets, source, connectableDatabase, database, cartDatabaseSources, cartDatabases },
    ...{ rulesFolder: rules, feed, memory, stock, signals },
  };
  const resources = cleanup.move();
  return {
    ...store,
    consoleState: () => consoleState,
    reloadSettings: async () => settingsWatcher?.readNow(),
    log,
    metrics,
    development,
    now,
    newId,
    close: () => resources.disposeAsync(),
  };
}

/** Imports the metrics library, which takes 50 ms, only if metrics are served. */
async function loadMetrics(source: object): Promise<Metrics> {
  const { createMetrics } = await import("../observability/metrics.ts");
  return createMetrics({
    version: readPackageVersion(),
    node: process.versions.node,
    database: "file" in source ? "sqlite" : "postgresql",
  });
}
