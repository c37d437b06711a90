import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { DeltaLayer } from "./build.ts";
import type { DeltaBuildResult, IndexerOptions, IndexerTask } from "./delta-worker.ts";
import type { DocumentDeletes, OlderLayers } from "./layers.ts";

/**
 * Builds one delta (catalog changes with their index) at a time in a permanent thread. Starting a thread for each
 * change would take far longer than most changes, and use processor time that requests need.
 */
export function createDeltaThread(source: IndexerOptions) {
  let currentWorker: Worker | undefined;
  const start = (): Worker => {
    if (currentWorker !== undefined) return currentWorker;
    const worker = new Worker(workerFile, { workerData: source });
    currentWorker = worker;
    const removeWorker = () => {
      if (currentWorker === worker) currentWorker = undefined;
    };
    // Pending builds reject with the error, and the next build starts another thread.
    worker.on("error", removeWorker).once("exit", removeWorker);
    worker.unref();
    return worker;
  };
  let lastTask: Promise<void> | undefined;
  const sendTask = <T>(task: IndexerTask): Promise<T> => {
    const result = lastTask === undefined ? runTask<T>(task) : lastTask.then(() => runTask<T>(task));
    const end = result
      .catch(() => undefined)
      .then(() => {
        if (lastTask === end) lastTask = undefined;
      });
    lastTask = end;
    return result;
  };
  const runTask = <T>(task: IndexerTask): Promise<T> =>
    new Promise((resolve, reject) => {
      const worker = start();
      const onExit = () => reject(new Error("the delta thread ended before the build was complete"));
      worker.ref();
      worker.once("error", reject);
      worker.once("exit", onExit);
      worker.once("message", (answer: T) => {
        worker.off("error", reject).off("exit", onExit).unref();
        resolve(answer);
      });
      worker.postMessage(task);
    });
  return {
    /** Starts the thread unless it is running, so that the next change does not wait for the start. */
    start,
    /**
     * Builds a delta: the catalog changes since the newest of the given layers (full build and deltas), with their
     * index.
     * @returns undefined if only a full build is possible
     */
    build: (olderLayers: OlderLayers): Promise<DeltaBuildResult | undefined> =>
      sendTask<DeltaBuildResult | undefined>({ lowerLayers: olderLayers }),
    /**
     * Returns which documents in the full build and in each delta are obsolete, because newer deltas replace them.
     * @param addedLayers new deltas, oldest first
     */
    computeDeletes: (olderLayers: OlderLayers, addedLayers: readonly DeltaLayer[]): Promise<DocumentDeletes> =>
      sendTask<DocumentDeletes>({ lowerLayers: olderLayers, addedDeltas: addedLayers }),
    /** Writes a delta to a file.  @throws errors of the disk */
    save: (savedDelta: DeltaLayer, path: string, version: string): Promise<void> =>
      sendTask({ savedDelta, path, version }),
    /** Waits for the tasks so far. */
    waitUntilIdle: async (): Promise<void> => lastTask,
    /** Stops the thread, which releases its memory. Builds in flight reject. */
    async stop() {
      const worker = currentWorker;
      currentWorker = undefined;
      await worker?.terminate();
    },
  };
}

const workerFile = new URL(`./delta-worker${extname(import.meta.url)}`, import.meta.url);
