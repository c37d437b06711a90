import type { Config } from "../config/settings.ts";
import { listenForScrapes } from "../observability/metrics-listener.ts";
import { findFirstLoginPath } from "./first-login.ts";
import { type EventLoopThreads, startLoopThreads } from "./loop-threads.ts";
import { openStore, type StoreOptions } from "./open-store.ts";
import { sharePort } from "./shared-port.ts";

/** A shop with several event loops. */
export interface ThreadedApp {
  readonly config: Config;
  readonly loopThreads: Pick<EventLoopThreads, "kill" | "listeningThreads">;
  /**
   * Makes the shop listen.
   * @param port port number; 0 for any free port
   * @param spreadsConnections see `sharePort`
   * @returns the URL, such as "http://127.0.0.1:3000"
   */
  listen(host: string, port: number, spreadsConnections?: boolean): Promise<string>;
  /**
   * Starts a separate server that serves the metrics of all threads.
   * @param port port number; 0 for any free port
   * @returns the URL, such as "http://127.0.0.1:9464/metrics"
   */
  listenForScrapes(host: string, port: number): Promise<string>;
  /** See `App`. */
  findFirstLoginPath(): Promise<string | undefined>;
  /** Completes the requests in flight, then closes everything. */
  close(): Promise<void>;
}

/**
 * Opens a store folder as a shop with several threads. The calling thread opens the database, builds catalogs, and
 * replaces threads that end. Each other thread runs an event loop that answers requests.
 * @throws SetupError if the merchant can fix the cause
 */
export async function createThreadedApp(
  options: Omit<StoreOptions, "now" | "newId">,
  threads: number,
): Promise<ThreadedApp> {
  let eventLoops: EventLoopThreads | undefined;
  const store = await openStore(
    options,
    threads,
    (parts) => eventLoops?.updateSnapshot(parts),
    (state) => eventLoops?.sendConsoleState(state),
    (clicks) => eventLoops?.weighClicks(clicks),
  );
  const { metrics } = store;
  const cleanupTasks: (() => Promise<void>)[] = [store.close];
  const close = async (): Promise<void> => {
    for (const cleanupTask of cleanupTasks.splice(0).reverse()) await cleanupTask();
  };
  try {
    const eventLoopThreads = await startLoopThreads(store, threads, options.logLevel ?? "warn");
    eventLoops = eventLoopThreads;
    // Send the current snapshot and console state, because the threads missed all changes before they opened.
    eventLoops.updateSnapshot(store.feed.getSnapshotParts());
    eventLoops.sendConsoleState(store.consoleState());
    cleanupTasks.push(eventLoopThreads.close);
    return {
      config: store.config,
      loopThreads: eventLoopThreads,
      async listen(host, port, spreadsConnections) {
        const sharedPort = await sharePort(eventLoopThreads, host, port, spreadsConnections);
        cleanupTasks.push(sharedPort.close);
        return sharedPort.address;
      },
      async listenForScrapes(host, port) {
        if (metrics === undefined) throw new Error("metrics are off: set hasMetrics");
        const collectText = async (): Promise<string> => metrics.text(await eventLoopThreads.collect());
        const listener = await listenForScrapes({ text: collectText }, host, port);
        cleanupTasks.push(() => listener.close());
        return listener.address;
      },
      findFirstLoginPath: () => findFirstLoginPath(store),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
