import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { CollectedMetrics } from "../observability/metrics.ts";
import type { SnapshotContent } from "../snapshot/feed.ts";
import type { SnapshotSender } from "../snapshot/transferred-parts.ts";
import type { EventLoopOptions } from "./loop-worker.ts";
import { deserializeError, type MessageFromThread, type MessageToThread } from "./messages.ts";

/** Controls an event loop that runs in another thread. The main thread has one of these objects for each loop. */
export interface EventLoopThread {
  /** Resolves when the thread has opened the shop and is ready to listen.  @throws the error that prevented opening */
  readonly openPromise: Promise<void>;
  /** Makes the thread listen at an address.  @throws the system's error if the address is not available */
  listen(host: string, port: number): Promise<void>;
  updateSnapshot(parts: SnapshotContent): void;
  /** Collects the metrics of the thread.  @returns undefined if the thread does not answer within a second */
  collect(): Promise<CollectedMetrics | undefined>;
  send(message: MessageToThread): void;
  /** Ends the thread after the requests in flight, or after a time limit. */
  close(): Promise<void>;
  /** Ends the thread immediately, as a crash would. */
  kill(): Promise<void>;
}

export interface EventLoopCallbacks {
  /** Receives messages that concern resources of the whole process. */
  readonly onMessage: (message: MessageFromThread) => void;
  /** Called when the thread has ended.  @param error the cause, if known */
  readonly onEnd: (error: unknown) => void;
}

export function startLoopThread(
  options: Omit<EventLoopOptions, "parts">,
  parts: SnapshotContent,
  sender: SnapshotSender,
  { onMessage, onEnd }: EventLoopCallbacks,
): EventLoopThread {
  const workerData: EventLoopOptions = { ...options, parts: sender.prepare(parts) };
  const worker = new Worker(workerFile, {
    workerData,
    name: `loop ${options.thread}`,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  const pendingRequests = new Map<number, (metrics: CollectedMetrics | undefined) => void>();
  let lastRequestId = 0;
  const openResult = Promise.withResolvers<void>();
  let listenResult = Promise.withResolvers<void>();
  const exitResult = Promise.withResolvers<void>();
  let failure: unknown;
  const rejectWithError = (error: unknown): void => {
    failure ??= error;
    openResult.reject(error);
    listenResult.reject(error);
  };
  // Callers may ignore these promises, which must not cause unhandled rejections.
  for (const { promise } of [openResult, listenResult]) promise.catch(() => undefined);
  const thread: EventLoopThread = {
    openPromise: openResult.promise,
    listen(host, port) {
      listenResult = Promise.withResolvers();
      thread.send({ kind: "listen", host, port });
      return listenResult.promise;
    },
    updateSnapshot(snapshotContent) {
      thread.send({ kind: "parts", parts: sender.prepare(snapshotContent) });
    },
    collect() {
      lastRequestId += 1;
      const request = lastRequestId;
      thread.send({ kind: "collect", request });
      return new Promise((resolve) => {
        const respond = (metrics: CollectedMetrics | undefined): void => {
          clearTimeout(timer);
          pendingRequests.delete(request);
          resolve(metrics);
        };
        const timer = setTimeout(respond, METRICS_TIMEOUT_MS, undefined);
        pendingRequests.set(request, respond);
      });
    },
    send: (message) => worker.postMessage(message),
    async close() {
      thread.send({ kind: "close" });
      const timer = setTimeout(() => void worker.terminate(), CLOSE_TIMEOUT_MS);
      await exitResult.promise;
      clearTimeout(timer);
    },
    kill: async () => void (await worker.terminate()),
  };
  worker.on("message", (message: MessageFromThread) => {
    if (message.kind === "open") openResult.resolve();
    else if (message.kind === "listening") listenResult.resolve();
    else if (message.kind === "failed") rejectWithError(deserializeError(message.error));
    else if (message.kind === "collected") pendingRequests.get(message.request)?.(message.metrics);
    else if (message.kind === "unused") sender.release(message.base);
    else onMessage(message);
  });
  worker.once("error", rejectWithError).once("exit", () => {
    rejectWithError(failure ?? new Error("the thread ended"));
    sender.close();
    for (const respond of pendingRequests.values()) respond(undefined);
    exitResult.resolve();
    onEnd(failure);
  });
  return thread;
}

/** Maximum milliseconds for a thread to report its metrics. */
const METRICS_TIMEOUT_MS = 1_000;
const CLOSE_TIMEOUT_MS = 8_000;

/**
 * Megabytes of the young generation's heap: half of Node's default. Under load this saves 30 MB per thread at the same
 * processor time. A quarter would save another 15 MB, but take a few percent more time.
 */
const YOUNG_GENERATION_MB = 48;

const workerFile = new URL(`./loop-worker${extname(import.meta.url)}`, import.meta.url);
