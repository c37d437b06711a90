import { lookup as lookUp } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** What makes the server ask inside its own network, on behalf of whoever wrote an address into a catalogue. */
export class PrivateAddress extends Error {}

/** True for an address that the public internet routes: no other machine of this network, nor this one.
 *  @see https://www.iana.org/assignments/iana-ipv4-special-registry */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, "ipv4");
  return family === 6 && global.check(address, "ipv6") && !special.check(address, "ipv6");
}

/** Looks names up and refuses those of which an address is not public; the addresses that were looked at are those that are connected to. */
export const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  lookUp(hostname, { ...options, all: true }, (error, addresses) => {
    const inside = error === null ? addresses.find(({ address }) => !isPublicAddress(address)) : undefined;
    const [first] = addresses ?? [];
    if (error !== null) callback(error, "", 0);
    else if (inside !== undefined || first === undefined) callback(new PrivateAddress(hostname), "", 0);
    else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

/** Networks for machines, tests and protocols. */
const special = new BlockList();
for (const network of [
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24",
  "192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4",
  // Tunnels, of which the inner address may be any, and examples.
  "2001::/23 2001:db8::/32 2002::/16 3fff::/20",
].flatMap((line) => line.split(" "))) {
  const [address = "", bits = ""] = network.split("/");
  special.addSubnet(address, Number(bits), address.includes(":") ? "ipv6" : "ipv4");
}
const global = new BlockList();
global.addSubnet("2000::", 3, "ipv6");
