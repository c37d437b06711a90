import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { PackedBase } from "../catalog/packed/packed-catalog.ts";
import type { BuiltDelta } from "./build.ts";
import type { DeltaSource } from "./delta-worker.ts";

/** Builds what changed, one change at a time, in a thread that stays: to start one takes far longer than most changes do, and the
 *  processor of those who are served meanwhile. */
export interface DeltaThread {
  /** Starts it where it does not run, so that the next change need not wait for that. */
  start(): void;
  /** @returns undefined where only a whole build will do */
  build(base: PackedBase): Promise<BuiltDelta | undefined>;
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
  return {
    start,
    build: (base) =>
      new Promise((resolve, reject) => {
        const worker = start();
        const onExit = () => reject(new Error("the thread of changes ended before it was done"));
        worker.ref();
        worker.once("error", reject);
        worker.once("exit", onExit);
        worker.once("message", (delta: BuiltDelta | undefined) => {
          worker.off("error", reject).off("exit", onExit).unref();
          resolve(delta);
        });
        worker.postMessage(base);
      }),
    async stop() {
      const worker = running;
      running = undefined;
      await worker?.terminate();
    },
  };
}

const workerFile = new URL(`./delta-worker${extname(import.meta.url)}`, import.meta.url);
