import { isIPv4, isIPv6 } from "node:net";

/**
 * The network that an address is in, as a string: a subscriber with one address of an IPv6 network has all of them.
 * @param address as in `Client`. A string that is not an IP address is returned unchanged, at most 45 characters of it
 * @param bits prefix length of each kind of address. Default: what one subscriber has
 */
export function addressBlock(
  address: string,
  bits: { readonly ipv4: 24 | 32; readonly ipv6: 48 | 64 } = { ipv4: 32, ipv6: 64 },
): string {
  if (isIPv4(address)) return address.split(".", bits.ipv4 / 8).join(".");
  if (!isIPv6(address)) return address.slice(0, MAX_LENGTH);
  // IPv4 at the end of an IPv6 address takes two groups, which no block includes.
  const plain = address.replace(/%.*$/, "").replace(/[\d.]+\.\d+$/, "0:0");
  const [head = [], tail = []] = plain.split("::").map((half) => half.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  const groups = [...head, ...zeros, ...tail].slice(0, bits.ipv6 / 16);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":");
}

/** Characters of the longest IPv6 address. */
const MAX_LENGTH = 45;
