import { createServer, type IncomingHttpHeaders } from "node:http";
import { after } from "node:test";
import { listenAt } from "../../src/runtime/listen.ts";

export interface ReceivedPurge {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A CDN's endpoint for purge requests. */
export interface PurgeReceiver {
  readonly url: string;
  /** Accepted requests in order. */
  readonly received: ReceivedPurge[];
  /** Status of the next responses. Requests are received only with 200. */
  status: number;
  rejectedCount: number;
}

export async function startPurgeReceiver(): Promise<PurgeReceiver> {
  const received: ReceivedPurge[] = [];
  const receiver = { url: "", received, status: 200, rejectedCount: 0 };
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString();
    const { method = "", headers } = request;
    if (receiver.status === 200) received.push({ method, headers, body });
    else receiver.rejectedCount += 1;
    response.writeHead(receiver.status).end();
  });
  const origin = await listenAt(server, { port: 0, host: "127.0.0.1" });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  receiver.url = `${origin}/purge`;
  return receiver;
}
