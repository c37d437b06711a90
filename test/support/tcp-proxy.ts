import { connect, createServer, type Socket } from "node:net";
import { closeServer, listenAt } from "../../src/runtime/listen.ts";

/** A proxy between a client and a server that can simulate a cut cable: no data passes, and no connection is closed. */
export interface TcpProxy {
  readonly port: number;
  /** Stops all data, on existing and new connections. */
  silence(): void;
  /** Drops silenced connections and forwards data again. */
  restore(): void;
  /** Drops all connections. New ones lead to another port, and are refused if no server listens there. */
  setTarget(port: number): void;
  close(): Promise<void>;
}

export async function startProxy(firstTargetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let targetPort = firstTargetPort;
  let isSilent = false;
  const server = createServer((client) => {
    const target = connect(targetPort, "127.0.0.1");
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from);
      from.on("data", (chunk) => {
        if (!isSilent) to.write(chunk);
      });
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const { port } = new URL(await listenAt(server, { port: 0, host: "127.0.0.1" }));
  return {
    port: Number(port),
    silence() {
      isSilent = true;
    },
    restore() {
      isSilent = false;
      for (const socket of sockets) socket.destroy();
    },
    setTarget(port) {
      targetPort = port;
      for (const socket of sockets) socket.destroy();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return closeServer(server);
    },
  };
}
