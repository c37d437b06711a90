import type { BuyNowAnswer, CartAdded, CartRead, CartWritten, ShippingRates } from "../generated/cart.ts";
import type { AddRequest, BuyNowRequest, CartItem, ChangeRequest, UpdateRequest } from "../generated/cart-requests.ts";
import type { CallOptions, Connection } from "./connection.ts";
import { createCookieJar } from "./cookie-jar.ts";
import { VitrineError } from "./vitrine-error.ts";

export interface WriteOptions extends CallOptions {
  /** The `revision` that the cart must still have: else `cart_changed`. */
  readonly ifMatch?: number;
  /** Names the write for a day: sent again with the same key it is applied once. A fresh one unless told. */
  readonly idempotencyKey?: string;
}

/** One shopper's cart. Writes go one after the other, in the order in which they are asked for; the CSRF token is fetched when it is needed. */
export interface ShopperCart {
  read(options?: CallOptions & { readonly sections?: readonly string[] }): Promise<CartRead>;
  /** An item, or several: all or nothing. */
  add(items: AddRequest | readonly CartItem[], options?: WriteOptions): Promise<CartAdded>;
  change(change: ChangeRequest, options?: WriteOptions): Promise<CartWritten>;
  update(changes: UpdateRequest, options?: WriteOptions): Promise<CartWritten>;
  clear(options?: WriteOptions): Promise<CartWritten>;
  /** A checkout of one product, beside the cart. */
  buyNow(request: BuyNowRequest, options?: Omit<WriteOptions, "ifMatch">): Promise<BuyNowAnswer>;
  /** @param country a code of ISO 3166-1, or a name  @throws VitrineError 422 where nothing is sent there */
  shippingRates(country: string, options?: CallOptions): Promise<ShippingRates>;
  /** The shopper's cookies: keep them, and give them to another client later. Who has them has the cart. */
  cookies(): Readonly<Record<string, string>>;
}

/** @param kept cookies of a shopper who was here before  @param newKey a text that never comes twice */
export function createShopperCart(
  connection: Connection,
  kept: Readonly<Record<string, string>> | undefined,
  newKey: () => string,
): ShopperCart {
  const cookies = createCookieJar(kept);
  let before: Promise<unknown> = Promise.resolve();

  const freshToken = async (signal: CallOptions): Promise<string> => {
    const { headers } = await connection.send({ path: "/api/csrf", cookies, ...signal });
    return headers.get("x-csrf-token") ?? "";
  };

  const post = async (path: string, body: unknown, options: WriteOptions): Promise<unknown> => {
    const signal = options.signal === undefined ? {} : { signal: options.signal };
    const headers = {
      "idempotency-key": options.idempotencyKey ?? newKey(),
      ...(options.ifMatch === undefined ? {} : { "if-match": `"${options.ifMatch}"` }),
    };
    const send = async (token: string): Promise<unknown> => {
      const call = { method: "POST", path, body, cookies, headers: { ...headers, "x-csrf-token": token } } as const;
      return (await connection.send({ ...call, ...signal })).body;
    };
    try {
      return await send(cookies.get("csrf_token") ?? (await freshToken(signal)));
    } catch (error) {
      // The token is too old, or the shop's secret has changed: nothing was written.
      if (!(error instanceof VitrineError) || !error.code.startsWith("csrf_")) throw error;
      return await send(await freshToken(signal));
    }
  };

  const write = <Answer>(path: string, body: unknown, options: WriteOptions = {}): Promise<Answer> => {
    const mine = before.then(() => post(path, body, options));
    before = mine.catch(() => undefined);
    return mine as Promise<Answer>;
  };

  return {
    async read({ sections = [], ...options } = {}) {
      const query = sections.length === 0 ? {} : { sections: sections.join() };
      return (await connection.send({ path: "/cart.js", query, cookies, ...options })).body as CartRead;
    },
    add: (items, options) => write("/cart/add.js", Array.isArray(items) ? { items } : items, options),
    change: (change, options) => write("/cart/change.js", change, options),
    update: (changes, options) => write("/cart/update.js", changes, options),
    clear: (options) => write("/cart/clear.js", {}, options),
    buyNow: (request, options) => write("/api/cart/buyNowCheckout", request, options),
    async shippingRates(country, options) {
      const query = { "shipping_address[country]": country };
      const path = "/cart/shipping_rates.json";
      return (await connection.send({ path, query, cookies, ...options })).body as ShippingRates;
    },
    cookies: () => cookies.all(),
  };
}
