import { type GivenCode, spelling } from "../../cart/edits/given-codes.ts";
import type { Shop } from "../../shop.ts";
import { addressBlock } from "../wire/address-block.ts";
import type { StoreRequest } from "../wire/request.ts";

/** The codes that one write tries. Codes that are new to the cart are verified, and those that do not apply are counted: many wrong ones from one cart, or
 *  very many from one network, stop further tries, because codes could be guessed. */
export interface CodeTries {
  /** The same code is answered alike each time, as edits may run more than once. */
  mayTry(given: GivenCode): boolean;
  /** Counts the codes that do not apply. */
  settle(inapplicable: readonly GivenCode[]): void;
}

/** @param cartId absent: the caller has no cart yet */
export function codeTries(
  { limits }: Pick<Shop, "limits">,
  { client, now }: Pick<StoreRequest, "client" | "now">,
  cartId: string | undefined,
): CodeTries {
  // Few writes try a code.
  let block: string | undefined;
  const blockOf = (): string => {
    block ??= addressBlock(client.address);
    return block;
  };
  const isAllowed = (): boolean =>
    limits.allows("wrong code by address", blockOf(), now) &&
    (cartId === undefined || limits.allows("wrong code by cart", cartId, now));
  let tried: Map<string, "looked at" | "left" | "settled"> | undefined;
  return {
    mayTry(given) {
      const name = nameOf(given);
      tried ??= new Map();
      const before = tried.get(name) ?? (isAllowed() ? "looked at" : "left");
      tried.set(name, before);
      return before !== "left";
    },
    settle(inapplicable) {
      if (tried === undefined) return;
      const wrong = new Set(inapplicable.map(nameOf));
      for (const [name, state] of tried) {
        if (state !== "looked at") continue;
        tried.set(name, "settled");
        if (!wrong.has(name)) continue;
        limits.countFailure("wrong code by address", blockOf(), now);
        if (cartId !== undefined) limits.countFailure("wrong code by cart", cartId, now);
      }
    },
  };
}

function nameOf({ field, code }: GivenCode): string {
  return `${field} ${spelling(code)}`;
}
