import type { Catalog } from "../catalog/catalog.ts";
import { poll } from "../runtime/poll.ts";
import { readChangedKeys } from "../storage/catalog/changed-keys.ts";
import type { Database } from "../storage/database.ts";
import { findChangedTags, listProductTags } from "./changed-tags.ts";
import { createPurgeRequests, type PurgeSettings } from "./purge-requests.ts";

/** Removes changed pages from a CDN. */
export interface CdnPurge {
  /** Removes the pages that show these variants, after a change of their stock. */
  onStock(variantIds: readonly string[]): void;
  /** Removes all pages, after a change of the settings. */
  onSettings(): void;
  close(): Promise<void>;
}

/** Parts of the server that purging the CDN requires. */
export interface PurgeResources {
  readonly database: Database;
  /** Returns the current catalog: the same object until it changes. */
  readonly currentCatalog: () => Catalog;
  readonly log: Parameters<typeof poll>[0]["log"];
}

/**
 * Milliseconds between two purges. Each change is purged one interval after it was found, so that by then all threads
 * and servers render the new pages.
 */
const PURGE_INTERVAL_MS = 300;
const REQUEST_TIMEOUT_MS = 5_000;
/** Milliseconds to wait after a failed purge request. */
const RETRY_DELAY_MS = 2_000;
/** Maximum number of tags that wait while the CDN is unavailable. With more, all pages are purged. */
const MAX_PENDING_TAGS = 10_000;
/** Maximum number of changed rows whose tags are purged one by one. More rows purge all pages. */
const MAX_CHANGED_ROWS = 500;

/**
 * Starts to purge changed pages. Every server does this, because the CDN could store an old page from one server after
 * the purge by another server.
 * @param url URL of the purge requests
 */
export function startCdnPurge(
  url: string,
  settings: PurgeSettings,
  { database, currentCatalog, log }: PurgeResources,
): CdnPurge {
  let knownCatalog = currentCatalog();
  // Purge all pages at the start: the theme, settings, or version may have changed while the server was stopped.
  let pendingTags = new Set(["shop"]);
  let haveSettingsChanged = false;
  let nextRetryTime = 0;

  const send = async (signal: AbortSignal): Promise<void> => {
    if (pendingTags.size === 0 || performance.now() < nextRetryTime) return;
    const tags = pendingTags;
    pendingTags = new Set();
    try {
      const list = tags.has("shop") ? ["shop"] : ["any", ...tags];
      for (const request of createPurgeRequests(settings, list)) {
        const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
        const response = await fetch(url, {
          ...request,
          redirect: "error",
          signal: AbortSignal.any([signal, timeout]),
        });
        await response.body?.cancel();
        if (!response.ok)
          throw new Error(`${new URL(url).origin} answered ${response.status}: check the setting cdn.purge`);
      }
    } catch (error) {
      pendingTags = new Set([...tags, ...pendingTags]);
      if (pendingTags.size > MAX_PENDING_TAGS) pendingTags = new Set(["shop"]);
      nextRetryTime = performance.now() + RETRY_DELAY_MS;
      throw error;
    }
  };
  const readChangedTags = async (previousCatalog: Catalog, after: Catalog): Promise<Iterable<string>> => {
    // A rollback shows an earlier revision.
    if (after.revision < previousCatalog.revision) return ["shop"];
    const keys = await readChangedKeys(database, previousCatalog.revision, after.revision, MAX_CHANGED_ROWS + 1);
    return keys.length > MAX_CHANGED_ROWS ? ["shop"] : findChangedTags(previousCatalog, after, keys);
  };
  const addChanges = async (): Promise<void> => {
    if (haveSettingsChanged) pendingTags.add("shop");
    haveSettingsChanged = false;
    const catalog = currentCatalog();
    if (catalog === knownCatalog) return;
    for (const tag of await readChangedTags(knownCatalog, catalog)) pendingTags.add(tag);
    knownCatalog = catalog;
  };
  const job = poll({ name: "purging the CDN", intervalMs: PURGE_INTERVAL_MS, log }, async (signal) => {
    try {
      await send(signal);
    } finally {
      await addChanges();
    }
  });
  return {
    onStock(variantIds) {
      for (const id of variantIds) {
        const handle = knownCatalog.findAnyVariant(id)?.product.handle;
        if (handle !== undefined) for (const tag of listProductTags(knownCatalog, handle)) pendingTags.add(tag);
      }
    },
    onSettings() {
      haveSettingsChanged = true;
    },
    close: job.close,
  };
}
