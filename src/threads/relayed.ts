import { createServer, type Socket } from "node:net";

/** Takes connections that the main thread relays: the first line tells whose they are, the rest is theirs.
 *  @param path of a socket in the file system, or of a named pipe  @param accept serves a connection  @returns takes no more */
export async function listenForRelay(path: string, accept: (socket: Socket) => void): Promise<() => void> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.once("error", () => socket.destroy());
    socket.once("readable", () => {
      const bytes = socket.read() as Buffer | null;
      const end = bytes?.indexOf("\n") ?? -1;
      if (bytes === null || end < 0) return void socket.destroy();
      Object.defineProperty(socket, "remoteAddress", { value: bytes.toString("latin1", 0, end) });
      if (end + 1 < bytes.length) socket.unshift(bytes.subarray(end + 1));
      accept(socket);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(path, resolve);
  });
  return () => server.close();
}
