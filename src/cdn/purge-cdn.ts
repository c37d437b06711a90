import type { Catalog } from "../catalog/catalog.ts";
import { poll } from "../runtime/poll.ts";
import { readChangedKeys } from "../storage/catalog/changed-keys.ts";
import type { Database } from "../storage/database.ts";
import { findChangedTags, listProductTags } from "./changed-tags.ts";
import { createPurgeRequests, type PurgeSettings } from "./purge-requests.ts";

/** Removes changed pages from a CDN. */
export interface CdnPurge {
  /** Removes the pages that show changed rows of the catalog. */
  onCatalog(): void;
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
 * Milliseconds from a change to its purge, so that by then all threads render the new pages. Also the minimum between
 * two purges.
 */
const PURGE_DELAY_MS = 300;
/** Milliseconds between two reads of the catalog. Changes are usually purged earlier, because each one starts a read. */
const POLL_INTERVAL_MS = 1_000;
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
  /** Tags of the next purge, all older than the purge delay when it starts. */
  let nextTags = new Set<string>();
  /** Tags of the purge after the next. */
  let laterTags = new Set<string>();
  let isPurgeDue = false;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const runJob = (): void => {
    // The job logs its errors, and the next run repeats its work.
    job.runNow().catch(() => undefined);
  };
  const schedulePurge = (delayMs: number): void => {
    isPurgeDue = false;
    clearTimeout(timer);
    if (isClosed) return;
    timer = setTimeout(() => {
      isPurgeDue = true;
      runJob();
    }, delayMs).unref();
  };
  const addTags = (tags: Iterable<string>): void => {
    const isFirst = nextTags.size === 0;
    for (const tag of tags) (isFirst ? nextTags : laterTags).add(tag);
    if (isFirst && nextTags.size > 0) schedulePurge(PURGE_DELAY_MS);
  };
  const sendTags = async (tags: ReadonlySet<string>, signal: AbortSignal): Promise<void> => {
    const list = tags.has("shop") ? ["shop"] : ["any", ...tags];
    for (const request of createPurgeRequests(settings, list)) {
      const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
      const response = await fetch(url, { ...request, redirect: "error", signal: AbortSignal.any([signal, timeout]) });
      await response.body?.cancel();
      if (!response.ok)
        throw new Error(`${new URL(url).origin} answered ${response.status}: check the setting cdn.purge`);
    }
  };
  const purge = async (signal: AbortSignal): Promise<void> => {
    if (!isPurgeDue) return;
    isPurgeDue = false;
    const tags = nextTags;
    [nextTags, laterTags] = [laterTags, new Set()];
    if (nextTags.size > 0) schedulePurge(PURGE_DELAY_MS);
    try {
      await sendTags(tags, signal);
    } catch (error) {
      nextTags = new Set([...tags, ...nextTags, ...laterTags]);
      laterTags = new Set();
      if (nextTags.size > MAX_PENDING_TAGS) nextTags = new Set(["shop"]);
      schedulePurge(RETRY_DELAY_MS);
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
    const catalog = currentCatalog();
    if (catalog === knownCatalog) return;
    addTags(await readChangedTags(knownCatalog, catalog));
    knownCatalog = catalog;
  };
  const job = poll({ name: "purging the CDN", intervalMs: POLL_INTERVAL_MS, log }, async (signal) => {
    try {
      await purge(signal);
    } finally {
      await addChanges();
    }
  });
  // Purge all pages at the start: the theme, settings, or version may have changed while the server was stopped.
  addTags(["shop"]);
  return {
    onCatalog: runJob,
    onStock(variantIds) {
      for (const id of variantIds) {
        const handle = knownCatalog.findAnyVariant(id)?.product.handle;
        if (handle !== undefined) addTags(listProductTags(knownCatalog, handle));
      }
    },
    onSettings: () => addTags(["shop"]),
    close() {
      isClosed = true;
      clearTimeout(timer);
      return job.close();
    },
  };
}
