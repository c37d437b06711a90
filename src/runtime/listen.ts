import { once } from "node:events";
import { type AddressInfo, isIPv6, type ListenOptions, type Server } from "node:net";

/**
 * Makes a server listen on a port.
 * @returns its URL, such as "http://127.0.0.1:3000"
 * @throws Error of the system if the address is not available
 */
export async function listenAt(server: Server, options: ListenOptions): Promise<string> {
  server.listen(options);
  // Rejects if the server emits an error first.
  await once(server, "listening");
  const { address, port } = server.address() as AddressInfo;
  return `http://${isIPv6(address) ? `[${address}]` : address}:${port}`;
}

/** Stops accepting connections, and waits until all connections have ended. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
