import { connect, type Socket } from "node:net";
import { HANG_MS } from "./until.ts";

/**
 * Sends raw bytes and waits until the server closes the connection.
 * @returns the received bytes as latin1
 * @throws Error if the connection stays open
 */
export function exchange(origin: string, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = openSocket(origin);
    let text = "";
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`the connection stays open after ${text.slice(0, 300)}`));
    }, HANG_MS);
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(text);
    });
    socket.write(bytes);
  });
}

export function openSocket(origin: string): Socket {
  const { hostname, port } = new URL(origin);
  return connect(Number(port), hostname);
}
