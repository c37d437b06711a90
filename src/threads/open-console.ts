import { stat, statfs } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Console, PendingDelivery, RulesPreview, SystemSummary } from "../console/console.ts";
import { checkRulesFolder, joinSynonyms, renameRulesFolder } from "../predictive-search/rules/rules-folder.ts";
import { readPackageVersion } from "../runtime/package-version.ts";
import type { SnapshotContent } from "../snapshot/feed.ts";
import { createAssembler } from "../snapshot/snapshot.ts";
import { readSalesReport } from "../storage/checkouts/sales-report.ts";
import { readNewestContacts } from "../storage/contact-store.ts";
import type { Database } from "../storage/database.ts";
import { readOldestUndeliveredEvents } from "../storage/events/event-rows.ts";
import { createRuleDraftStore } from "../storage/search-rules.ts";
import { createSecondFactorStore } from "../storage/second-factor-store.ts";
import { readSearchReport } from "../storage/signals/report.ts";
import { createSynonymStore } from "../storage/signals/synonym-suggestions.ts";
import { createLogoutStore } from "../storage/token-store.ts";
import { createSetupChecks } from "./check-setup.ts";
import type { OpenStore } from "./open-store.ts";

export interface ConsoleResources
  extends Pick<
    OpenStore,
    "storeDir" | "config" | "source" | "database" | "cartDatabases" | "rulesFolder" | "consoleState" | "stock" | "now"
  > {
  readonly threads: number;
  /** Returns the data from which each thread creates its snapshot of the catalog. */
  readonly getSnapshotParts: () => SnapshotContent;
}

/** Creates the object through which one event-loop thread reads and changes the data of the merchant's console. */
export function createConsole(parts: ConsoleResources): Console {
  const { storeDir, config, database, rulesFolder, getSnapshotParts, consoleState, stock, now } = parts;
  /** The last preview of draft search rules, cached because pages of the console request it repeatedly. */
  let cachedPreview:
    | { readonly cacheKey: string; readonly snapshotContent: SnapshotContent; readonly preview: RulesPreview }
    | undefined;
  let timer: NodeJS.Timeout | undefined;
  const drafts = createRuleDraftStore(database, now);
  return {
    revokedLogins: createLogoutStore(database),
    secondFactors: createSecondFactorStore(database),
    reports: {
      reportSearches: (options) => readSearchReport(database, options, now()),
      reportSales: (startTime) => readSalesReport(database, parts.cartDatabases, startTime),
      listContacts: (limit, endTime) => readNewestContacts(database, limit, endTime),
      listPendingEvents: (limit) => listPendingEvents(database, limit),
    },
    drafts,
    synonymSuggestions: createSynonymStore(database, now),
    readFolderRules: rulesFolder.fileTexts,
    readFolderErrors: () => checkRulesFolder(storeDir, config.locales),
    async publishFolderRules(texts) {
      await drafts.replace(texts);
      // Rename the rules folder only after all event-loop threads have loaded the rules from the database. Until then,
      // the rules in the folder apply.
      await sleep(PUBLISH_DELAY_MS);
      const isRenamed = await renameRulesFolder(storeDir, now());
      await rulesFolder.refresh();
      return isRenamed ? "taken_over" : "copied";
    },
    preview(texts) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        cachedPreview = undefined;
      }, CACHE_LIFETIME_MS).unref();
      const snapshotContent = getSnapshotParts();
      const cacheKey = JSON.stringify([rulesFolder.currentRules().revision, texts]);
      if (cachedPreview?.cacheKey === cacheKey && cachedPreview.snapshotContent === snapshotContent)
        return cachedPreview.preview;
      const rules = rulesFolder.preview(texts);
      const synonyms = joinSynonyms(config.search.synonyms, () => rules)();
      // The preview has a separate snapshot with separate caches, so that shoppers' requests are not affected.
      const snapshot = createAssembler(() => {}, config, stock)({ ...snapshotContent, synonyms });
      cachedPreview = { cacheKey, snapshotContent, preview: { snapshot, rules } };
      return cachedPreview.preview;
    },
    readImportErrors: () => consoleState().importErrors,
    readSystemFacts: () => readSystemFacts(parts),
    readSetupProblems: createSetupChecks(storeDir, () => consoleState().settings.config, now),
  };
}

/** Milliseconds within which all event-loop threads load newly published search rules. */
const PUBLISH_DELAY_MS = 1_000;
/** Milliseconds for which an unused preview is cached. */
const CACHE_LIFETIME_MS = 60_000;

async function listPendingEvents(database: Database, limit: number): Promise<readonly PendingDelivery[]> {
  const deliveries = await readOldestUndeliveredEvents(database, limit);
  return deliveries.map(({ event: { id, type, createdAt }, state, ...delivery }) => ({
    ...{ id, type, createdAt, isDead: state === "dead" },
    ...delivery,
  }));
}

async function readSystemFacts({ storeDir, source, database, threads }: ConsoleResources): Promise<SystemSummary> {
  const { bsize, bavail } = await statfs(storeDir);
  const databaseBytes = "file" in source ? (await stat(source.file)).size : await sumServerBytes(database);
  return {
    version: readPackageVersion(),
    node: process.versions.node,
    database: "file" in source ? "SQLite" : "PostgreSQL",
    databaseBytes,
    freeDiskBytes: bsize * bavail,
    memoryBytes: process.memoryUsage.rss(),
    threads,
    uptimeMs: process.uptime() * 1_000,
  };
}

async function sumServerBytes(database: Database): Promise<number> {
  const [row] = await database.read("SELECT pg_database_size(current_database()) AS bytes");
  return Number(row?.bytes ?? 0);
}
