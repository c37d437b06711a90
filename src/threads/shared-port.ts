import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeServer, listenAt } from "../runtime/listen.ts";
import { createConnectionProxy } from "./connection-proxy.ts";
import type { EventLoopThreads } from "./loop-threads.ts";

/** One address at which all event-loop threads listen. */
export interface SharedPort {
  /** URL such as "http://127.0.0.1:3000". */
  readonly url: string;
  close(): Promise<void>;
}

/** Whether the system spreads connections over several listeners of one port. */
export const canSpreadConnections = ["linux", "freebsd", "dragonfly", "sunos", "aix"].includes(process.platform);

/**
 * Makes all event-loop threads listen at one address.
 * @param port port number; 0 for any free port
 * @param spreadsConnections whether the system spreads connections over the threads; otherwise the calling thread
 * forwards connections
 * @throws the system's error if the address is not available
 */
export async function sharePort(
  eventLoops: EventLoopThreads,
  host: string,
  port: number,
  spreadsConnections = canSpreadConnections,
): Promise<SharedPort> {
  if (!spreadsConnections) return createProxyPort(eventLoops, host, port);
  // Listen without sharing first, which fails if the port is in use. With sharing, the system would allow a second
  // server on the same port.
  const probeServer = createServer();
  const url = await listenAt(probeServer, { host, port });
  await closeServer(probeServer);
  const listeningPort = Number(new URL(url).port);
  await eventLoops.listen(() => ({ host, port: listeningPort }));
  return { url, close: async () => {} };
}

async function createProxyPort(eventLoops: EventLoopThreads, host: string, port: number): Promise<SharedPort> {
  const dir = await mkdtemp(join(tmpdir(), "vitrine-"));
  const pathOf = (thread: number): string =>
    process.platform === "win32" ? `\\\\.\\pipe\\${dir.replaceAll("\\", "-")}-${thread}` : join(dir, `${thread}`);
  await eventLoops.listen((thread) => ({ path: pathOf(thread) }));
  let lastIndex = 0;
  const proxy = createConnectionProxy(() => {
    const threads = eventLoops.listeningThreads();
    lastIndex += 1;
    const thread = threads[lastIndex % threads.length];
    return thread === undefined ? undefined : pathOf(thread);
  });
  const url = await listenAt(proxy, { host, port });
  return {
    url,
    async close() {
      const proxyClosePromise = closeServer(proxy);
      await rm(dir, { recursive: true, force: true });
      await proxyClosePromise;
    },
  };
}
