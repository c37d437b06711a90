import type { Cart } from "../../cart/cart.ts";
import type { StockWatch } from "../../catalog/live/stock-reads.ts";
import { createCache } from "../../runtime/cache.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { MAX_AGE_MS } from "../response-cache.ts";
import type { Reply } from "../wire/reply.ts";

/** The last response of each cart, for the scripts of a page that read an unchanged cart one after the other. */
export interface CartResponseCache {
  get(cart: Cart, view: CartResponseView): Reply | undefined;
  /** @param stock the stock that the reply shows */
  set(cart: Cart, view: CartResponseView, reply: CachedReply, stock: StockWatch): void;
}

/** Inputs of a response besides the cart. */
export interface CartResponseView {
  readonly snapshot: Snapshot;
  readonly locale: string;
}

/** Bytes that a response takes besides its body. */
const OVERHEAD = 1_000;

type CachedReply = Reply & { readonly body: Uint8Array };

interface Entry extends CartResponseView {
  readonly reply: CachedReply;
  readonly stock: StockWatch;
}

/** @param now milliseconds since 1970 */
export function createCartResponseCache(maxBytes: number, now: () => number): CartResponseCache {
  const cache = createCache<Cart, Entry>({
    name: "cart_responses",
    maxWeight: maxBytes,
    weigh: ({ reply }) => reply.body.length + OVERHEAD,
    maxAgeMs: MAX_AGE_MS,
    now,
    isCurrent: ({ stock }) => stock.isCurrent(),
  });
  return {
    get(cart, { snapshot, locale }) {
      const entry = cache.get(cart);
      return entry?.snapshot === snapshot && entry.locale === locale ? entry.reply : undefined;
    },
    set: (cart, { snapshot, locale }, reply, stock) => cache.set(cart, { snapshot, locale, reply, stock }),
  };
}
