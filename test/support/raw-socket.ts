import { connect, type Socket } from "node:net";

/** Sends bytes as they are and gives back all that came until the server closed, or until `waitMs` passed.
 *  @returns what came (latin1), whether the server closed, and after how many milliseconds */
export function exchange(
  origin: string,
  bytes: string | Uint8Array,
  waitMs = 2_000,
): Promise<{ readonly text: string; readonly closed: boolean; readonly ms: number }> {
  const started = performance.now();
  return new Promise((resolve) => {
    const socket = openSocket(origin);
    let text = "";
    const finish = (closed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, closed, ms: performance.now() - started });
    };
    const timer = setTimeout(() => finish(false), waitMs);
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("close", () => finish(true));
    socket.on("error", () => finish(true));
    socket.write(bytes);
  });
}

export function openSocket(origin: string): Socket {
  const { hostname, port } = new URL(origin);
  return connect(Number(port), hostname);
}
