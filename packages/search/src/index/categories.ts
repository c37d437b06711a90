import type { Tokenizer } from "../analysis/tokenizer.ts";
import { sharedUint16, sharedUint32, Uint16List, Uint32List } from "../arrays/shared-arrays.ts";

/** The category of each document of a leaf (see `Schema.category`). Categories are numbered from 1 in the order in which they occur. */
export interface Categories {
  /** By doc id: the number of its category; 0: it has none. */
  readonly byDocument: Uint16Array;
  /** By number: its key, which is the same in all leaves (see `categoryKey`); of number 0: 0. */
  readonly keys: Uint32Array;
  /** By number: how many documents it has; none is of number 0. */
  readonly counts: Uint32Array;
  /** Documents that have a category. */
  readonly total: number;
}

/** How many documents of a leaf name a word, by the leaf's own numbers of categories: a number, how many, the next number, … */
export type CategoryCounts = readonly number[];

/** The categories of documents in the order in which they are read. */
export class CategoryLog {
  readonly #byDocument = new Uint16List();
  readonly #keys = new Uint32List();
  readonly #counts = new Uint32List();
  /** By key. */
  readonly #numbers = new Map<number, number>();
  #total = 0;

  constructor() {
    this.#keys.push(0);
    this.#counts.push(0);
  }

  /** Adds the next document. @param key of its category (see `categoryKey`); 0: it has none */
  add(key: number): void {
    const number = key === 0 ? 0 : this.#numberOf(key);
    this.#byDocument.push(number);
    if (number === 0) return;
    this.#counts.set(number, this.#counts.get(number) + 1);
    this.#total += 1;
  }

  /** @param order documents in the order of their doc ids  @returns undefined where no document has a category */
  pack(order: Uint32Array): Categories | undefined {
    if (this.#total === 0) return undefined;
    const byDocument = sharedUint16(order.length);
    for (let docId = 0; docId < order.length; docId += 1)
      byDocument[docId] = this.#byDocument.get(order[docId] as number);
    const keys = sharedUint32(this.#keys.length);
    keys.set(this.#keys.view());
    const counts = sharedUint32(this.#counts.length);
    counts.set(this.#counts.view());
    return { byDocument, keys, counts, total: this.#total };
  }

  #numberOf(key: number): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    if (this.#keys.length > maxCategories) return 0;
    const number = this.#keys.length;
    this.#numbers.set(key, number);
    this.#keys.push(key);
    this.#counts.push(0);
    return number;
  }
}

/** Categories of a leaf; documents of further ones count as having none. */
const maxCategories = 0xffff;

/** A hash of the words of a name (FNV-1a), so that "T-Shirts" and "t-shirts " are one category. Two of a thousand categories have the same
 *  once in 10,000 shops, and are then taken for one.
 *  @returns 0 where the name has no words */
export function categoryKey({ units, starts, ends, tokens }: Tokenizer): number {
  if (tokens === 0) return 0;
  let hash = 0x811c9dc5;
  for (let token = 0; token < tokens; token += 1) {
    const end = ends[token] as number;
    for (let at = starts[token] as number; at < end; at += 1)
      hash = Math.imul(hash ^ (units[at] as number), 0x01000193);
    // Between two words: no unit of a word is 0.
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0 || 1;
}
