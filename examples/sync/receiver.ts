import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type Change, type Store, sendChanges } from "./change.ts";
import { fromShopify, type ShopifyMemory } from "./shopify.ts";
import { fromWooCommerce, type WooVariation } from "./woocommerce.ts";

/**
 * Creates a server that receives webhooks of Shopify (`POST /shopify`) and WooCommerce (`POST /woocommerce`), and sends
 * their changes to the store. It responds with 200 after the store has applied them, so that the sender retries
 * failures. It processes webhooks in sequence, so that an older state never replaces a newer one.
 * @param options.shopify.secret client secret of the app
 * @param options.woocommerce.secret secret of the webhook
 */
export function createReceiver(
  store: Store,
  options: {
    /** Number of decimals of the shop's currency. */
    readonly decimals: number;
    readonly shopify?: { readonly secret: string; readonly memory: ShopifyMemory };
    readonly woocommerce?: {
      readonly secret: string;
      readonly variations: (product: number) => Promise<readonly WooVariation[]>;
    };
  },
): Server {
  const { decimals, shopify, woocommerce } = options;
  let queue: Promise<unknown> = Promise.resolve();
  const changesOf = async (request: IncomingMessage, body: Uint8Array): Promise<readonly Change[] | undefined> => {
    const header = (name: string): string | undefined => String(request.headers[name] ?? "");
    const payload = (): unknown => parseExactly(Buffer.from(body).toString("utf8"));
    if (request.url === "/shopify" && shopify !== undefined) {
      if (!isSigned(body, header("x-shopify-hmac-sha256"), shopify.secret)) return undefined;
      return fromShopify(header("x-shopify-topic") ?? "", payload(), { memory: shopify.memory, decimals });
    }
    if (request.url === "/woocommerce" && woocommerce !== undefined) {
      if (!isSigned(body, header("x-wc-webhook-signature"), woocommerce.secret)) return undefined;
      const { variations } = woocommerce;
      return fromWooCommerce(header("x-wc-webhook-topic") ?? "", payload(), { decimals, variations });
    }
    return undefined;
  };
  return createServer(async (request, response) => {
    const answer = (status: number): void => void response.writeHead(status).end();
    const body = await readBody(request).catch(() => undefined);
    if (body === undefined) return answer(413);
    const work = queue.then(async () => {
      const changes = await changesOf(request, body);
      if (changes === undefined) return 401;
      const delivery = request.headers["x-shopify-webhook-id"] ?? request.headers["x-wc-webhook-delivery-id"];
      await sendChanges(store, changes, `${request.url}-${delivery}`);
      return 200;
    });
    queue = work.catch(() => undefined);
    await work.then(answer, (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
      answer(502);
    });
  });
}

/** Parses JSON. Numbers that JavaScript cannot represent, such as long ids, become strings. */
function parseExactly(text: string): unknown {
  const keep = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value) ? context?.source : value;
  return JSON.parse(text, keep as (key: string, value: unknown) => unknown);
}

const MAX_BYTES = 2_000_000;

async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error("the body is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns whether a body was signed with a secret.  @param signature header with the HMAC of the body in base64 */
function isSigned(body: Uint8Array, signature: string | undefined, secret: string): boolean {
  const expectedSignature = createHmac("sha256", secret).update(body).digest();
  const sentSignature = Buffer.from(signature ?? "", "base64");
  return sentSignature.length === expectedSignature.length && timingSafeEqual(sentSignature, expectedSignature);
}
