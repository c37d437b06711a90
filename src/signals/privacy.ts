import type { SignalKind } from "./signals.ts";

/** Each network that counts in a row always sets the same one of its bits; a double represents all 48 exactly. Networks that share a bit
 *  are unpredictable, so an attacker cannot bring a row to the point where one shopper makes the difference. */
const NETWORK_BITS = 48;
/** Set bits from which an audience sees a row. Twenty bits are about 26 networks, rarely fewer than 22 and never fewer than 20. One person has two
 *  or three networks (home, work, mobile), so what five networks searched is not one person's name. */
const minBits = { shoppers: 20, merchant: 5 } as const;
/** Set bits from which a product's sales are visible: its buyers paid, which protects from manipulation. */
const MIN_BUYERS = 5;
/** Weight of one network or buyer in a visible total. A network counts daily, and a click far down counts for more than one; few shoppers do both. */
const maxByNetwork = { found: 6, chosen: 6, bought: 1 } as const;

/** Whether enough networks, or buyers, count in a row for an audience to see it. */
export function isVisible(
  { kind, networks }: { readonly kind: SignalKind; readonly networks: number },
  audience: keyof typeof minBits,
): boolean {
  return bitsIn(networks) >= (kind === "bought" ? MIN_BUYERS : minBits[audience]);
}

/** @param digest keyed, of the network and the row */
export function networkBit(digest: string): number {
  return 2 ** (Buffer.from(digest, "base64url").readUInt32BE() % NETWORK_BITS);
}

/** Limits a total by the number of its networks, so that a few persistent ones do not outweigh all others.
 *  @param weight decayed */
export function boundedWeight(kind: keyof typeof maxByNetwork, networks: number, weight: number): number {
  // Linear counting (Whang et al., 1990); infinite if all bits are set, at about 200 networks.
  const estimate = -NETWORK_BITS * Math.log(1 - bitsIn(networks) / NETWORK_BITS);
  return Math.min(weight, maxByNetwork[kind] * estimate);
}

/** @param number an integer below 2^53 */
function bitsIn(number: number): number {
  let bits = 0;
  for (let rest = number; rest > 0; rest = Math.floor(rest / 2)) bits += rest % 2;
  return bits;
}
