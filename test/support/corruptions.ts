/** Functions that corrupt a file: flip a bit, truncate, append, zero, swap pieces, repeat the start. */
export const corruptions: readonly ((bytes: Buffer, random: (below: number) => number) => Buffer)[] = [
  (bytes, random) => {
    const at = random(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8));
    return bytes;
  },
  (bytes, random) => bytes.subarray(0, random(bytes.length)),
  (bytes, random) => Buffer.concat([bytes, Buffer.alloc(1 + random(5_000), random(256))]),
  (bytes, random) => {
    const at = random(bytes.length);
    bytes.subarray(at, at + 1 + random(5_000)).fill(0);
    return bytes;
  },
  (bytes, random) => {
    const length = 1 + random(500);
    const [one, other] = [random(bytes.length - length), random(bytes.length - length)];
    const piece = Buffer.from(bytes.subarray(one, one + length));
    bytes.copyWithin(one, other, other + length);
    piece.copy(bytes, other);
    return bytes;
  },
  (bytes, random) => Buffer.concat([bytes.subarray(0, random(bytes.length)), bytes]),
];

/** Creates a deterministic generator of integers from 0 up to a bound, exclusive. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
