import type { Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { createErrorBody } from "../error-responses.ts";

/**
 * Sends an error response for each request that Node's HTTP parser rejects, and closes the connection.
 * @param findNewestResponse returns the newest response of a connection; it may be complete if the request is not
 * @param onResponse called with the status of each error response
 */
export function handleParserErrors(
  server: Server,
  findNewestResponse: (socket: Duplex) => ServerResponse | undefined,
  onResponse: (status: number) => void = () => {},
): void {
  const rejectedSockets = new WeakSet<Duplex>();
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (rejectedSockets.has(socket)) return;
    rejectedSockets.add(socket);
    if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
    const response = findNewestResponse(socket);
    const sendError = (): void => {
      if (!socket.writable) return;
      const status = getHttpStatus(error.code);
      onResponse(status);
      socket.end(createRawReply(status), () => socket.destroy());
    };
    // If an earlier request on the connection is still running, its response is sent first.
    if (response === undefined) return sendError();
    const { req } = response;
    if (req.complete && !response.writableFinished) return void response.once("close", sendError);
    // The response has already started, so the error cannot be reported.
    if (!req.complete && response.headersSent) return void socket.destroy();
    sendError();
  });
  server.on("connect", (_request, socket) => {
    onResponse(405);
    socket.end(createRawReply(405), () => socket.destroy());
  });
}

const statusTexts: Readonly<Record<number, readonly [title: string, message: string]>> = {
  400: ["Bad Request", "The request cannot be read."],
  405: ["Method Not Allowed", "The method CONNECT is not supported."],
  408: ["Request Timeout", "The request took too long to arrive."],
  431: ["Request Header Fields Too Large", "The request's headers are too large."],
};

function getHttpStatus(code: string | undefined): number {
  if (code === "HPE_HEADER_OVERFLOW") return 431;
  return code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
}

function createRawReply(status: number): string {
  const [title = "", message = ""] = statusTexts[status] ?? [];
  const body = JSON.stringify(createErrorBody(status, "bad_request", message));
  const headers = [
    `HTTP/1.1 ${status} ${title}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
    "Connection: close",
  ];
  return `${headers.join("\r\n")}\r\n\r\n${body}`;
}
