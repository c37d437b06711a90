/** Indexes of `keys` in the ascending order of the keys, equals in their order: sorted by 11 bits at a time, and bits that are the same in all
 *  are passed over. @param keys not negative, finite */
export function stableOrder(keys: Float64Array): Uint32Array {
  const count = keys.length;
  // The bits of floats that are not negative ascend as the floats do.
  const words = new Uint32Array(keys.buffer, keys.byteOffset, count * 2);
  let order = new Uint32Array(count);
  for (let index = 0; index < count; index += 1) order[index] = index;
  let other = new Uint32Array(count);
  for (const half of [lowHalf, 1 - lowHalf])
    for (let shift = 0; shift < 32; shift += digitBits) {
      const starts = countDigits(words, half, shift);
      if (starts === undefined) continue;
      for (let at = 0; at < count; at += 1) {
        const index = order[at] as number;
        const digit = ((words[index * 2 + half] as number) >>> shift) & digitMask;
        const to = starts[digit] as number;
        other[to] = index;
        starts[digit] = to + 1;
      }
      [order, other] = [other, order];
    }
  return order;
}

const digitBits = 11;
const digitMask = (1 << digitBits) - 1;
/** Which half of a float comes first in memory on this machine. */
const lowHalf = new Uint32Array(new Float64Array([1]).buffer)[0] === 0 ? 0 : 1;

/** Where keys of each digit begin; undefined where all have the same one. */
function countDigits(words: Uint32Array, half: number, shift: number): Uint32Array | undefined {
  const starts = new Uint32Array(1 << digitBits);
  const count = words.length / 2;
  for (let index = 0; index < count; index += 1) {
    const digit = ((words[index * 2 + half] as number) >>> shift) & digitMask;
    starts[digit] = (starts[digit] as number) + 1;
  }
  if (starts.includes(count)) return undefined;
  let sum = 0;
  for (let digit = 0; digit < starts.length; digit += 1) {
    const here = starts[digit] as number;
    starts[digit] = sum;
    sum += here;
  }
  return starts;
}
