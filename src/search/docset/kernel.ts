import { code } from "./kernel-code.ts";

/** What `kernel/` does, which is compiled to `kernel-code.ts`. Sets are told by their addresses in its memory. */
interface Kernel {
  docIds(count: number, deleted: number, words: number, from: number, to: number, into: number, most: number): number;
  intersect(into: number, count: number, words: number): void;
  symmetricDifference(into: number, one: number, other: number, words: number): void;
  select(into: number, most: number, less: number, own: number, words: number): void;
  union(into: number, set: number, words: number): void;
  clear(set: number, words: number): void;
  insert(set: number, words: number, list: number, count: number): void;
  fill(set: number, words: number, bytes: number): void;
  coordinate(
    first: number,
    count: number,
    isAlone: boolean,
    below: number,
    deleted: number,
    best: number,
    words: number,
  ): number;
}

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): void;
}

declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => Memory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

const pageLength = 65_536;
/** One page for what the kernel keeps for itself and what it finds, and one for a list of docIds handed to it; sets lie behind. */
const reservedPages = 2;
export const listAt = pageLength;
export const listLength = pageLength / 4;

const memory = new WebAssembly.Memory({ initial: reservedPages });
const module = new WebAssembly.Module(Buffer.from(code, "base64"));
export const kernel = new WebAssembly.Instance(module, { env: { memory } }).exports as Kernel;

/** The memory by 32-bit words; another array once it has grown. */
export let memoryWords = new Uint32Array(memory.buffer);
let end = reservedPages * pageLength;

/** Takes bytes that nobody else has. @returns their address, a multiple of 64 */
export function allocate(bytes: number): number {
  const at = end;
  end += (bytes + 63) & ~63;
  const missing = end - memory.buffer.byteLength;
  if (missing > 0) {
    // By a quarter at least, so that it seldom grows.
    memory.grow(Math.ceil(Math.max(missing, memory.buffer.byteLength / 4) / pageLength));
    memoryWords = new Uint32Array(memory.buffer);
  }
  return at;
}
