import type { IncomingMessage } from "node:http";
import { Problem } from "../../problem.ts";
import { OVERLOADED_ERROR, type Scheduler } from "../../runtime/scheduler.ts";
import type { JobSlots } from "../../runtime/slots.ts";

/** Maximum size of a request body, in bytes. A request with a hundred cart items needs about a tenth of it. */
export const MAX_BODY_BYTES = 64 * 1_024;

/**
 * Reads a request body.
 * @param memory.jobSlots limits the memory for large bodies, in bytes
 * @param memory.network returns the network of the client's IP address
 * @throws Problem `payload_too_large`, `overloaded`
 * @throws ClientDisconnectedError
 */
export function readBody(
  request: IncomingMessage,
  scheduler: Scheduler,
  memory: { readonly jobSlots: JobSlots; readonly network: () => string },
  maxBytes = MAX_BODY_BYTES,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) {
      reject(createTooLargeProblem(maxBytes));
      return;
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    /** Memory that is reserved for this body so far, in bytes. */
    let reservedBytes = 0;
    const reservations: Disposable[] = [];
    let isBodyRead = false;
    const stop = (): void => {
      request.off("data", addChunk).off("end", resolveBody).off("error", handleClose).off("close", handleClose);
      for (const reservation of reservations) reservation[Symbol.dispose]();
    };
    const reserve = (): boolean => {
      if (size <= LARGE_BODY_BYTES) return true;
      const reservation = memory.jobSlots.tryAcquire(memory.network(), size - reservedBytes);
      if (reservation === undefined) return false;
      reservations.push(reservation);
      reservedBytes = size;
      return true;
    };
    const addChunk = (chunk: Uint8Array): void => {
      size += chunk.length;
      if (size <= maxBytes && reserve()) return void chunks.push(chunk);
      stop();
      request.pause();
      reject(size > maxBytes ? createTooLargeProblem(maxBytes) : OVERLOADED_ERROR);
    };
    const resolveBody = (): void => {
      isBodyRead = true;
      const [firstChunk = emptyChunk] = chunks;
      if (size <= LARGE_BODY_BYTES) {
        // Fast path: the listeners of a small body are not removed, because this is slow and the request is complete.
        resolve(chunks.length > 1 ? Buffer.concat(chunks) : firstChunk);
        return;
      }
      stop();
      scheduler.yield("write").then(() => resolve(Buffer.concat(chunks)), reject);
    };
    // Node also emits "close" after a complete request. That event is ignored.
    const handleClose = (): void => {
      if (isBodyRead) return;
      stop();
      reject(new ClientDisconnectedError());
    };
    request.on("data", addChunk).on("end", resolveBody).on("error", handleClose).on("close", handleClose);
  });
}

/** Size in bytes from which parsing a JSON body may take milliseconds. Requests of shoppers are usually smaller. */
const LARGE_BODY_BYTES = 4_096;
const emptyChunk = new Uint8Array(0);

/** The client closed the connection before the request was complete. */
export class ClientDisconnectedError extends Error {
  override readonly name = "ClientGone";
}

function createTooLargeProblem(maxBytes: number): Problem {
  return new Problem("payload_too_large", `The body is too large: send at most ${maxBytes} bytes.`, [
    { field: "body", rule: "max", message: `A body has at most ${maxBytes} bytes.` },
  ]);
}
