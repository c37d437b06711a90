import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";
import { Webhook } from "standardwebhooks";

/** A delivered event. Its signature was verified by the reference library of Standard Webhooks. */
export interface Received {
  readonly id: string;
  readonly type: string;
  /** ISO 8601 time. */
  readonly timestamp: string;
  /** Header of the same name. */
  readonly traceparent?: string;
  readonly data: { readonly order?: { readonly id: string; readonly number: number } } & Readonly<
    Record<string, unknown>
  >;
}

export interface WebhookReceiver {
  readonly url: string;
  readonly secret: string;
  /** All received events in order, including rejected ones. */
  readonly received: readonly Received[];
  /** Requests with an invalid signature. */
  readonly forged: readonly string[];
  /** Sets the response to later deliveries. Default: 200. */
  answer(how: (event: Received, response: ServerResponse) => void): void;
  close(): Promise<void>;
}

export const testWebhookSecret = `whsec_${Buffer.from("only-for-tests-0123456789abcdef").toString("base64")}`;

/** Starts a local receiver of webhooks.  @param port port number; 0 selects a free port */
export async function startReceiver(port = 0, secret = testWebhookSecret): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const forged: string[] = [];
  let how = (_: Received, response: ServerResponse): void => void response.end();
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    if (!isSigned(body, request.headers as Record<string, string>, secret)) {
      forged.push(body);
      response.writeHead(401).end();
      return;
    }
    const { "webhook-id": id, traceparent } = request.headers;
    const trace = traceparent === undefined ? {} : { traceparent: String(traceparent) };
    const event = { id: String(id), ...trace, ...(JSON.parse(body) as Omit<Received, "id">) };
    received.push(event);
    how(event, response);
  };
  const server = createServer((request, response) => void take(request, response).catch(() => response.destroy()));
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  after(close);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    secret,
    received,
    forged,
    answer(next) {
      how = next;
    },
    close,
  };
}

/**
 * The library rejects old signatures. If a test moves the shop's clock, the signature is compared with one that the
 * library computes.
 */
function isSigned(body: string, headers: Readonly<Record<string, string>>, secret: string): boolean {
  const webhook = new Webhook(secret);
  const [id = "", seconds = "", signatures = ""] = ["id", "timestamp", "signature"].map(
    (name) => headers[`webhook-${name}`],
  );
  const time = Number(seconds) * 1_000;
  if (Math.abs(time - Date.now()) > 240_000)
    return signatures.split(" ").includes(webhook.sign(id, new Date(time), body));
  try {
    webhook.verify(body, headers);
    return true;
  } catch {
    return false;
  }
}
