import { LRUCache } from "lru-cache";
import type { Cart } from "../../cart/cart.ts";
import type { StockWatch } from "../../catalog/live/stock-reads.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { isRecent } from "../answer-cache.ts";
import type { Reply } from "../wire/reply.ts";

/** Answers to who reads their cart again before anything has changed, as a page's scripts do one after the other. An answer is kept for
 *  the very cart that it shows, and those that were not asked for longest make room. */
export interface KeptCartAnswers {
  find(cart: Cart, at: AnswerTime): Reply | undefined;
  /** @param stock of what it shows */
  keep(cart: Cart, at: AnswerTime, reply: KeptReply, stock: StockWatch): void;
}

/** What an answer depends on besides the cart. */
export interface AnswerTime {
  readonly snapshot: Snapshot;
  readonly locale: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Bytes that an answer takes besides its body. */
const OVERHEAD = 1_000;

/** A body of bytes. */
type KeptReply = Reply & { readonly body: Uint8Array };

/** @param maxBytes of the answers that are kept */
export function createKeptCartAnswers(maxBytes: number): KeptCartAnswers {
  const kept = new LRUCache<Cart, AnswerTime & { readonly reply: KeptReply; readonly stock: StockWatch }>({
    maxSize: maxBytes,
    sizeCalculation: ({ reply }) => reply.body.length + OVERHEAD,
  });
  return {
    find(cart, { snapshot, locale, now }) {
      const answer = kept.get(cart);
      const isGood = answer?.snapshot === snapshot && answer.locale === locale && isRecent(answer.now, now);
      return isGood && answer.stock.isCurrent() ? answer.reply : undefined;
    },
    keep: (cart, at, reply, stock) => void kept.set(cart, { ...at, reply, stock }),
  };
}
