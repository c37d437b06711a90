import type { SynonymGroup } from "@vitrine/search";
import { entryKinds } from "../catalog/catalog.ts";
import { openCatalog } from "../catalog/packed/packed-catalog.ts";
import type { CatalogSummary } from "../observability/catalog-metrics.ts";
import type { Log } from "../observability/log.ts";
import type { SignalTotals } from "../signals/signals.ts";
import type { CatalogDatabase } from "../storage/catalog/catalog-reader.ts";
import { readCatalogState } from "../storage/catalog/catalog-store.ts";
import type { Database } from "../storage/database.ts";
import { pollChanges } from "../storage/poll-changes.ts";
import { type BaseLayer, getIndexedLocales, type IndexedSettings } from "./build.ts";
import { type BuildListener, createSnapshotBuilder } from "./builder.ts";
import type { IndexFolder } from "./index-files.ts";
import { createLayerStack } from "./layer-stack.ts";
import { type CatalogLayers, createCatalogLayers, revisionOf } from "./layers.ts";
import { loadSavedIndex, registerFileCloser } from "./load.ts";
import type { ObjectStore } from "./shared/object-store.ts";
import { countBytes } from "./size.ts";

/**
 * Parts from which each thread creates its own snapshot (the catalog and its search index). They are plain data, most
 * of it in shared memory.
 */
export interface SnapshotContent {
  readonly layers: CatalogLayers;
  readonly synonyms: readonly SynonymGroup[];
  readonly signals: SignalTotals;
}

/** Current snapshot parts, synchronized with the database. */
export interface SnapshotFeed {
  /** Returns the current snapshot parts, even if the database is unavailable. */
  readonly getSnapshotParts: () => SnapshotContent;
  /** Reads changes immediately. @throws errors of the build; the previous parts stay current */
  refresh(): Promise<void>;
  /** Schedules a full build to replace one that contains a damaged row. */
  markDamaged(damagedLayer: BaseLayer): void;
  /** Returns the sizes of the current snapshot, for metrics. */
  getFacts(): CatalogSummary;
  close(): Promise<void>;
}

export interface FeedOptions {
  /** Database that contains the catalog. Build threads open their own connections to it. */
  readonly source: CatalogDatabase;
  readonly database: Database;
  readonly config: IndexedSettings;
  /**
   * Returns groups of words with the same meaning. It must return the same list until the groups change, because it is
   * called often and a new list counts as a change.
   */
  readonly synonyms: () => readonly SynonymGroup[];
  /**
   * Returns totals of searches, clicks, and sales. It must return the same object until they change, because it is
   * called often and a new object counts as a change. Default: no signals.
   */
  readonly signals?: () => SignalTotals;
  /** Folder of saved full builds, which the next start loads. Default: builds are not saved. */
  readonly folder?: IndexFolder;
  /** Storage of the index that several servers share; requires `folder`. Default: each server builds its own index. */
  readonly sharedStore?: ObjectStore | undefined;
  /** Whether saved builds are only read. Commands set it, because they would end before a build is written. */
  readonly isReadOnly?: boolean;
  readonly log: Pick<Log, "warn" | "recurring">;
  /** Returns a random id of at least 128 bits. */
  readonly newId: () => string;
  readonly onBuilt?: BuildListener | undefined;
}

const JOB_NAME = "reading the catalog";
const emptySignals: SignalTotals = { popularSearches: [], clicks: [], sales: [], pairs: [] };
/** Milliseconds after the start at which the thread that indexes catalog changes is started. */
const INDEXER_START_DELAY_MS = 5_000;

/**
 * Opens the catalog of a database and watches it for changes.
 * @param onSnapshot receives the parts after each change
 * @throws if the first parts cannot be built
 */
export async function openFeed(
  options: FeedOptions,
  onSnapshot: (parts: SnapshotContent) => void,
): Promise<SnapshotFeed> {
  const { database, log, sharedStore } = options;
  const folder = options.folder && { ...options.folder, keepsOldFiles: sharedStore !== undefined };
  const builder = createSnapshotBuilder({
    ...options,
    folder: options.isReadOnly === true ? undefined : folder,
    locales: getIndexedLocales(options.config),
    onSaveError: (error) => log.warn({ error }, "the index could not be saved; the next start rebuilds it"),
  });
  let isClosed = false;
  const loaderOptions = { database, newId: options.newId };
  const warnAboutFile = (message: string): void => log.warn({}, message);
  const loadSavedLayers = async (): Promise<CatalogLayers | undefined> => {
    const base = folder && (await loadSavedIndex({ ...loaderOptions, folder, warn: warnAboutFile }));
    return base && createCatalogLayers(base);
  };
  const sharedIndex =
    folder &&
    sharedStore &&
    (await import("./shared/shared-index.ts")).openSharedIndex({ ...options, folder, store: sharedStore, builder });
  const readInitialLayers = async (): Promise<CatalogLayers> =>
    (await (sharedIndex === undefined ? loadSavedLayers() : sharedIndex.start(loadSavedLayers))) ??
    createCatalogLayers(await builder.base(false));
  const initialLayers = await readInitialLayers().catch(async (error: unknown) => {
    await sharedIndex?.close();
    throw error;
  });
  let closeTextFile = registerFileCloser(initialLayers.base);
  const warn = (error: unknown): void => {
    if (!isClosed) log.recurring({ error }, `${JOB_NAME} failed`);
  };
  const onBaseLayerBuilt = (baseLayer: BaseLayer): void => {
    closeTextFile = registerFileCloser(baseLayer);
  };
  const layerStack = createLayerStack({ database, builder, initialLayers, onNewBase: onBaseLayerBuilt, warn });
  const { signals: readSignals = () => emptySignals } = options;
  let signals = readSignals();
  let synonyms = options.synonyms();

  const updateLayers = async (): Promise<CatalogLayers> => {
    if (sharedIndex !== undefined) {
      await sharedIndex.update(layerStack);
      return sharedIndex.rollbackLayers() ?? layerStack.current();
    }
    const state = await readCatalogState(database);
    if (state.revision !== revisionOf(layerStack.current()) || layerStack.hasPendingBuild())
      await layerStack.catchUp(state);
    return layerStack.current();
  };
  /** Applies changes of the database.  @returns whether the parts changed */
  const applyDatabaseChanges = async (): Promise<boolean> => {
    const layers = await updateLayers();
    const hasNewSynonyms = options.synonyms() !== synonyms;
    synonyms = options.synonyms();
    const hasNewSignals = readSignals() !== signals;
    signals = readSignals();
    if (layers === parts.layers && !hasNewSynonyms && !hasNewSignals) return false;
    parts = { layers, synonyms, signals };
    return true;
  };

  let parts: SnapshotContent = { layers: layerStack.current(), synonyms, signals };
  // A saved catalog may be older than the database.
  if (folder !== undefined) await applyDatabaseChanges();
  const job = pollChanges(database, "catalog", { name: JOB_NAME, log }, async () => {
    if (await applyDatabaseChanges()) onSnapshot(parts);
  });
  const threadStartTimer = setTimeout(builder.startDeltaThread, INDEXER_START_DELAY_MS).unref();

  return {
    getSnapshotParts: () => parts,
    refresh: job.runNow,
    markDamaged: layerStack.markDamaged,
    getFacts: () => summarizeLayers(parts.layers),
    async close() {
      isClosed = true;
      clearTimeout(threadStartTimer);
      const jobClosePromise = job.close();
      await sharedIndex?.close();
      await builder.close();
      await Promise.all([jobClosePromise, layerStack.close()]);
      closeTextFile();
    },
  };
}

function summarizeLayers(layers: CatalogLayers): CatalogSummary {
  const { base, deltas } = layers;
  const segments = [base, ...deltas].map(({ segment }) => segment);
  const leaves = segments.flatMap((segment) => segment.leaves);
  const packedDeltas = deltas.map(({ delta }) => delta);
  const catalog = openCatalog(base.base, packedDeltas);
  return {
    revision: catalog.revision,
    entries: Object.fromEntries(entryKinds.map((kind) => [kind, catalog.numbers(kind).length])),
    documents: leaves.reduce((sum, leaf) => sum + leaf.documents.externalIds.length, 0),
    indexBytes: countBytes(segments),
    catalogBytes: countBytes([base.base, ...packedDeltas]),
  };
}
