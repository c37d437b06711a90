import { type GivenCode, spelling } from "../../cart/edits/given-codes.ts";
import type { Shop } from "../../shop.ts";
import { addressBlock } from "../wire/address-block.ts";
import type { StoreRequest } from "../wire/request.ts";

/** The codes that one write tries. Each that is new to the cart is looked at only while the caller's address and cart have not tried
 *  many wrong ones lately: codes could be guessed. */
export interface CodeTries {
  /** The same code is answered alike each time, as edits may run more than once. */
  mayTry(given: GivenCode): boolean;
  /** Called once it is known which codes do not apply: those that do were no guesses, and cost nothing. */
  settle(inapplicable: readonly GivenCode[]): void;
}

/** @param cartId absent: the caller has no cart yet */
export function codeTries(
  { wrongCodes }: Pick<Shop, "wrongCodes">,
  { client, now }: Pick<StoreRequest, "client" | "now">,
  cartId: string | undefined,
): CodeTries {
  const { byAddress, byCart } = wrongCodes;
  // Few writes try a code.
  let block: string | undefined;
  const blockOf = (): string => {
    block ??= addressBlock(client.address);
    return block;
  };
  const take = (): boolean => {
    const address = blockOf();
    if (!byAddress.take(address, now)) return false;
    if (cartId === undefined || byCart.take(cartId, now)) return true;
    byAddress.giveBack(address, now);
    return false;
  };
  let tried: Map<string, "looked at" | "left" | "settled"> | undefined;
  return {
    mayTry(given) {
      const name = nameOf(given);
      tried ??= new Map();
      const before = tried.get(name) ?? (take() ? "looked at" : "left");
      tried.set(name, before);
      return before !== "left";
    },
    settle(inapplicable) {
      if (tried === undefined) return;
      const wrong = new Set(inapplicable.map(nameOf));
      for (const [name, state] of tried) {
        if (state !== "looked at") continue;
        tried.set(name, "settled");
        if (wrong.has(name)) continue;
        byAddress.giveBack(blockOf(), now);
        if (cartId !== undefined) byCart.giveBack(cartId, now);
      }
    },
  };
}

function nameOf({ field, code }: GivenCode): string {
  return `${field} ${spelling(code)}`;
}
