import type { SubmittedCode } from "../../cart/edits/submitted-codes.ts";
import { normalizeCode } from "../../catalog/rows/parse-offers.ts";
import type { Shop } from "../../shop.ts";
import { findAddressBlock } from "../wire/address-block.ts";
import type { StoreRequest } from "../wire/request.ts";

/**
 * Prevents guessing of discount and gift card codes. One object is created for each cart write. It counts invalid codes
 * by cart and by network. Above the limit, all new codes are rejected without being verified.
 */
export interface CodeAttempts {
  /**
   * Reports whether a code may be verified. Repeated calls for a code return the same result, because an edit may run
   * more than once.
   */
  canTry(submittedCode: SubmittedCode): boolean;
  /** Counts each invalid code once. */
  countWrongCodes(inapplicableCodes: readonly SubmittedCode[]): void;
}

/** Creates the limit for one write.  @param cartId undefined if the visitor has no cart yet */
export function createCodeAttemptLimit(
  { limits }: Pick<Shop, "limits">,
  { client, now }: Pick<StoreRequest, "client" | "now">,
  cartId: string | undefined,
): CodeAttempts {
  // Computed at first use, because few writes contain a code.
  let network: string | undefined;
  const getNetwork = (): string => {
    network ??= findAddressBlock(client.address);
    return network;
  };
  const isAllowed = (): boolean =>
    limits.allows("wrong code by address", getNetwork(), now) &&
    (cartId === undefined || limits.allows("wrong code by cart", cartId, now));
  let statesByCode: Map<string, "verified" | "rejected" | "counted"> | undefined;
  return {
    canTry(submittedCode) {
      const name = formatKey(submittedCode);
      statesByCode ??= new Map();
      const state = statesByCode.get(name) ?? (isAllowed() ? "verified" : "rejected");
      statesByCode.set(name, state);
      return state !== "rejected";
    },
    countWrongCodes(inapplicableCodes) {
      if (statesByCode === undefined) return;
      const invalidCodes = new Set(inapplicableCodes.map(formatKey));
      for (const [name, state] of statesByCode) {
        if (state !== "verified") continue;
        statesByCode.set(name, "counted");
        if (!invalidCodes.has(name)) continue;
        limits.countFailure("wrong code by address", getNetwork(), now);
        if (cartId !== undefined) limits.countFailure("wrong code by cart", cartId, now);
      }
    },
  };
}

function formatKey({ field, code }: SubmittedCode): string {
  return `${field} ${normalizeCode(code)}`;
}
