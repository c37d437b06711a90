import type { IncomingMessage } from "node:http";
import { Problem } from "../../problem.ts";

/** Bytes a request's body may have: a hundred items with properties are a tenth of it. */
export const MAX_BODY_BYTES = 64 * 1_024;

/** All of a request's body. @throws Problem `payload_too_large`; ClientGone */
export async function readBody(request: IncomingMessage, maxBytes = MAX_BODY_BYTES): Promise<Uint8Array> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const stop = (): void => {
      request.off("data", take).off("end", finish).off("error", leave).off("close", leave);
    };
    const take = (chunk: Uint8Array): void => {
      size += chunk.length;
      if (size <= maxBytes) return void chunks.push(chunk);
      stop();
      request.pause();
      reject(tooLarge(maxBytes));
    };
    const finish = (): void => {
      stop();
      resolve(Buffer.concat(chunks));
    };
    const leave = (): void => reject(new ClientGone());
    request.on("data", take).on("end", finish).on("error", leave).on("close", leave);
  });
}

/** The connection closed before the request was all there: nobody waits for an answer. */
export class ClientGone extends Error {
  override readonly name = "ClientGone";
}

function tooLarge(maxBytes: number): Problem {
  return new Problem("payload_too_large", `The body is too large: send at most ${maxBytes} bytes.`, [
    { field: "body", rule: "max", message: `A body has at most ${maxBytes} bytes.` },
  ]);
}
