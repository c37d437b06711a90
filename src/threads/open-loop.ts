import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CatalogBatches } from "../catalog/catalog-changes.ts";
import type { Config } from "../config/settings.ts";
import { addThemeSettings, THEME_SETTINGS_FILE } from "../config/theme-settings.ts";
import { describeProxyFix, saveUntrustedProxy } from "../config/untrusted-proxy.ts";
import type { DevelopmentMode } from "../dev/development.ts";
import { createCartPricing } from "../hooks/cart-pricing.ts";
import { createCustomerSessions } from "../hooks/customer-sessions.ts";
import { loadHooks } from "../hooks/load-hooks.ts";
import { createStockCounts } from "../hooks/stock-counts.ts";
import { createResizedImages } from "../http/images/resized-images.ts";
import { warmUpSuggestions } from "../http/warm-up.ts";
import { toSameStorePath } from "../http/wire/referrer-path.ts";
import { createServer, type HttpServer } from "../http/wire/server.ts";
import type { ThreadMetrics } from "../observability/metrics.ts";
import { createDurationHistogram } from "../observability/search-times.ts";
import { collectGarbage } from "../runtime/collect-garbage.ts";
import { createScheduler } from "../runtime/scheduler.ts";
import { createJwsSigner } from "../security/jws-signer.ts";
import { createKeyring } from "../security/keyring.ts";
import type { Shop } from "../shop.ts";
import { weighClick } from "../signals/click-weight.ts";
import { createEventLog } from "../signals/event-log.ts";
import { findPreference } from "../signals/preference.ts";
import type { ClicksHandler, Preference, SearchClick, Signals, WeightedClick } from "../signals/signals.ts";
import { createShopSnapshots, type Snapshot } from "../snapshot/snapshot.ts";
import { createRecordStore } from "../storage/catalog/catalog-records.ts";
import { createCheckoutStore } from "../storage/checkouts/checkout-store.ts";
import { createOrderStore } from "../storage/checkouts/order-store.ts";
import { createCommentStore } from "../storage/comment-store.ts";
import { createContactStore } from "../storage/contact-store.ts";
import { createDiscountUseStore } from "../storage/discount-uses.ts";
import { createStockChangeStore } from "../storage/stock-changes.ts";
import { createTokenStore } from "../storage/token-store.ts";
import { createWriteProbe } from "../storage/write-probe.ts";
import { getThemeDir } from "../theme/files/store-themes.ts";
import { loadTheme } from "../theme/theme-loader.ts";
import { openThemes } from "../theme/themes.ts";
import { traceTheme } from "../theme/traced-theme.ts";
import { mustTrackVisits } from "./count-signals.ts";
import { createInvoiceIssuer } from "./create-invoices.ts";
import { type CartResources, openCarts } from "./open-carts.ts";
import { type ConsoleResources, createConsole } from "./open-console.ts";
import { openSettings, type SettingsResources } from "./open-settings.ts";
import type { OpenStore } from "./open-store.ts";
import { openTestedRules } from "./open-tested-rules.ts";
import { openLimits } from "./shared-memory.ts";

/** Resources and options of an event loop. */
export interface EventLoopResources
  extends CartResources,
    SettingsResources,
    ConsoleResources,
    Pick<OpenStore, "secrets" | "signals"> {
  readonly snapshot: () => Snapshot;
  /** Undefined if metrics are off. */
  readonly metrics: ThreadMetrics | undefined;
  readonly development?: DevelopmentMode | undefined;
  /** Whether to free the memory that only the start needed, before the thread is ready. */
  readonly freesMemory: boolean;
}

/** Serves a shop in one thread, with its own event loop. */
export interface EventLoop {
  readonly shop: Shop;
  readonly listen: HttpServer["listen"];
  /** Computes the weights of clicks after searches in the background, from the products' positions in the results. */
  readonly weighClicks: ClicksHandler;
  /** Completes the requests in flight, and sends tracked events. */
  close(): Promise<void>;
}

/**
 * Opens a shop in this thread's event loop: theme, carts, server.
 * @throws SetupError if the merchant can fix the cause
 */
export async function openLoop(parts: EventLoopResources): Promise<EventLoop> {
  const { storeDir, config, database, memory, thread, log, metrics, development, now, newId } = parts;
  const getCurrentConfig = (): Config => parts.consoleState().settings.config;
  const hooks = await loadHooks(storeDir, config.hooks, development?.code);
  const scheduler = createScheduler({ maxWaitMs: config.server.maxWait, onWait: metrics?.recordQueueWait });
  const limits = openLimits(memory, metrics);
  const reportThemeError = (error: unknown, revision: number | string): void => {
    const message = error instanceof Error ? error.message : String(error);
    const isNew = limits.consume("theme error", `${revision} ${message}`, now());
    if (isNew) log.warn({ error }, "a part of the theme failed");
  };
  /** Name of the theme for which `vitrine dev` shows diagnostics: the theme that is live at the start. */
  let devThemeName: string | undefined;
  const themes = openThemes({
    storeDir,
    settingsFile: (name) => join(getThemeDir(storeDir, name), THEME_SETTINGS_FILE),
    settingsRevision: () => parts.consoleState().settings.revision,
    report: (error) => reportThemeError(error, ""),
    load(name) {
      devThemeName ??= name;
      const themeDevelopment = name === devThemeName ? development : undefined;
      const dir = getThemeDir(storeDir, name);
      const themeConfig = addThemeSettings(getCurrentConfig(), dir);
      const loadedTheme = loadTheme({
        yieldTo: scheduler.yield,
        dir,
        fallbackDir: fileURLToPath(new URL("../../themes/default", import.meta.url)),
        mediaDir: join(storeDir, "media"),
        config: themeConfig,
        report: (error, revision) => reportThemeError(error, `${name} ${revision}`),
        ...themeDevelopment?.theme,
      });
      const theme = traceTheme(loadedTheme);
      return { name, config: themeConfig, theme: themeDevelopment?.wrapTheme(theme) ?? theme };
    },
  });
  const { theme, config: liveConfig } = themes.getLiveTheme();
  const keyring = createKeyring(parts.secrets);
  const events = createEventLog(toSameStorePath, parts.signals.take);
  const signals: Signals = { tracksVisits: mustTrackVisits(config), track: events.add };
  const testedRules = openTestedRules({ ...parts, getCurrentTest: () => parts.consoleState().test });
  let weightPromise: Promise<void> = Promise.resolve();
  const weighAllClicks = async (clicks: readonly SearchClick[]): Promise<void> => {
    const weightedClicks: (WeightedClick | Preference)[] = [];
    for (const click of clicks) {
      await scheduler.yield("background");
      const { catalog, index } = parts.snapshot();
      const { typoTolerance, collapse } = config.search;
      const rules = parts.rulesFolder.currentRules();
      const context = { catalog, index, now: click.at, typoTolerance, collapse, rules };
      const weightedClick = weighClick(click, context);
      if (weightedClick !== undefined) weightedClicks.push(weightedClick);
      const currentRules = testedRules();
      const preference = currentRules && findPreference(click, context, currentRules);
      if (preference !== undefined) weightedClicks.push(preference);
    }
    parts.signals.count(weightedClicks);
  };
  const snapshot = createShopSnapshots(parts.snapshot, parts.rulesFolder.currentRules, parts.stock, testedRules);
  const probeWrites = createWriteProbe(database, (error) => log.recurring({ error }, "not ready"));
  const { carts, cartWriter, close: closeCarts } = openCarts(parts);
  let importer: Promise<CatalogBatches> | undefined;
  let isStopping = false;
  let isWarmedUp = false;
  const shop: Shop = {
    config: liveConfig,
    snapshot,
    theme,
    carts: { ...carts, ...cartWriter },
    checkouts: {
      ...createCheckoutStore({
        ...{ database, carts, cartWriter, onStock: parts.stock.applyChanges, newId },
        createInvoice: createInvoiceIssuer(getCurrentConfig),
        getLowStockLevel: () => {
          const { smtp, lowStock } = getCurrentConfig().mail;
          return smtp === undefined ? 0 : lowStock;
        },
      }),
      orders: createOrderStore({ database, newId, sendsEmail: () => getCurrentConfig().mail.smtp !== undefined }),
      discountUses: createDiscountUseStore(database),
    },
    inbox: {
      contacts: createContactStore(database),
      comments: createCommentStore(database, () => performance.now()),
    },
    management: {
      tokens: createTokenStore(database),
      stock: createStockChangeStore(database, newId),
      catalog: {
        async apply(...batch) {
          importer ??= loadImporter(parts);
          return (await importer).apply(...batch);
        },
      },
      records: createRecordStore(database),
      settings: openSettings(parts),
    },
    signals,
    hooks: {
      ...hooks,
      customerSessions: createCustomerSessions(hooks.customer, log, limits),
      stockCounts: createStockCounts(hooks.stock, log),
      cartPricing: createCartPricing(hooks, log, () => performance.now()),
    },
    limits,
    keys: { ...keyring, documents: createJwsSigner(keyring.secrets) },
    ...(config.console ? { console: createConsole(parts) } : {}),
    process: {
      ...{ now, newId, log, scheduler, metrics },
      searchTimes: createDurationHistogram(memory.searchTimes),
      isReady: async () => !isStopping && isWarmedUp && (await probeWrites()),
    },
  };
  const connections = { counts: new Int32Array(memory.openConnections), thread };
  const images = createResizedImages({
    dir: join(storeDir, "data", "images"),
    maxBytes: config.images.cacheMegabytes * 1_000_000,
    limits,
    log,
    now,
  });
  let isProxyReported = false;
  const onIgnoredProxy = (proxy: string | undefined): void => {
    if (isProxyReported) return;
    isProxyReported = true;
    if (!limits.consume("theme error", "untrusted proxy", now())) return;
    log.warn({}, describeProxyFix(proxy));
    saveUntrustedProxy(storeDir, config, proxy).catch((error: unknown) =>
      log.warn({ error }, "the untrusted proxy could not be recorded for vitrine check"),
    );
  };
  const server = createServer(shop, {
    storeDir,
    themes,
    resizedImages: images,
    connections,
    onIgnoredProxy,
    devHandler: development?.handleRequest,
  });
  // The collection also removes compiled code, so it comes before the warm-up.
  const warmUpPromise = (parts.freesMemory ? collectGarbage() : Promise.resolve())
    .then(() => warmUpSuggestions(shop, () => isStopping))
    .catch((error: unknown) => log.warn({ error }, "the search could not be warmed up"))
    .finally(() => {
      isWarmedUp = true;
    });
  return {
    shop,
    listen: server.listen,
    weighClicks(clicks) {
      weightPromise = weightPromise
        .then(() => weighAllClicks(clicks))
        .catch((error: unknown) => log.warn({ error }, "clicks after searches could not be counted"));
    },
    async close() {
      isStopping = true;
      await warmUpPromise;
      await server.close();
      await images.close();
      await closeCarts();
      events.flush();
      await weightPromise;
    },
  };
}

/** Loads the modules that import rows, which most threads never need. */
async function loadImporter({ database, storeDir, config, now, newId }: EventLoopResources): Promise<CatalogBatches> {
  const { createImporter } = await import("../import/catalog.ts");
  return createImporter({ database, storeDir, now, newId, currency: config.currency, timezone: config.timezone });
}
