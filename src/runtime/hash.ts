import { hash } from "node:crypto";

/**
 * Returns the FNV-1a hash of a text, an unsigned 32-bit number, computed from UTF-16 code units. Callers that use the
 * low bits as an index must mix in the high bits first. Not suitable for texts from attackers, who can choose
 * collisions.
 */
export function hashFnv1a(text: string, seed = 0x811c9dc5): number {
  let value = seed;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value >>> 0;
}

/** Mixes the bits of a 32-bit number, so that the low bits depend on the high ones.  @returns an unsigned number */
export function mixHash(value: number): number {
  const mixedHash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  const remixedHash = Math.imul(mixedHash ^ (mixedHash >>> 13), 0xc2b2ae35);
  return (remixedHash ^ (remixedHash >>> 16)) >>> 0;
}

/** Returns the first 132 bits of the SHA-256 hash, 22 characters of base64url. */
export function digestOf(content: Uint8Array | string): string {
  return hash("sha256", content, "base64url").slice(0, 22);
}
