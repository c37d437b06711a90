/** FNV-1a over the UTF-16 code units of a text: 32 bits, unsigned. The low bits of similar texts differ; mix the high ones in before use as a slot.
 *  Not for texts that an attacker chooses to collide. */
export function fnv1a(text: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
