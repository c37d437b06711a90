import { createServer } from "node:net";
import { listenForScrapes } from "../observability/metrics-listener.ts";
import { collectGarbage } from "../runtime/collect-garbage.ts";
import { closeServer, listenAt } from "../runtime/listen.ts";
import { findFirstLoginPath } from "./first-login.ts";
import { type EventLoopThreads, startLoopThreads } from "./loop-threads.ts";
import { openStore, type StoreOptions } from "./open-store.ts";

/**
 * Opens a store folder as a shop with several threads. The calling thread opens the database, builds catalogs, and
 * replaces threads that end. Each other thread runs an event loop that answers requests.
 * @throws SetupError if the merchant can fix the cause
 */
export async function createThreadedApp(options: Omit<StoreOptions, "now" | "newId">, threads: number) {
  let eventLoops: EventLoopThreads | undefined;
  const store = await openStore(
    options,
    threads,
    (parts) => eventLoops?.updateSnapshot(parts),
    (state) => eventLoops?.sendConsoleState(state),
    (clicks) => eventLoops?.weighClicks(clicks),
  );
  const { metrics } = store;
  // Closes the store if a later step fails.
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(store.close);
  const eventLoopThreads = await startLoopThreads(store, threads, options.logLevel ?? "warn");
  eventLoops = eventLoopThreads;
  // Send the current snapshot and console state, because the threads missed all changes before they opened.
  eventLoops.updateSnapshot(store.feed.getSnapshotParts());
  eventLoops.sendConsoleState(store.consoleState());
  cleanup.defer(eventLoopThreads.close);
  await collectGarbage();
  const resources = cleanup.move();
  return {
    config: store.config,
    loopThreads: eventLoopThreads,
    async listen(host: string, port: number): Promise<string> {
      // Listen without sharing first, which fails if the port is in use. With sharing, the system would allow a second
      // server on the same port.
      const probeServer = createServer();
      const url = await listenAt(probeServer, { host, port });
      await closeServer(probeServer);
      await eventLoopThreads.listen(host, Number(new URL(url).port));
      return url;
    },
    listenForScrapes(host: string, port: number): Promise<string> {
      const collectText = metrics && (async () => metrics.text(await eventLoopThreads.collect()));
      return listenForScrapes(collectText && { text: collectText }, resources, host, port);
    },
    findFirstLoginPath: () => findFirstLoginPath(store),
    close: () => resources.disposeAsync(),
  };
}
