import type { BuyNowAnswer, CartAdded, CartRead, CartWritten, ShippingRates } from "../generated/cart.ts";
import type { AddRequest, BuyNowRequest, CartItem, ChangeRequest, UpdateRequest } from "../generated/cart-requests.ts";
import type { CallOptions, Connection } from "./connection.ts";
import { createCookieJar } from "./cookie-jar.ts";
import { VitrineError } from "./vitrine-error.ts";

/** Options of a cart write. */
export interface WriteOptions extends CallOptions {
  /**
   * Expected `revision` of the cart. If the cart has another revision, the write fails with `cart_changed`. Default:
   * any revision.
   */
  readonly ifMatch?: number;
  /**
   * Idempotency key of the write. A second write with the same key within a day has no effect. Default: a random key.
   */
  readonly idempotencyKey?: string;
}

/**
 * The cart of one customer. Writes run one after another, in call order. The CSRF token is fetched before the first
 * write and again if the shop rejects it. Every method throws {@link VitrineError}.
 */
export interface ShopperCart {
  /** Returns the cart.  @param options `sections`: ids of theme sections to render with the cart */
  read(options?: CallOptions & { readonly sections?: readonly string[] }): Promise<CartRead>;
  /** Adds one or more items. If one item cannot be added, none is. */
  add(items: AddRequest | readonly CartItem[], options?: WriteOptions): Promise<CartAdded>;
  /** Changes the quantity or the properties of a line. The quantity 0 removes the line. */
  change(change: ChangeRequest, options?: WriteOptions): Promise<CartWritten>;
  /** Changes quantities, the note, attributes, or discount codes. */
  update(changes: UpdateRequest, options?: WriteOptions): Promise<CartWritten>;
  /** Removes all lines. */
  clear(options?: WriteOptions): Promise<CartWritten>;
  /** Starts a checkout of one product without changing the cart. */
  buyNow(request: BuyNowRequest, options?: Omit<WriteOptions, "ifMatch">): Promise<BuyNowAnswer>;
  /**
   * Returns the shipping rates of the cart.
   * @param country ISO 3166-1 code or name of the country
   * @throws VitrineError with status 422 if the shop does not ship to the country
   */
  shippingRates(country: string, options?: CallOptions): Promise<ShippingRates>;
  /**
   * Returns the customer's cookies, with which another client can continue the cart. Keep them secret, since they give
   * access to the cart.
   */
  cookies(): Readonly<Record<string, string>>;
}

/**
 * Creates the cart of one customer.
 * @param initialCookies cookies of an earlier cart
 * @param newKey returns a unique idempotency key
 */
export function createShopperCart(
  connection: Connection,
  initialCookies: Readonly<Record<string, string>> | undefined,
  newKey: () => string,
): ShopperCart {
  const cookies = createCookieJar(initialCookies);
  let previousWrite: Promise<unknown> = Promise.resolve();

  const fetchToken = async (signalOptions: CallOptions): Promise<string> => {
    const { headers } = await connection.send({ path: "/api/csrf", cookies, ...signalOptions });
    return headers.get("x-csrf-token") ?? "";
  };

  const postJson = async (path: string, body: unknown, options: WriteOptions): Promise<unknown> => {
    const signalOptions = options.signal === undefined ? {} : { signal: options.signal };
    const headers = {
      "idempotency-key": options.idempotencyKey ?? newKey(),
      ...(options.ifMatch === undefined ? {} : { "if-match": `"${options.ifMatch}"` }),
    };
    const send = async (token: string): Promise<unknown> => {
      const clientRequest = {
        method: "POST",
        path,
        body,
        cookies,
        headers: { ...headers, "x-csrf-token": token },
      } as const;
      return (await connection.send({ ...clientRequest, ...signalOptions })).body;
    };
    try {
      return await send(cookies.get("csrf_token") ?? (await fetchToken(signalOptions)));
    } catch (error) {
      // If the shop rejects the CSRF token, nothing was written. The write is repeated with a new token.
      if (!(error instanceof VitrineError) || !error.code.startsWith("csrf_")) throw error;
      return await send(await fetchToken(signalOptions));
    }
  };

  const write = <Answer>(path: string, body: unknown, options: WriteOptions = {}): Promise<Answer> => {
    const result = previousWrite.then(() => postJson(path, body, options));
    previousWrite = result.catch(() => undefined);
    return result as Promise<Answer>;
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
    cookies: () => cookies.getAll(),
  };
}
