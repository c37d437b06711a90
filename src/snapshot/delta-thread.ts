import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { BuiltDelta } from "./build.ts";
import type { DeltaSource, DeltaTask, PlacedDelta } from "./delta-worker.ts";
import type { Deletes, LayersBelow } from "./layers.ts";

/**
 * Builds one delta at a time in a permanent thread. Starting a thread for each change would take far longer than most
 * changes, and use processor time that requests need.
 */
export function createDeltaThread(source: DeltaSource) {
  let running: Worker | undefined;
  const start = (): Worker => {
    if (running !== undefined) return running;
    const worker = new Worker(workerFile, { workerData: source });
    running = worker;
    const forget = () => {
      if (running === worker) running = undefined;
    };
    // Pending builds reject with the error, and the next build starts another thread.
    worker.on("error", forget).once("exit", forget);
    worker.unref();
    return worker;
  };
  const ask = <T>(task: DeltaTask): Promise<T> =>
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
    /** Builds a delta of the changes since the layers below.  @returns undefined if only a full build is possible */
    build: (below: LayersBelow): Promise<PlacedDelta | undefined> => ask<PlacedDelta | undefined>({ below }),
    /**
     * Returns the deletes of all layers after placing `above` over the others.  @param above built deltas, oldest first
     */
    stack: (below: LayersBelow, above: readonly BuiltDelta[]): Promise<Deletes> => ask<Deletes>({ below, above }),
    /** Stops the thread, which releases its memory. Builds in flight reject. */
    async stop() {
      const worker = running;
      running = undefined;
      await worker?.terminate();
    },
  };
}

const workerFile = new URL(`./delta-worker${extname(import.meta.url)}`, import.meta.url);
