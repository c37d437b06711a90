import { code } from "./kernel-code.ts";

/**
 * Functions of the WebAssembly module. Bit sets and lists are passed as byte addresses. `words` is the number of 64-bit
 * words in the overview of each bit set.
 */
interface WasmFunctions {
  docIds(
    count: number,
    deleted: number,
    words: number,
    from: number,
    to: number,
    target: number,
    maxCount: number,
  ): number;
  intersect(target: number, count: number, words: number): void;
  union(target: number, set: number, words: number): void;
  clear(set: number, words: number): void;
  insert(set: number, words: number, list: number, count: number): void;
  fill(set: number, words: number, bytes: number): void;
}

interface KernelMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): void;
}

declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => KernelMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

const pageBytes = 65_536;
/**
 * Number of reserved memory pages. The first page contains the operands and temporary data of the functions, and the
 * second page a list of document ids. Bit sets are stored after these pages.
 */
const reservedPages = 2;
/** Byte address of the list of document ids to insert into a bit set. */
export const docIdListAddress = pageBytes;
export const docIdListLength = pageBytes / 4;

/** An instance of the WebAssembly module, with the memory of one searcher's bit sets. */
export class BitSetKernel {
  readonly functions: WasmFunctions;
  /**
   * The memory as 32-bit words. Growing the memory replaces this array, so callers must read it again after `allocate`.
   */
  words: Uint32Array;
  readonly #memory: KernelMemory;
  #end = reservedPages * pageBytes;

  constructor() {
    this.#memory = new WebAssembly.Memory({ initial: reservedPages });
    const module = new WebAssembly.Module(Uint8Array.from(atob(code), (byte) => byte.charCodeAt(0)));
    const wasmInstance = new WebAssembly.Instance(module, { env: { memory: this.#memory } });
    this.functions = wasmInstance.exports as WasmFunctions;
    this.words = new Uint32Array(this.#memory.buffer);
  }

  /** Reserves bytes of the memory permanently.  @returns address of the bytes, a multiple of 64 */
  allocate(bytes: number): number {
    const address = this.#end;
    this.#end += (bytes + 63) & ~63;
    const { byteLength } = this.#memory.buffer;
    const missingBytes = this.#end - byteLength;
    if (missingBytes > 0) {
      // Grows the memory by at least a quarter, so that it rarely has to grow.
      this.#memory.grow(Math.ceil(Math.max(missingBytes, byteLength / 4) / pageBytes));
      this.words = new Uint32Array(this.#memory.buffer);
    }
    return address;
  }
}
