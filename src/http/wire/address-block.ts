import { isIPv4, isIPv6 } from "node:net";

/**
 * Returns the network of an IP address. Rate limits use it because an internet provider assigns an entire network, not
 * a single address, to each IPv6 customer.
 * @param address an IP address; another string is returned unchanged, up to 45 characters
 * @param bits prefix length for each IP version. Default: the network of one customer, /32 for IPv4 and /64 for IPv6
 */
export function findAddressBlock(
  address: string,
  bits: { readonly ipv4: 24 | 32; readonly ipv6: 48 | 64 } = { ipv4: 32, ipv6: 64 },
): string {
  if (isIPv4(address)) return address.split(".", bits.ipv4 / 8).join(".");
  if (!isIPv6(address)) return address.slice(0, MAX_ADDRESS_LENGTH);
  // An IPv4 address at the end of an IPv6 address is never part of the network prefix, so it is replaced by zeros.
  const normalizedAddress = address.replace(/%.*$/, "").replace(/[\d.]+\.\d+$/, "0:0");
  const [firstGroups = [], lastGroups = []] = normalizedAddress
    .split("::")
    .map((addressPart) => addressPart.split(":").filter((group) => group !== ""));
  const zeroGroups = Array.from({ length: 8 - firstGroups.length - lastGroups.length }, () => "0");
  const groups = [...firstGroups, ...zeroGroups, ...lastGroups].slice(0, bits.ipv6 / 16);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":");
}

/** Length of the longest IPv6 address, in characters. */
const MAX_ADDRESS_LENGTH = 45;
