import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/**
 * Creates a server that forwards its connections to the event-loop threads. Each thread listens on a private path. Used
 * on systems that do not spread connections over several listeners of one port.
 * @param nextPath returns the path of the thread for the next connection; undefined if no thread listens
 */
export function createConnectionProxy(nextPath: () => string | undefined): Server {
  return createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const path = nextPath();
    if (path === undefined) return void socket.destroy();
    const threadSocket = connect({ path, allowHalfOpen: true });
    threadSocket.write(`${socket.remoteAddress ?? ""}\n`);
    pipeSocket(socket, threadSocket);
    pipeSocket(threadSocket, socket);
  });
}

/** Copies bytes from socket `from` to socket `to`, and closes `to` when `from` closes. */
function pipeSocket(from: Socket, to: Socket): void {
  from.pipe(to);
  from.once("error", () => from.destroy()).once("close", () => to.destroySoon());
}

/**
 * Accepts connections that the main thread forwards. The first line of a connection is the client's IP address.
 * @param path a socket in the file system, or a named pipe
 * @param handleSocket serves a connection
 * @returns a function that stops listening
 */
export async function listenForProxy(path: string, handleSocket: (socket: Socket) => void): Promise<() => void> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.once("error", () => socket.destroy());
    socket.once("readable", () => {
      const bytes = socket.read() as Buffer | null;
      const end = bytes?.indexOf("\n") ?? -1;
      if (bytes === null || end < 0) return void socket.destroy();
      Object.defineProperty(socket, "remoteAddress", { value: bytes.toString("latin1", 0, end) });
      if (end + 1 < bytes.length) socket.unshift(bytes.subarray(end + 1));
      handleSocket(socket);
    });
  });
  await once(server.listen(path), "listening");
  return () => server.close();
}
