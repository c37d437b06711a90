import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";

/** The parts of an HTTP response that callers use. */
export interface PostResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Start of the response body. */
  readonly text: string;
}

/** Maximum number of bytes that are read of a response, enough for an error message. */
const MAX_RESPONSE_BYTES = 1_024;

/**
 * Posts a text and reads the start of the response. Redirects are not followed, since the body is intended for this
 * receiver only. Certificates are verified by Node's rules.
 * @throws Error if there is no response, with a `code` for system errors
 */
export function sendPost(
  url: URL,
  body: string,
  headers: OutgoingHttpHeaders,
  signal: AbortSignal,
): Promise<PostResponse> {
  const createRequest = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = createRequest(url, {
      method: "POST",
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      // Use a new connection for each request. The receiver may already have closed a reused one.
      agent: false,
      signal,
    });
    request.once("error", reject);
    request.once("response", (response) => {
      const chunks: Buffer[] = [];
      let receivedBytes = 0;
      const resolveResponse = (): void => {
        const text = Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES).toString("utf8");
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        response.destroy();
      };
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        receivedBytes += chunk.length;
        if (receivedBytes >= MAX_RESPONSE_BYTES) resolveResponse();
      });
      response.once("end", resolveResponse);
      // An error after the status line is ignored, since the status is sufficient.
      response.once("error", resolveResponse);
      response.once("close", resolveResponse);
    });
    request.end(body);
  });
}
