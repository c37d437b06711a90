import { growArray, Uint32List } from "../arrays/shared-arrays.ts";
import type { Field } from "../schema.ts";
import { TermTable } from "../terms/term-table.ts";
import { hashCategory } from "./categories.ts";
import type { TextReader } from "./text-reader.ts";

/**
 * Cache of the terms of short texts that repeat often, like vendors, types and tags. Text n has the entries from
 * `starts[n]` to `starts[n + 1]` (exclusive).
 */
export class RepeatedTexts {
  terms = new Uint32Array(1 << 10);
  /**
   * Position of each term in its text, counted in words. The two lowest bits mark words in the purpose that a title
   * states, and words at the end of a phrase.
   */
  packedPositions = new Uint32Array(1 << 10);
  readonly starts = new Uint32List();
  /** Length of each text in words. */
  readonly lengths = new Uint32List();
  /** Category key of each text (see `hashCategory`). */
  readonly categories = new Uint32List();
  readonly #texts = new TermTable(maxTexts);

  constructor() {
    this.starts.push(0);
  }

  get count(): number {
    return this.lengths.length;
  }

  /**
   * Returns the number of a text, or -1 if the text cannot be cached. Texts are numbered from 0. If the number equals
   * `count`, the text is new, and the caller must add it next.
   */
  findOrAddText(text: string, kind: Field["kind"]): number {
    return (kind === "phrase" || kind === "text") && text.length <= maxTextLength ? this.#texts.addText(text) : -1;
  }

  /** Stores the terms of a new text, which the reader has parsed. */
  add({ terms, packedPositions, count, length, tokenizer }: TextReader): void {
    const from = this.starts.get(this.count);
    while (from + count > this.terms.length) {
      this.terms = growArray(this.terms);
      this.packedPositions = growArray(this.packedPositions);
    }
    for (let index = 0; index < count; index += 1) {
      this.terms[from + index] = terms[index] as number;
      this.packedPositions[from + index] = packedPositions[index] as number;
    }
    this.starts.push(from + count);
    this.lengths.push(length);
    this.categories.push(hashCategory(tokenizer));
  }
}

/** Maximum number of cached texts. Texts that first occur later rarely repeat. */
const maxTexts = 1 << 16;
/** Maximum number of UTF-16 units in a cached text. */
const maxTextLength = 80;
