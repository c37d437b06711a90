import assert from "node:assert/strict";
import { Agent, createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { closeServer, listenAt } from "../../src/runtime/listen.ts";
import { type ForwardedReply, forwardRequest } from "./load-balancer.ts";

/** A shared cache in front of a shop, with the rules that the documentation names. */
export interface Cdn {
  readonly origin: string;
  /** Origin of the shop. */
  target: string;
  readonly hitCount: number;
  /** Number of page requests that reached the shop. */
  readonly missCount: number;
  close(): Promise<void>;
}

const personalCookies = /(?:^|; )(?:__Host-)?(?:cart|customer|preview_theme)=/;

export async function startCdn(): Promise<Cdn> {
  const agent = new Agent({ keepAlive: true });
  const stored = new Map<string, ForwardedReply>();
  const counts = { hitCount: 0, missCount: 0 };
  let target = "";

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method, url, headers } = incoming;
    const key = `${url} ${headers["accept-encoding"]}`;
    const isCacheable = method === "GET" && !personalCookies.test(headers.cookie ?? "");
    let reply = isCacheable ? stored.get(key) : undefined;
    if (reply !== undefined) counts.hitCount += 1;
    else {
      reply = await forwardRequest(agent, target, incoming, Buffer.concat(await Array.fromAsync(incoming)));
      const { status, headers: received } = reply;
      if (received["content-type"]?.startsWith("text/html") === true) counts.missCount += 1;
      if (isCacheable && status === 200 && /s-maxage=[1-9]/.test(received["cache-control"] ?? "")) {
        assert.equal(received["set-cookie"], undefined, `${url} sets cookies`);
        stored.set(key, reply);
      }
    }
    outgoing.writeHead(reply.status, reply.headers).end(reply.body);
  };
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => outgoing.destroy(error as Error));
  });
  const url = await listenAt(server, { port: 0, host: "127.0.0.1" });
  return {
    origin: url,
    get target() {
      return target;
    },
    set target(origin) {
      target = origin;
    },
    get hitCount() {
      return counts.hitCount;
    },
    get missCount() {
      return counts.missCount;
    },
    close() {
      agent.destroy();
      server.closeAllConnections();
      return closeServer(server);
    },
  };
}
