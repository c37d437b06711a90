import { availableParallelism, totalmem } from "node:os";
import { resolve } from "node:path";
import { loadConfig } from "./config/load-config.ts";
import type { Config } from "./config/settings.ts";
import { listenForScrapes } from "./observability/metrics-listener.ts";
import type { Shop } from "./shop.ts";
import { findFirstLoginPath } from "./threads/first-login.ts";
import type { EventLoop } from "./threads/open-loop.ts";
import { openStore, type StoreOptions } from "./threads/open-store.ts";
import { createThreadedApp } from "./threads/threaded-app.ts";

/** A shop that is ready to listen, in one thread or in several. */
export interface App {
  readonly config: Config;
  /**
   * Starts to serve the shop.
   * @param port port number; 0 for any free port
   * @returns the URL of the shop, such as "http://127.0.0.1:3000"
   */
  listen(host: string, port: number): Promise<string>;
  /**
   * Serves only the metrics.
   * @param port port number; 0 for any free port
   * @returns the URL of the metrics, such as "http://127.0.0.1:9464/metrics"
   */
  listenForScrapes(host: string, port: number): Promise<string>;
  /**
   * Returns the path of a link to the first login of the console.
   * @returns undefined if the console is off, or an access token for it was created before
   */
  findFirstLoginPath(): Promise<string | undefined>;
  /** Completes the requests in flight and closes all resources. */
  close(): Promise<void>;
}

/** A shop in this thread, with access to its components. */
export interface LocalApp extends App {
  readonly shop: Shop;
}

/** Whether the system spreads connections over the threads that listen at one port. */
const canSharePorts = ["linux", "freebsd", "dragonfly", "sunos", "aix"].includes(process.platform);

/**
 * Bytes of memory per event loop. Under load, a server with 100,000 products takes 390 MB with one loop, and 350 MB more
 * with each further loop.
 */
const MEMORY_PER_LOOP = 512 << 20;

/**
 * Returns the default number of event loops: one per processor core, or fewer if they would need more memory than there
 * is. The heap of each loop grows without regard to the others, and the system stops a process that exceeds its limit.
 * @param memory bytes of the machine or of its container
 */
export function countEventLoops(cores: number, memory: number): number {
  return Math.max(1, Math.min(cores, Math.floor(memory / MEMORY_PER_LOOP)));
}

/** Returns the bytes of memory that this process may use. */
function getMemoryLimit(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/**
 * Opens a store folder as a shop. The number of threads is `options.threads`, the setting, or that of
 * {@link countEventLoops}, in this order. It is 1 on systems whose threads cannot share a port.
 * @throws SetupError if the merchant can fix the cause
 */
export async function createServerApp(options: StoreOptions & { readonly threads?: number }): Promise<App> {
  const config = await loadConfig(resolve(options.storeDir), options.config);
  const threadCount =
    options.threads ?? config.server.threads ?? countEventLoops(availableParallelism(), getMemoryLimit());
  const threads = canSharePorts ? threadCount : 1;
  return threads === 1 ? createApp(options, true) : createThreadedApp(options, threads);
}

/**
 * Opens a store folder as a shop in this thread, with its settings, database, catalog, theme, and server.
 * @param freesMemory whether to free the memory that only the start needed
 * @throws SetupError if the merchant can fix the cause
 */
export async function createApp(options: StoreOptions, freesMemory = false): Promise<LocalApp> {
  // Imported dynamically, because the main thread of a shop with several threads does not need these modules.
  const [{ createAssembler }, { openLoop }] = await Promise.all([
    import("./snapshot/snapshot.ts"),
    import("./threads/open-loop.ts"),
  ]);
  const store = await openStore(
    options,
    1,
    (parts) => {
      snapshot = assembleSnapshot(parts);
    },
    () => {},
    (clicks) => eventLoop?.weighClicks(clicks),
  );
  let eventLoop: EventLoop | undefined;
  const assembleSnapshot = createAssembler(store.feed.markDamaged, store.config, store.stock);
  let snapshot = assembleSnapshot(store.feed.getSnapshotParts());
  // Closes the store if a later step fails.
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(store.close);
  const openedEventLoop = await openLoop({
    ...store,
    freesMemory,
    // Only this process changes the carts in a SQLite file. A database server may have other clients.
    hasExclusiveCarts: "file" in store.source,
    thread: 0,
    threads: 1,
    snapshot: () => snapshot,
    getSnapshotParts: store.feed.getSnapshotParts,
  });
  eventLoop = openedEventLoop;
  cleanup.defer(openedEventLoop.close);
  const resources = cleanup.move();
  return {
    config: store.config,
    shop: openedEventLoop.shop,
    listen: openedEventLoop.listen,
    listenForScrapes: (host, port) => listenForScrapes(store.metrics, resources, host, port),
    findFirstLoginPath: () => findFirstLoginPath(store),
    close: () => resources.disposeAsync(),
  };
}
