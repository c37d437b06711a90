import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";

/** An answer, as far as anybody looks at it. */
export interface PostAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** How it begins. */
  readonly text: string;
}

/** Bytes of an answer that are read: enough for a sentence that says what was wrong. */
const MOST_BYTES = 1_024;

/** Posts a text and reads how the answer begins; the rest of it is not waited for. Follows no redirect: whoever is led elsewhere would get what was
 *  meant for another. Certificates are verified as Node does.
 *  @throws where no answer came, with a `code` where the system gave one */
export function post(url: URL, body: string, headers: OutgoingHttpHeaders, signal: AbortSignal): Promise<PostAnswer> {
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = send(url, {
      method: "POST",
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      // A connection that was kept may be one that the receiver has just closed.
      agent: false,
      signal,
    });
    sent.once("error", reject);
    sent.once("response", (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const answer = (): void => {
        const text = Buffer.concat(chunks).subarray(0, MOST_BYTES).toString("utf8");
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        response.destroy();
      };
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes >= MOST_BYTES) answer();
      });
      response.once("end", answer);
      // The status is there, and says all that counts.
      response.once("error", answer);
      response.once("close", answer);
    });
    sent.end(body);
  });
}
