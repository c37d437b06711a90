/** The BLAKE3 hash of some bytes, 32 bytes as hexadecimal digits. @see https://github.com/BLAKE3-team/BLAKE3-specs */
export function blake3(bytes: Uint8Array): string {
  const words = root(bytes);
  const out = Buffer.alloc(32);
  for (let index = 0; index < 8; index += 1) out.writeUInt32LE((words[index] as number) >>> 0, index * 4);
  return out.toString("hex");
}

const start = Uint32Array.of(
  0x6a09e667,
  0xbb67ae85,
  0x3c6ef372,
  0xa54ff53a,
  0x510e527f,
  0x9b05688c,
  0x1f83d9ab,
  0x5be0cd19,
);
/** Where the words of a block go for its next round. */
const shuffled = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
const [chunkStart, chunkEnd, isParent, isRoot] = [1, 2, 4, 8];
const chunkLength = 1_024;
const blockLength = 64;

/** What is left to compress when all but the last step is done: that step alone knows whether it is the root. */
interface Node {
  readonly chain: Uint32Array;
  readonly block: Uint32Array;
  readonly counter: number;
  readonly length: number;
  readonly flags: number;
}

function root(bytes: Uint8Array): Uint32Array {
  const node = tree(bytes, 0);
  return compress({ ...node, flags: node.flags | isRoot });
}

/** The left half is the largest power of two of whole chunks that leaves something for the right. */
function tree(bytes: Uint8Array, counter: number): Node {
  if (bytes.length <= chunkLength) return chunk(bytes, counter);
  let left = chunkLength;
  while (left * 2 < bytes.length) left *= 2;
  const block = new Uint32Array(16);
  block.set(compress(tree(bytes.subarray(0, left), counter)).subarray(0, 8));
  block.set(compress(tree(bytes.subarray(left), counter + left / chunkLength)).subarray(0, 8), 8);
  return { chain: start, block, counter: 0, length: blockLength, flags: isParent };
}

function chunk(bytes: Uint8Array, counter: number): Node {
  let chain: Uint32Array = start;
  const last = Math.max(0, Math.ceil(bytes.length / blockLength) - 1);
  for (let index = 0; ; index += 1) {
    const part = bytes.subarray(index * blockLength, (index + 1) * blockLength);
    const flags = (index === 0 ? chunkStart : 0) | (index === last ? chunkEnd : 0);
    const node = { chain, block: words(part), counter, length: part.length, flags };
    if (index === last) return node;
    chain = compress(node).subarray(0, 8);
  }
}

function words(part: Uint8Array): Uint32Array {
  const block = new Uint32Array(16);
  for (const [index, byte] of part.entries())
    block[index >> 2] = (block[index >> 2] as number) | (byte << ((index & 3) * 8));
  return block;
}

function compress({ chain, block, counter, length, flags }: Node): Uint32Array {
  const state = new Uint32Array(16);
  state.set(chain);
  state.set(start.subarray(0, 4), 8);
  state.set([counter >>> 0, Math.floor(counter / 2 ** 32), length, flags], 12);
  let message: Uint32Array = block;
  for (let round = 0; round < 7; round += 1) {
    const at = (index: number): number => message[index] as number;
    for (let column = 0; column < 4; column += 1)
      mix(state, column, column + 4, column + 8, column + 12, at(column * 2), at(column * 2 + 1));
    for (let diagonal = 0; diagonal < 4; diagonal += 1)
      mix(
        state,
        diagonal,
        ((diagonal + 1) & 3) + 4,
        ((diagonal + 2) & 3) + 8,
        ((diagonal + 3) & 3) + 12,
        at(8 + diagonal * 2),
        at(9 + diagonal * 2),
      );
    message = Uint32Array.from(shuffled, at);
  }
  for (let index = 0; index < 8; index += 1) {
    state[index] = (state[index] as number) ^ (state[index + 8] as number);
    state[index + 8] = (state[index + 8] as number) ^ (chain[index] as number);
  }
  return state;
}

function mix(s: Uint32Array, a: number, b: number, c: number, d: number, x: number, y: number): void {
  const at = (index: number): number => s[index] as number;
  s[a] = at(a) + at(b) + x;
  s[d] = turned(at(d) ^ at(a), 16);
  s[c] = at(c) + at(d);
  s[b] = turned(at(b) ^ at(c), 12);
  s[a] = at(a) + at(b) + y;
  s[d] = turned(at(d) ^ at(a), 8);
  s[c] = at(c) + at(d);
  s[b] = turned(at(b) ^ at(c), 7);
}

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}
