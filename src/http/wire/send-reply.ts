import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import send from "send";
import { memoizePerObject } from "../../runtime/cache.ts";
import { createErrorBody } from "../error-responses.ts";
import { ByteString } from "./byte-string.ts";
import type { EventBody } from "./event-streams.ts";
import { VisitorReplyBody } from "./filled-body.ts";
import { MAX_BODY_BYTES } from "./read-body.ts";
import { createJsonReply, NO_STORE, type Reply, type StaticFile } from "./reply.ts";
import type { SecurityHeaders } from "./security-headers.ts";

/**
 * Sends a response with the headers that all responses have.
 * @param isLastReply whether the connection closes after this response
 * @param onSent called after a response was passed to the socket
 * @param onStream called after the headers of an event stream were sent
 */
export function sendReply(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  options: {
    readonly security: SecurityHeaders;
    readonly isSecure: boolean;
    readonly isLastReply: boolean;
    readonly onSent: (socket: Socket, response: ServerResponse) => void;
    readonly onStream: (body: EventBody) => void;
  },
): void {
  const { body, status } = reply;
  const isStream = typeof body === "object" && "startStream" in body;
  const isLastReply =
    options.isLastReply || isStream || reply.headers.connection === "close" || hasLongUnreadBody(request);
  const responseHead = flattenHeaders(reply, options, isLastReply);
  if (typeof body === "object" && "root" in body) {
    for (let index = 0; index < responseHead.length; index += 2)
      response.appendHeader(responseHead[index] ?? "", responseHead[index + 1] ?? "");
    response.statusCode = status;
    sendFile(request, response, body);
    return;
  }
  if (isStream) {
    response.writeHead(status, responseHead);
    if (request.method === "HEAD") response.end();
    else options.onStream(body);
    return;
  }
  // Node sends a string together with the headers, but a byte array separately.
  const isByteBody = body instanceof ByteString || body instanceof VisitorReplyBody;
  const content =
    body instanceof ByteString
      ? body.bytes
      : body instanceof VisitorReplyBody
        ? body.sharedBody.insertToken(body.token)
        : body;
  const bytes = Buffer.byteLength(content, isByteBody ? "latin1" : "utf8");
  // If the text is ASCII only, "latin1" is the faster encoding.
  const encoding = bytes === content.length ? "latin1" : "utf8";
  if (status !== 204 && status !== 304) responseHead.push("content-length", `${bytes}`);
  response.writeHead(status, responseHead);
  if (request.complete || !isLastReply) response.end(content, encoding);
  else sendAndDrainBody(request, response, content, encoding);
  options.onSent(request.socket, response);
}

/** Returns header names and values in one flat array, because Node does not validate this form again. */
function flattenHeaders(
  { headers }: Reply,
  { security, isSecure }: { readonly security: SecurityHeaders; readonly isSecure: boolean },
  isLastReply: boolean,
): string[] {
  const headerLines: string[] = [];
  const type = headers["content-type"];
  const typeHeaders =
    typeof type === "string" && type.startsWith("text/html") ? security.pageHeaders : security.nonHtmlHeaders;
  for (const name in typeHeaders) if (headers[name] === undefined) headerLines.push(name, typeHeaders[name] ?? "");
  if (isSecure) for (const name in security.httpsHeaders) headerLines.push(name, security.httpsHeaders[name] ?? "");
  for (const name in headers) {
    const value = headers[name] ?? "";
    if (name === "connection") continue;
    if (typeof value === "string") headerLines.push(name, value);
    else for (const item of value) headerLines.push(name, item);
  }
  if (isLastReply) headerLines.push("connection", "close");
  return headerLines;
}

/** Maximum time in milliseconds for which the rest of a request body is read and discarded. */
const LINGER_TIMEOUT_MS = 1_000;
/** Maximum number of bytes of a request body that are read and discarded. */
const MAX_LINGER_BYTES = 4 * 1_024 * 1_024;

/** Reports whether the rest of a request body is so long that closing the connection is better than reading it. */
function hasLongUnreadBody(request: IncomingMessage): boolean {
  if (request.complete) return false;
  return (
    request.headers["transfer-encoding"] !== undefined || Number(request.headers["content-length"]) > MAX_BODY_BYTES
  );
}

/**
 * Sends the response, and discards the rest of the request body for a short time before closing. Closing with unread
 * data would reset the connection, and the client could lose the response.
 */
function sendAndDrainBody(
  request: IncomingMessage,
  response: ServerResponse,
  content: string | Uint8Array,
  encoding: BufferEncoding,
): void {
  const closeResponse = (): void => {
    clearTimeout(timer);
    request.off("data", countBytes).off("end", closeResponse).off("close", closeResponse);
    response.end();
  };
  let remainingBytes = MAX_LINGER_BYTES;
  const countBytes = (chunk: Uint8Array): void => {
    remainingBytes -= chunk.length;
    if (remainingBytes < 0) closeResponse();
  };
  const timer = setTimeout(closeResponse, LINGER_TIMEOUT_MS);
  if (request.method === "HEAD") response.flushHeaders();
  else response.write(content, encoding);
  request.on("data", countBytes).on("end", closeResponse).on("close", closeResponse).resume();
}

const fileHeaders = ["content-length", "content-range", "accept-ranges", "etag", "last-modified"];

/**
 * Returns the error response for a file that cannot be sent.
 * @param status status that the library `send` reports: 500 if the file exists but cannot be read
 */
function getFileError(status: number): readonly [status: number, code: string, message: string] {
  if (status >= 500) return [503, "unavailable", "This file cannot be read at the moment. Please try again."];
  if (status === 412 || status === 416) return [status, "bad_request", "This part of the file does not exist."];
  return [404, "not_found", "There is no such file."];
}

function sendFile(request: IncomingMessage, response: ServerResponse, { root, path }: StaticFile): void {
  send(request, path, { root, dotfiles: "ignore", index: false, cacheControl: false })
    .on("error", (error: { readonly status?: number }) => {
      if (response.headersSent) return void response.destroy();
      const [status, code, message] = getFileError(error.status ?? 500);
      const { headers, body } = createJsonReply(status, createErrorBody(status, code, message));
      if (status === 503) for (const name of fileHeaders) response.removeHeader(name);
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      response.statusCode = status;
      response.end(body);
    })
    .on("directory", function (this: { error(status: number): void }) {
      this.error(404);
    })
    .pipe(response);
}

/**
 * Prevents HTTP caches from storing a response that contains the host name of the request. Otherwise, an attacker could
 * send a wrong host name and fill the cache with wrong links. Only shops without the setting `origin` need this.
 */
export type HostCacheGuard = (reply: Reply, origin: string) => Reply;

export function createHostCacheGuard(): HostCacheGuard {
  // Each cached response belongs to one host, so the result of this check is cached with it.
  const forbidCachingOnce = memoizePerObject(forbidCaching);
  return (reply, origin) => {
    if (reply.isHostIndependent === true) return reply;
    return reply.cachePolicy === undefined ? forbidCaching(reply, origin) : forbidCachingOnce(reply, origin);
  };
}

function forbidCaching(reply: Reply, origin: string): Reply {
  const { body, headers } = reply;
  if (headers["cache-control"] === NO_STORE || !generatedTypePattern.test(String(headers["content-type"])))
    return reply;
  const bytes = getSearchableBytes(body);
  if (bytes === undefined || !bytes.includes(origin.slice(origin.indexOf("//") + 2))) return reply;
  const { etag: _, ...otherHeaders } = headers;
  return { ...reply, headers: { ...otherHeaders, "cache-control": NO_STORE } };
}

/** Content types that may contain the host name of the request. Theme files and images never contain it. */
const generatedTypePattern = /^(?:text\/(?:html|markdown|plain)|application\/(?:json|(?:atom\+)?xml))\b/;

/**
 * Returns the body to search for the host name. Returns undefined for files, and for pages that HTTP caches do not
 * store.
 */
function getSearchableBytes(body: Reply["body"]): string | Buffer | undefined {
  if (body instanceof ByteString) return body.bytes;
  if (typeof body === "string") return body;
  return body instanceof Uint8Array ? Buffer.from(body.buffer, body.byteOffset, body.length) : undefined;
}
