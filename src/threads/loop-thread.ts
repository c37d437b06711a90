import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { CollectedMetrics } from "../observability/metrics.ts";
import type { SnapshotParts } from "../snapshot/feed.ts";
import { createPartsSender } from "../snapshot/posted-parts.ts";
import type { LoopOptions } from "./loop-worker.ts";
import { deserializeError, type FromLoop, type Place, type ToLoop } from "./messages.ts";
import type { PostedBases } from "./posted-bases.ts";

/** An event loop in a thread of its own, as the main thread sees it. */
export interface LoopThread {
  /** @throws what kept it from opening */
  readonly opened: Promise<void>;
  /** @throws the system's error where the place cannot be had */
  listen(place: Place): Promise<void>;
  show(parts: SnapshotParts): void;
  /** @returns undefined where it does not answer soon */
  collect(): Promise<CollectedMetrics | undefined>;
  tell(message: ToLoop): void;
  /** Answers what is in flight, then ends; at once where that takes too long. */
  close(): Promise<void>;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
}

export interface LoopEvents {
  /** Told what the thread asks of what there is once in a process. */
  readonly onMessage: (message: FromLoop) => void;
  /** It has ended. @param error what ended it, where that is known */
  readonly onEnd: (error: unknown) => void;
}

export function startLoopThread(
  options: Omit<LoopOptions, "parts">,
  parts: SnapshotParts,
  bases: PostedBases,
  { onMessage, onEnd }: LoopEvents,
): LoopThread {
  const post = createPartsSender(bases.idOf);
  const workerData: LoopOptions = { ...options, parts: post(parts) };
  const worker = new Worker(workerFile, {
    workerData,
    name: `loop ${options.thread}`,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  bases.send(parts, worker);
  const asked = new Map<number, (metrics: CollectedMetrics | undefined) => void>();
  let lastAsk = 0;
  const opening = Promise.withResolvers<void>();
  let listening = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let failure: unknown;
  const fail = (error: unknown): void => {
    failure ??= error;
    opening.reject(error);
    listening.reject(error);
  };
  // Who listens hears of it.
  for (const { promise } of [opening, listening]) promise.catch(() => undefined);
  const thread: LoopThread = {
    opened: opening.promise,
    listen(place) {
      listening = Promise.withResolvers();
      thread.tell({ kind: "listen", place });
      return listening.promise;
    },
    show(next) {
      bases.send(next, worker);
      thread.tell({ kind: "parts", parts: post(next) });
    },
    collect() {
      lastAsk += 1;
      const ask = lastAsk;
      thread.tell({ kind: "collect", ask });
      return new Promise((resolve) => {
        const answer = (metrics: CollectedMetrics | undefined): void => {
          clearTimeout(late);
          asked.delete(ask);
          resolve(metrics);
        };
        const late = setTimeout(answer, COLLECT_MS, undefined);
        asked.set(ask, answer);
      });
    },
    tell: (message) => worker.postMessage(message),
    async close() {
      thread.tell({ kind: "close" });
      const late = setTimeout(() => void worker.terminate(), CLOSE_MS);
      await ended.promise;
      clearTimeout(late);
    },
    kill: async () => void (await worker.terminate()),
  };
  worker.on("message", (message: FromLoop) => {
    if (message.kind === "open") opening.resolve();
    else if (message.kind === "listening") listening.resolve();
    else if (message.kind === "failed") fail(deserializeError(message.error));
    else if (message.kind === "collected") asked.get(message.ask)?.(message.metrics);
    else if (message.kind === "unused") bases.release(message.base, worker);
    else onMessage(message);
  });
  worker.once("error", fail).once("exit", () => {
    fail(failure ?? new Error("the thread ended"));
    bases.releaseAll(worker);
    for (const answer of asked.values()) answer(undefined);
    ended.resolve();
    onEnd(failure);
  });
  return thread;
}

/** Milliseconds in which a thread tells what it counted, and ends. */
const COLLECT_MS = 1_000;
const CLOSE_MS = 8_000;

/** Megabytes of heap for what was made lately. Half of what Node allows: under load that takes 30 MB less in each thread, and no more processor time; a
 *  quarter takes another 15 MB, and some hundredths more time. */
const YOUNG_MB = 48;

const workerFile = new URL(`./loop-worker${extname(import.meta.url)}`, import.meta.url);
