import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** Address, protocol, and host of a client, from the socket or from the X-Forwarded headers of a trusted proxy. */
export interface Client {
  readonly address: string;
  readonly scheme: "http" | "https";
  /** Host and port as the browser sent them. */
  readonly host: string;
}

/**
 * Returns a function that finds the client of a request. Only the last entries of the X-Forwarded headers are trusted,
 * because the shop's proxies set them. Earlier entries may be forged.
 * @param trustProxy list of proxy addresses ("10.0.0.7") and networks ("10.0.0.0/8"). If true, every request is assumed
 * to come through a proxy, and every private address to be a proxy
 * @param onIgnoredProxy called for each request whose X-Forwarded headers are ignored. `proxy` is the sender's IP
 * address if it is private, otherwise undefined
 */
export function createClientFinder(
  trustProxy: boolean | readonly string[],
  onIgnoredProxy: (proxy: string | undefined) => void = () => {},
): (request: IncomingMessage) => Client {
  const proxies = trustProxy === true ? privateNetworks : trustProxy || [];
  const isTrusted = proxies.length === 0 ? () => false : createProxyMatcher(proxies);
  return (request) => {
    const peerAddress = normalizeAddress(request.socket.remoteAddress ?? "");
    const host = request.headers.host ?? "";
    if (trustProxy !== true && !isTrusted(peerAddress)) {
      if (request.headers["x-forwarded-for"] !== undefined)
        onIgnoredProxy(isPrivateNetwork(peerAddress) ? peerAddress : undefined);
      return { address: peerAddress, scheme: "http", host };
    }
    const forwardedAddresses = parseList(request.headers["x-forwarded-for"]).map(normalizeAddress);
    return {
      // The client is the last address in the header that is not a trusted proxy.
      address:
        forwardedAddresses.findLast((proxyAddress, index) => index === 0 || !isTrusted(proxyAddress)) ?? peerAddress,
      scheme: parseList(request.headers["x-forwarded-proto"])[0]?.toLowerCase() === "https" ? "https" : "http",
      host: parseList(request.headers["x-forwarded-host"]).findLast(isHost) ?? host,
    };
  };
}

/** Reports whether a string is a host name or IP address with an optional port. */
export function isHost(text: string): boolean {
  return text.length <= 255 && /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(text);
}

/** Loopback, private, and link-local networks.  @see RFC 1918, RFC 4193, RFC 4291, RFC 6598 */
const privateNetworks: readonly string[] = [
  "127.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "169.254.0.0/16",
  "100.64.0.0/10",
  "::1",
  "fc00::/7",
  "fe80::/10",
];

const isPrivateNetwork = createProxyMatcher(privateNetworks);

function createProxyMatcher(proxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of proxies) {
    const [address = "", bits] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (isIP(address) === 0) throw new Error(`trustProxy: "${entry}" is not an address or a network.`);
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

function parseList(header: string | readonly string[] | undefined): readonly string[] {
  if (header === undefined) return [];
  return String(header)
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/**
 * Removes the port of an address, which some proxies add ("10.0.0.1:443", "[fd00::1]:443"), and converts an IPv4 address
 * that is written as IPv6 ("::ffff:10.0.0.1") to IPv4.
 */
function normalizeAddress(addressWithPort: string): string {
  const address = addressWithPort.replace(/^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/, "$1$2");
  return address.startsWith("::ffff:") && address.includes(".") ? address.slice(7) : address;
}
