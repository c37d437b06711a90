import type { ConsoleState } from "../console/console.ts";
import type { CollectedMetrics } from "../observability/metrics.ts";
import type { ClicksHandler } from "../signals/signals.ts";
import type { SnapshotContent } from "../snapshot/feed.ts";
import { createSnapshotSenders } from "../snapshot/transferred-parts.ts";
import { type EventLoopThread, startLoopThread } from "./loop-thread.ts";
import type { MessageFromThread } from "./messages.ts";
import type { OpenStore } from "./open-store.ts";

/** All event-loop threads of a shop. If one crashes, only its own requests fail, and another one replaces it. */
export interface EventLoopThreads {
  /** Makes all event-loop threads listen at one address.  @throws the system's error if it is not available */
  listen(host: string, port: number): Promise<void>;
  updateSnapshot(parts: SnapshotContent): void;
  sendConsoleState(state: ConsoleState): void;
  readonly weighClicks: ClicksHandler;
  collect(): Promise<readonly CollectedMetrics[]>;
  /** Ends an event-loop thread immediately, as a crash would. */
  kill(thread: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts the event-loop threads of a shop.  @throws the error that prevents a thread from opening the shop */
export async function startLoopThreads(store: OpenStore, threads: number, logLevel: string): Promise<EventLoopThreads> {
  const { storeDir, config, secrets, source, cartDatabaseSources, feed, log, memory } = store;
  const snapshotSenders = createSnapshotSenders();
  const connections = new Int32Array(memory.openConnections);
  const sharedOptions = { storeDir, config, secrets, source, cartDatabaseSources, memory, threads, logLevel };
  const runningThreads = new Map<number, EventLoopThread>();
  const timers = new Set<NodeJS.Timeout>();
  let address: { readonly host: string; readonly port: number } | undefined;
  // After the start and until the close, threads that end are replaced.
  let isRunning = false;

  const onMessage = (message: MessageFromThread): void => {
    if (message.kind === "connect") store.connectableDatabase.connect?.(message.role, message.port);
    else if (message.kind === "damaged") {
      const baseLayer = snapshotSenders.find(message.base);
      if (baseLayer !== undefined) feed.markDamaged(baseLayer);
    } else if (message.kind === "settings") void store.reloadSettings().catch(() => undefined);
    else if (message.kind === "events") store.signals.take(message.events);
    else if (message.kind === "weighed") store.signals.count(message.clicks);
  };
  const startThread = (thread: number): EventLoopThread => {
    const startedAt = performance.now();
    const hasMetrics = store.metrics !== undefined;
    const eventLoop = startLoopThread(
      { ...sharedOptions, thread, hasMetrics, consoleState: store.consoleState() },
      feed.getSnapshotParts(),
      snapshotSenders.connect(),
      {
        onMessage,
        onEnd(error) {
          runningThreads.delete(thread);
          connections[thread] = 0;
          if (!isRunning) return;
          log.error({ error }, "a thread ended, and its requests failed: another thread replaces it");
          const lifetimeMs = performance.now() - startedAt;
          const timer = setTimeout(
            () => {
              timers.delete(timer);
              void restartThread(thread);
            },
            lifetimeMs < MIN_LIFETIME_MS ? RESTART_DELAY_MS : 0,
          );
          timers.add(timer);
        },
      },
    );
    runningThreads.set(thread, eventLoop);
    return eventLoop;
  };
  const restartThread = async (thread: number): Promise<void> => {
    const eventLoop = startThread(thread);
    try {
      await eventLoop.openPromise;
      if (address !== undefined) await eventLoop.listen(address.host, address.port);
    } catch {
      // When the thread ends, another replacement is started.
      await eventLoop.kill();
    }
  };
  const close = async (): Promise<void> => {
    isRunning = false;
    for (const timer of timers) clearTimeout(timer);
    await Promise.all(runningThreads.values().map((eventLoop) => eventLoop.close()));
  };

  const startingThreads = Array.from({ length: threads }, (_, thread) => startThread(thread));
  try {
    await Promise.all(startingThreads.map(({ openPromise }) => openPromise));
    isRunning = true;
  } catch (error) {
    await close();
    throw error;
  }
  return {
    async listen(host, port) {
      address = { host, port };
      await Promise.all(runningThreads.values().map((eventLoop) => eventLoop.listen(host, port)));
    },
    updateSnapshot(parts) {
      for (const eventLoop of runningThreads.values()) eventLoop.updateSnapshot(parts);
    },
    sendConsoleState(state) {
      for (const eventLoop of runningThreads.values()) eventLoop.send({ kind: "console", state });
    },
    weighClicks(clicks) {
      // Every event-loop thread has the search index, so any of them can compute the weights of clicks.
      const [eventLoop] = runningThreads.values();
      eventLoop?.send({ kind: "clicks", clicks });
    },
    async collect() {
      const results = await Promise.all(runningThreads.values().map((eventLoop) => eventLoop.collect()));
      return results.filter((metrics) => metrics !== undefined);
    },
    kill: async (thread) => runningThreads.get(thread)?.kill(),
    close,
  };
}

/** Minimum lifetime of an event-loop thread in milliseconds. A thread that ends sooner is restarted with a delay. */
const MIN_LIFETIME_MS = 5_000;
const RESTART_DELAY_MS = 1_000;
