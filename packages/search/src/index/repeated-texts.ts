import { doubleCapacity, Uint32List } from "../arrays/shared-arrays.ts";
import type { Field } from "../schema.ts";
import { TermTable } from "../terms/term-table.ts";
import { categoryKey } from "./categories.ts";
import type { TextReader } from "./text-reader.ts";

/** Short texts of fields that come again and again, as vendors, types and tags do, with the terms that they were read into. The entries of text
 *  n are `starts[n]` up to, not including, `starts[n + 1]`. */
export class RepeatedTexts {
  terms = new Uint32Array(1 << 10);
  /** See `TextReader`. */
  places = new Uint32Array(1 << 10);
  readonly starts = new Uint32List();
  /** By text: how long it is, in words. */
  readonly lengths = new Uint32List();
  /** By text: its key as a category (see `categoryKey`). */
  readonly categories = new Uint32List();
  readonly #texts = new TermTable(maxTexts);

  constructor() {
    this.starts.push(0);
  }

  get count(): number {
    return this.lengths.length;
  }

  /**
   * Number of a text, from 0 in order of first use; -1 if it is not cached. A text at its first use, whose number is
   * `count`, is to be added next.
   */
  numberOf(text: string, kind: Field["kind"]): number {
    return (kind === "phrase" || kind === "text") && text.length <= longestText ? this.#texts.addText(text) : -1;
  }

  /** Adds the parsed text for which `numberOf` was called last. */
  add({ terms, places, count, length, tokenizer }: TextReader): void {
    const from = this.starts.get(this.count);
    while (from + count > this.terms.length) {
      this.terms = doubleCapacity(this.terms);
      this.places = doubleCapacity(this.places);
    }
    for (let index = 0; index < count; index += 1) {
      this.terms[from + index] = terms[index] as number;
      this.places[from + index] = places[index] as number;
    }
    this.starts.push(from + count);
    this.lengths.push(length);
    this.categories.push(categoryKey(tokenizer));
  }
}

/** Maximum cached strings. Repeated strings usually occur early. */
const maxTexts = 1 << 16;
/** Maximum UTF-16 units of a cached text. */
const longestText = 80;
