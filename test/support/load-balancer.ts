import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from "node:http";
import { closeServer, listenAt } from "../../src/runtime/listen.ts";
import { HANG_MS } from "./until.ts";

/**
 * A load balancer that sends each request to the next server, and again to another server if the connection fails. It
 * sends writes again, too, because those of the tests have an `Idempotency-Key` or order a cart, which happens once.
 */
export interface LoadBalancer {
  readonly origin: string;
  /** Origins of the servers. */
  readonly servers: Set<string>;
  /** Number of requests that were sent again to another server. */
  readonly retryCount: number;
  close(): Promise<void>;
}

/** A complete response of a server. */
export interface ForwardedReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export async function startLoadBalancer(): Promise<LoadBalancer> {
  const servers = new Set<string>();
  const agent = new Agent({ keepAlive: true });
  let next = 0;
  let retryCount = 0;

  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await Array.fromAsync(incoming));
    for (const end = performance.now() + HANG_MS; ; ) {
      const origins = [...servers];
      next += 1;
      const origin = origins[next % origins.length];
      try {
        if (origin === undefined) throw new Error("no server is left");
        const reply = await forwardRequest(agent, origin, incoming, body);
        outgoing.writeHead(reply.status, reply.headers);
        outgoing.end(reply.body);
        return;
      } catch (error) {
        if (performance.now() > end) throw error;
        retryCount += 1;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
  };
  const server = createServer((incoming, outgoing) => {
    forward(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const url = await listenAt(server, { port: 0, host: "127.0.0.1" });
  return {
    origin: url,
    servers,
    get retryCount() {
      return retryCount;
    },
    close() {
      agent.destroy();
      server.closeAllConnections();
      return closeServer(server);
    },
  };
}

/** Sends a request to a server.  @returns the response without the headers of the connection */
export function forwardRequest(
  agent: Agent,
  origin: string,
  incoming: IncomingMessage,
  body: Buffer,
): Promise<ForwardedReply> {
  const { hostname, port } = new URL(origin);
  const { method, url: path } = incoming;
  const headers = withoutConnection(incoming.headers);
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent, hostname, port, method, path, headers }, (reply) => {
      Array.fromAsync<Buffer>(reply).then(
        (chunks) =>
          resolve({
            status: reply.statusCode ?? 0,
            headers: withoutConnection(reply.headers),
            body: Buffer.concat(chunks),
          }),
        reject,
      );
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Removes the headers that apply to one connection only. */
function withoutConnection({
  connection: _,
  "keep-alive": __,
  "transfer-encoding": ___,
  ...headers
}: IncomingHttpHeaders) {
  return headers;
}
