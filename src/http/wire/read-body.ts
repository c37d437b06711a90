import type { IncomingMessage } from "node:http";
import { Problem } from "../../problem.ts";
import { OVERLOADED, type Scheduler } from "../../runtime/scheduler.ts";
import type { BodyRoom } from "./body-room.ts";

/** Bytes a request's body may have: a hundred items with properties are a tenth of it. */
export const MAX_BODY_BYTES = 64 * 1_024;

/** All of a request's body. Fails with Problem `payload_too_large`, `overloaded` or ClientGone.
 *  @param held.room where a body that is larger than most has its place until it is all there  @param held.network that sends it */
export function readBody(
  request: IncomingMessage,
  scheduler: Scheduler,
  held: { readonly room: BodyRoom; readonly network: () => string },
  maxBytes = MAX_BODY_BYTES,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) {
      reject(tooLarge(maxBytes));
      return;
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    /** Bytes that have their place in the room. */
    let placed = 0;
    let isRead = false;
    const stop = (): void => {
      request.off("data", take).off("end", finish).off("error", leave).off("close", leave);
      if (placed > 0) held.room.giveBack(held.network(), placed);
      placed = 0;
    };
    const hasPlace = (): boolean => {
      if (size <= LARGE_BODY) return true;
      if (!held.room.take(held.network(), size - placed)) return false;
      placed = size;
      return true;
    };
    const take = (chunk: Uint8Array): void => {
      size += chunk.length;
      if (size <= maxBytes && hasPlace()) return void chunks.push(chunk);
      stop();
      request.pause();
      reject(size > maxBytes ? tooLarge(maxBytes) : OVERLOADED);
    };
    const finish = (): void => {
      isRead = true;
      const [first = none] = chunks;
      if (size <= LARGE_BODY) {
        // What is emitted later changes nothing: taking listeners away would cost more than the rest.
        resolve(chunks.length > 1 ? Buffer.concat(chunks) : first);
        return;
      }
      stop();
      scheduler.yield("write").then(() => resolve(Buffer.concat(chunks)), reject);
    };
    // A request closes after it was read, too.
    const leave = (): void => {
      if (isRead) return;
      stop();
      reject(new ClientGone());
    };
    request.on("data", take).on("end", finish).on("error", leave).on("close", leave);
  });
}

/** Bytes of a body from which on reading its JSON takes milliseconds, and which shoppers' bodies seldom reach. */
const LARGE_BODY = 4_096;
const none = new Uint8Array(0);

/** The connection closed before the request was all there: nobody waits for an answer. */
export class ClientGone extends Error {
  override readonly name = "ClientGone";
}

function tooLarge(maxBytes: number): Problem {
  return new Problem("payload_too_large", `The body is too large: send at most ${maxBytes} bytes.`, [
    { field: "body", rule: "max", message: `A body has at most ${maxBytes} bytes.` },
  ]);
}
