import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { loadConfig } from "./config/load-config.ts";
import type { Config } from "./config/settings.ts";
import { listenForScrapes } from "./observability/metrics-listener.ts";
import type { Shop } from "./shop.ts";
import type { Loop } from "./threads/open-loop.ts";
import { openStore, type StoreOptions } from "./threads/open-store.ts";
import { createThreadedApp } from "./threads/threaded-app.ts";

/** A shop that is ready to listen, in one thread or several. */
export interface App {
  readonly config: Config;
  /** @param port 0 for any free port  @returns its address, "http://127.0.0.1:3000" */
  listen(host: string, port: number): Promise<string>;
  /**
   * Serves only the metrics. @param port 0 for any free port  @returns their address, "http://127.0.0.1:9464/metrics"
   */
  listenForScrapes(host: string, port: number): Promise<string>;
  /** Completes the requests in flight, then closes everything. */
  close(): Promise<void>;
}

/** A shop in this thread, with access to its parts. */
export interface LocalApp extends App {
  readonly shop: Shop;
}

/**
 * Opens a store folder as a shop. Threads: `options.threads`, by default the setting, by default the number of
 * processor cores.
 * @throws SetupError if the merchant can fix the cause
 */
export async function createServedApp(options: StoreOptions & { readonly threads?: number }): Promise<App> {
  const config = await loadConfig(resolve(options.storeDir), options.config);
  const threads = options.threads ?? config.server.threads ?? availableParallelism();
  return threads === 1 ? createApp(options) : createThreadedApp(options, threads);
}

/**
 * Opens a store folder as a shop in this thread: settings, database, catalog, theme, server.
 * @throws SetupError if the merchant can fix the cause
 */
export async function createApp(options: StoreOptions): Promise<LocalApp> {
  // Imported here, because the main thread of a threaded shop does not need them.
  const [{ createAssembler }, { openLoop }] = await Promise.all([
    import("./snapshot/snapshot.ts"),
    import("./threads/open-loop.ts"),
  ]);
  const store = await openStore(
    options,
    1,
    (parts) => {
      snapshot = assemble(parts);
    },
    () => {},
    (clicks) => loop?.weigh(clicks),
  );
  let loop: Loop | undefined;
  const assemble = createAssembler(store.feed.markDamaged, store.config, store.stock);
  let snapshot = assemble(store.feed.current());
  const closers = [store.close];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const { metrics } = store;
    const opened = await openLoop({
      ...store,
      // Only this process has the file; a database server may have other clients.
      ownsCarts: "file" in store.source,
      thread: 0,
      threads: 1,
      snapshot: () => snapshot,
      currentParts: store.feed.current,
      importErrors: () => store.consoleState().importErrors,
    });
    loop = opened;
    closers.push(opened.close);
    return {
      config: store.config,
      shop: opened.shop,
      listen: opened.listen,
      async listenForScrapes(host, port) {
        if (metrics === undefined) throw new Error("metrics are off: set hasMetrics");
        const listener = await listenForScrapes(metrics, host, port);
        closers.push(() => listener.close());
        return listener.address;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
