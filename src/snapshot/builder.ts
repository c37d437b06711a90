import { rm } from "node:fs/promises";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { CatalogDatabase } from "../storage/catalog/catalog-reader.ts";
import { isCatalogSmall } from "../storage/catalog/catalog-store.ts";
import type { Database } from "../storage/database.ts";
import type { BaseLayer, DeltaLayer, Locales } from "./build.ts";
import { type BuildMessage, type BuildTask, runBuild } from "./build-task.ts";
import { createDeltaThread } from "./delta-thread.ts";
import type { DeltaBuildResult } from "./delta-worker.ts";
import type { IndexFolder } from "./index-files.ts";
import type { DocumentDeletes, OlderLayers } from "./layers.ts";

/**
 * Builds the catalog and its search index, or the changes to them, in other threads. The thread of a full build ends
 * after the build, which releases its memory. The first build of a small catalog runs in this thread, because starting
 * another thread would take longer.
 */
export interface SnapshotBuilder {
  /** Builds the full catalog.  @param isInBackground whether the server handles requests during the build */
  base(isInBackground: boolean): Promise<BaseLayer>;
  /**
   * Builds a delta: the catalog changes since the newest of the given layers (full build and deltas), with their index.
   * @param rowCount number of changed rows. Many rows are indexed at low priority, and few at normal priority, because
   *   a busy machine would delay them by seconds
   * @returns undefined if only a full build is possible
   */
  delta(olderLayers: OlderLayers, rowCount: number): Promise<DeltaBuildResult | undefined>;
  /** Merges several deltas into one. This runs in the background, so calls of `delta` do not wait for it. */
  merge(olderLayers: OlderLayers): Promise<DeltaBuildResult | undefined>;
  /**
   * Returns which documents in the full build and in each delta are obsolete, because newer deltas replace them.
   * @param addedLayers new deltas, oldest first
   */
  computeDeletes(olderLayers: OlderLayers, addedLayers: readonly DeltaLayer[]): Promise<DocumentDeletes>;
  /** Writes a delta to a file.  @throws errors of the disk */
  saveDelta(delta: DeltaLayer, path: string, version: string): Promise<void>;
  /** Waits until a full build is saved in the folder, or could not be saved. */
  waitForSave(baseLayer: BaseLayer): Promise<void>;
  /** Starts the thread that indexes catalog changes, unless it is running. */
  startDeltaThread(): void;
  /** Releases the memory of the old full build, after a newer full build has replaced it. */
  releaseBaseLayer(): Promise<void>;
  /** Stops running builds. They reject, and so do later builds. */
  close(): Promise<void>;
}

/** Maximum number of changed rows that are indexed at normal priority. They take about 0.1 s. */
const MAX_SMALL_DELTA_ROWS = 1_000;

/** Maximum rows and bytes of JSON for a build that takes less time than starting a thread. */
const SMALL_BUILD = { rows: 1_000, bytes: 300_000 };

/** Kind of build: the full catalog, its latest changes, or a merge of earlier changes. */
export type BuildKind = "whole" | "changes" | "merge";

/** Receives the duration of each build.  @param isSuccess whether the build succeeded */
export type BuildListener = (part: BuildKind, ms: number, isSuccess: boolean) => void;

export interface BuilderOptions {
  /** Database that contains the catalog. Builds open their own connections to it. */
  readonly source: CatalogDatabase;
  readonly database: Database;
  readonly locales: Locales;
  /** Folder of saved full builds; undefined if builds are not saved. */
  readonly folder?: IndexFolder | undefined;
  readonly onBuilt?: BuildListener | undefined;
  /** Receives the errors of saving a full build. */
  readonly onSaveError: (error: unknown) => void;
}

export function createSnapshotBuilder({
  source,
  database,
  locales,
  folder,
  onBuilt,
  onSaveError,
}: BuilderOptions): SnapshotBuilder {
  /** Build threads, with promises that resolve when they have ended and no unfinished file is left. */
  const workers = new Map<Worker, Promise<void>>();
  const savePromises = new WeakMap<BaseLayer, Promise<void>>();
  const changes = createDeltaThread({ source, locales, isLowPriority: false });
  const largeChanges = createDeltaThread({ source, locales, isLowPriority: true });
  const merges = createDeltaThread({ source, locales, isLowPriority: true });
  let isClosed = false;
  const startDeltaThread = (): void => {
    if (!isClosed) changes.start();
  };
  const measureBuild = async <T>(part: BuildKind, startBuild: () => Promise<T>): Promise<T> => {
    if (isClosed) throw new Error("the shop is closing: builds have stopped");
    const start = performance.now();
    let isSuccess = false;
    try {
      const result = await startBuild();
      isSuccess = true;
      return result;
    } finally {
      onBuilt?.(part, performance.now() - start, isSuccess);
    }
  };
  const buildInThisThread = async (task: BuildTask): Promise<BaseLayer> => {
    let baseLayer: BaseLayer | undefined;
    await runBuild(task, (message) => {
      if ("saveError" in message) onSaveError(message.saveError);
      else if ("base" in message) baseLayer = message.base;
    });
    if (baseLayer === undefined) throw new Error("the build ended without a snapshot");
    return baseLayer;
  };
  const buildInWorker = (task: BuildTask): Promise<BaseLayer> =>
    new Promise((resolve, reject) => {
      // The thread opens the file of the catalog's strings, which must stay open after the thread ends.
      const worker = new Worker(workerFile, { workerData: task, trackUnmanagedFds: false });
      let partialDir: string | undefined;
      const removePartialDir = async (): Promise<void> => {
        // A thread that was terminated or failed cannot remove its unfinished file.
        if (partialDir !== undefined) await rm(partialDir, { recursive: true, force: true }).catch(onSaveError);
        workers.delete(worker);
      };
      const exitPromise = new Promise((resolvePromise) => worker.once("exit", resolvePromise)).then(removePartialDir);
      workers.set(worker, exitPromise);
      worker.on("message", (message: BuildMessage) => {
        if ("saveError" in message) return onSaveError(message.saveError);
        if ("partialDir" in message) {
          partialDir = message.partialDir;
          return;
        }
        savePromises.set(message.base, exitPromise);
        resolve(message.base);
      });
      worker.once("error", reject);
      worker.once("exit", () => reject(new Error("the build thread ended before the build was complete")));
    });
  return {
    base: (isInBackground) =>
      measureBuild("whole", async () => {
        const task = { source, locales, isInBackground, ...(folder === undefined ? {} : { folder }) };
        return !isInBackground && (await isCatalogSmall(database, SMALL_BUILD))
          ? await buildInThisThread(task)
          : await buildInWorker(task);
      }),
    delta: (olderLayers, rowCount) =>
      rowCount <= MAX_SMALL_DELTA_ROWS
        ? measureBuild("changes", () => changes.build(olderLayers))
        : measureBuild("changes", () => largeChanges.build(olderLayers)).finally(() => largeChanges.stop()),
    merge: (olderLayers) => measureBuild("merge", () => merges.build(olderLayers)).finally(() => merges.stop()),
    computeDeletes: (olderLayers, addedLayers) => changes.computeDeletes(olderLayers, addedLayers),
    saveDelta: (delta, path, version) => changes.save(delta, path, version),
    waitForSave: async (baseLayer) => savePromises.get(baseLayer),
    startDeltaThread,
    async releaseBaseLayer() {
      await changes.waitUntilIdle();
      await changes.stop();
      startDeltaThread();
    },
    async close() {
      isClosed = true;
      const stopBuild = async ([worker, exitPromise]: readonly [Worker, Promise<void>]): Promise<void> => {
        await worker.terminate();
        await exitPromise;
      };
      await Promise.all([...[changes, largeChanges, merges].map(({ stop }) => stop()), ...[...workers].map(stopBuild)]);
    },
  };
}

const workerFile = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);
