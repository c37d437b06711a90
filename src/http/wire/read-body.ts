import type { IncomingMessage } from "node:http";
import { Problem } from "../../problem.ts";
import { OVERLOADED, type Scheduler } from "../../runtime/scheduler.ts";
import type { Slots } from "../../runtime/slots.ts";

/** Maximum bytes of a request's body: a hundred items with properties are a tenth of it. */
export const MAX_BODY_BYTES = 64 * 1_024;

/**
 * Reads the body of a request. Rejects with Problem `payload_too_large`, `overloaded` or ClientGone.
 * @param memory.slots bytes of large bodies that are being read
 * @param memory.network the network that sends the body
 */
export function readBody(
  request: IncomingMessage,
  scheduler: Scheduler,
  memory: { readonly slots: Slots; readonly network: () => string },
  maxBytes = MAX_BODY_BYTES,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) {
      reject(tooLarge(maxBytes));
      return;
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    /** Reserved bytes of the body. */
    let reserved = 0;
    const reservations: Disposable[] = [];
    let isRead = false;
    const stop = (): void => {
      request.off("data", take).off("end", finish).off("error", leave).off("close", leave);
      for (const reservation of reservations) reservation[Symbol.dispose]();
    };
    const reserve = (): boolean => {
      if (size <= LARGE_BODY) return true;
      const reservation = memory.slots.tryAcquire(memory.network(), size - reserved);
      if (reservation === undefined) return false;
      reservations.push(reservation);
      reserved = size;
      return true;
    };
    const take = (chunk: Uint8Array): void => {
      size += chunk.length;
      if (size <= maxBytes && reserve()) return void chunks.push(chunk);
      stop();
      request.pause();
      reject(size > maxBytes ? tooLarge(maxBytes) : OVERLOADED);
    };
    const finish = (): void => {
      isRead = true;
      const [first = none] = chunks;
      if (size <= LARGE_BODY) {
        // The listeners remain: removing them would cost more than the rest.
        resolve(chunks.length > 1 ? Buffer.concat(chunks) : first);
        return;
      }
      stop();
      scheduler.yield("write").then(() => resolve(Buffer.concat(chunks)), reject);
    };
    // A request also closes after it was read.
    const leave = (): void => {
      if (isRead) return;
      stop();
      reject(new ClientDisconnected());
    };
    request.on("data", take).on("end", finish).on("error", leave).on("close", leave);
  });
}

/** Bytes of a body above which parsing its JSON takes milliseconds. Bodies of shoppers are usually shorter. */
const LARGE_BODY = 4_096;
const none = new Uint8Array(0);

/** The connection closed before the request was complete. */
export class ClientDisconnected extends Error {
  override readonly name = "ClientGone";
}

function tooLarge(maxBytes: number): Problem {
  return new Problem("payload_too_large", `The body is too large: send at most ${maxBytes} bytes.`, [
    { field: "body", rule: "max", message: `A body has at most ${maxBytes} bytes.` },
  ]);
}
