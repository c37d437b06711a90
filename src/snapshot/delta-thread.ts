import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { BuiltDelta } from "./build.ts";
import type { DeltaSource, DeltaTask, LaidOver } from "./delta-worker.ts";
import type { Deletes, LayersBelow } from "./layers.ts";

/** Builds what changed, one change at a time, in a thread that stays: to start one takes far longer than most changes do, and the
 *  processor of those who are served meanwhile. */
export interface DeltaThread {
  /** Starts it where it does not run, so that the next change need not wait for that. */
  start(): void;
  /** Builds what changed since some layers. @returns undefined where only a whole build will do */
  build(below: LayersBelow): Promise<LaidOver | undefined>;
  /** Deletes of all layers once some, which are built already, lie over others. @param above the oldest first */
  stack(below: LayersBelow, above: readonly BuiltDelta[]): Promise<Deletes>;
  /** Ends it, and with it all that its memory holds on to; what is under way rejects. */
  stop(): Promise<void>;
}

export function createDeltaThread(source: DeltaSource): DeltaThread {
  let running: Worker | undefined;
  const start = (): Worker => {
    if (running !== undefined) return running;
    const worker = new Worker(workerFile, { workerData: source });
    running = worker;
    const forget = () => {
      if (running === worker) running = undefined;
    };
    // Who waits for a change hears of what goes wrong; the next change starts another.
    worker.on("error", forget).once("exit", forget);
    worker.unref();
    return worker;
  };
  const ask = <T>(task: DeltaTask): Promise<T> =>
    new Promise((resolve, reject) => {
      const worker = start();
      const onExit = () => reject(new Error("the thread of changes ended before it was done"));
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
    start,
    build: (below) => ask<LaidOver | undefined>({ below }),
    stack: (below, above) => ask<Deletes>({ below, above }),
    async stop() {
      const worker = running;
      running = undefined;
      await worker?.terminate();
    },
  };
}

const workerFile = new URL(`./delta-worker${extname(import.meta.url)}`, import.meta.url);
