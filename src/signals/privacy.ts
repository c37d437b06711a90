import type { SignalKind } from "./signals.ts";

/**
 * Number of bits in the bitmap that records from which IP networks a search, click or sale came. A network always sets
 * the same bit for the same search or product. A double represents all 48 bits exactly. An attacker cannot predict
 * which networks share a bit, so faked searches do not reveal whether a single shopper made the same search.
 */
const NETWORK_BITS = 48;
/**
 * A search or click is shown to shoppers, or to the merchant, only if its bitmap has at least this many set bits.
 * Twenty bits are about 26 IP networks, rarely fewer than 22 and never fewer than 20. A person uses two or three
 * networks (home, work, mobile), so a search from five networks does not identify a person.
 */
const MIN_NETWORK_BITS = { shoppers: 20, merchant: 5 } as const;
/**
 * Sales of a product, or of two products together, are shown only if the bitmap of the buyers has at least this many
 * set bits. A low number is sufficient, because fake purchases cost money.
 */
const MIN_BUYERS = 5;
/**
 * Maximum weight that one IP network or buyer adds to a total, on average. A network counts at most once a day, but its
 * count may exceed 1 for a click at a low position.
 */
const MAX_WEIGHT_BY_KIND = { found: 6, chosen: 6, bought: 1, bought_together: 1 } as const;

/** Returns whether a count comes from enough IP networks or buyers to be shown to this audience. */
export function isVisible(
  { kind, networks }: { readonly kind: SignalKind; readonly networks: number },
  audience: keyof typeof MIN_NETWORK_BITS,
): boolean {
  const isPurchase = kind === "bought" || kind === "bought_together";
  return countBits(networks) >= (isPurchase ? MIN_BUYERS : MIN_NETWORK_BITS[audience]);
}

/**
 * Returns the bit that represents an IP network or buyer.
 * @param digest keyed digest of the network or buyer, together with the counted search or product
 */
export function hashToNetworkBit(digest: string): number {
  return 2 ** (Buffer.from(digest, "base64url").readUInt32BE() % NETWORK_BITS);
}

/**
 * Limits a total in proportion to the number of IP networks in it. A few persistent networks therefore do not outweigh
 * others.
 * @param networkBitmap bitmap of the IP networks
 * @param weight total in which older counts weigh less
 */
export function limitWeight(kind: keyof typeof MAX_WEIGHT_BY_KIND, networkBitmap: number, weight: number): number {
  // Linear counting (Whang et al., 1990). The estimate is infinite if all bits are set, at about 200 networks.
  const estimate = -NETWORK_BITS * Math.log(1 - countBits(networkBitmap) / NETWORK_BITS);
  return Math.min(weight, MAX_WEIGHT_BY_KIND[kind] * estimate);
}

/** Returns the number of set bits.  @param number integer from 0 to 2^53 - 1 */
function countBits(number: number): number {
  let bits = 0;
  for (let remainingValue = number; remainingValue > 0; remainingValue = Math.floor(remainingValue / 2))
    bits += remainingValue % 2;
  return bits;
}
