import type { Tokenizer } from "../analysis/tokenizer.ts";
import { createSharedUint16, createSharedUint32, Uint16List, Uint32List } from "../arrays/shared-arrays.ts";

/**
 * The category of each document of one language in a segment (see `Schema.category`). Categories are numbered from 1 in
 * order of occurrence.
 */
export interface Categories {
  /** Category number of each document by doc id; 0 without a category. */
  readonly byDocument: Uint16Array;
  /**
   * Key of each category (see `hashCategory`), by category number. A category has the same key in all segments and
   * languages. Number 0 stands for no category.
   */
  readonly keys: Uint32Array;
  /** Number of documents in each category, by category number. The count of number 0 is 0. */
  readonly counts: Uint32Array;
  /** Number of documents with a category. */
  readonly total: number;
}

/**
 * Document counts of a word by category, as a flat list: category, count, category, count, and so on. Counts only
 * documents with the word in a field other than the body.
 */
export type CategoryCounts = readonly number[];

/** Collects the category of each document, in input order. */
export class CategoryLog {
  readonly #categoryByDocument = new Uint16List();
  readonly #keys = new Uint32List();
  readonly #counts = new Uint32List();
  /** Category numbers by key. */
  readonly #categoryByKey = new Map<number, number>();
  #total = 0;

  constructor() {
    this.#keys.push(0);
    this.#counts.push(0);
  }

  /** Records the category of the next document.  @param key key of the category (see `hashCategory`), or 0 */
  add(key: number): void {
    const number = key === 0 ? 0 : this.#addCategory(key);
    this.#categoryByDocument.push(number);
    if (number === 0) return;
    this.#counts.set(number, this.#counts.get(number) + 1);
    this.#total += 1;
  }

  /**
   * Packs the collected categories for the index.
   * @param order documents in the order of their doc ids
   * @returns undefined if no document has a category
   */
  pack(order: Uint32Array): Categories | undefined {
    if (this.#total === 0) return undefined;
    const byDocument = createSharedUint16(order.length);
    for (let docId = 0; docId < order.length; docId += 1)
      byDocument[docId] = this.#categoryByDocument.get(order[docId] as number);
    const keys = createSharedUint32(this.#keys.length);
    keys.set(this.#keys.view());
    const documentCounts = createSharedUint32(this.#counts.length);
    documentCounts.set(this.#counts.view());
    return { byDocument, keys, counts: documentCounts, total: this.#total };
  }

  #addCategory(key: number): number {
    const existingNumber = this.#categoryByKey.get(key);
    if (existingNumber !== undefined) return existingNumber;
    if (this.#keys.length > maxCategories) return 0;
    const number = this.#keys.length;
    this.#categoryByKey.set(key, number);
    this.#keys.push(key);
    this.#counts.push(0);
    return number;
  }
}

/** Maximum number of categories per segment and language. Documents of further categories have no category. */
const maxCategories = 0xffff;

/**
 * Returns a hash of the words of a category name (FNV-1a), so that "T-Shirts" and "t-shirts " are one category. In a
 * shop with a thousand categories, the probability that two of them have the same hash is about 1 in 10,000. They would
 * then count as one category.
 * @returns 0 if the name has no words
 */
export function hashCategory({ units, starts, ends, tokenCount }: Tokenizer): number {
  if (tokenCount === 0) return 0;
  let hash = 0x811c9dc5;
  for (let token = 0; token < tokenCount; token += 1) {
    const end = ends[token] as number;
    for (let unit = starts[token] as number; unit < end; unit += 1)
      hash = Math.imul(hash ^ (units[unit] as number), 0x01000193);
    // Hash a 0 between two words as a separator. No word contains the UTF-16 unit 0.
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0 || 1;
}
