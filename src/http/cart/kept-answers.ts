import type { Cart } from "../../cart/cart.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { isRecent } from "../answer-cache.ts";
import type { Reply } from "../wire/reply.ts";

/** Answers to who reads their cart again before anything has changed, as a page's scripts do one after the other. An answer is kept with
 *  the very cart that it shows and goes with it. */
export interface KeptCartAnswers {
  find(cart: Cart, at: AnswerTime): Reply | undefined;
  keep(cart: Cart, at: AnswerTime, reply: Reply): void;
}

/** What an answer depends on besides the cart. */
export interface AnswerTime {
  readonly snapshot: Snapshot;
  readonly locale: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export function createKeptCartAnswers(): KeptCartAnswers {
  const kept = new WeakMap<Cart, AnswerTime & { readonly reply: Reply }>();
  return {
    find(cart, { snapshot, locale, now }) {
      const answer = kept.get(cart);
      const isGood = answer?.snapshot === snapshot && answer.locale === locale && isRecent(answer.now, now);
      return isGood ? answer.reply : undefined;
    },
    keep: (cart, at, reply) => void kept.set(cart, { ...at, reply }),
  };
}
