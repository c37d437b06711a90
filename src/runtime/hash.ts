/**
 * Returns the FNV-1a hash of a text, an unsigned 32-bit number, computed from UTF-16 code units. Callers that use the
 * low bits as an index must mix in the high bits first. Not suitable for texts from attackers, who can choose
 * collisions.
 */
export function hashFnv1a(text: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
