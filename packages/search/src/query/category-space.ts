import type { Categories, CategoryCounts } from "../index/categories.ts";
import type { Leaf, LeafReader } from "../index/leaf.ts";
import type { LeafCache } from "../leaf-cache.ts";
import { categoryBonus } from "../scoring/score.ts";
import type { TermQuery } from "./term-query.ts";

/** Maximum postings of a word that are sampled per leaf, evenly: enough to distinguish a tenth from a quarter. */
const maxSampled = 128;
/** Maximum words of a query that are evaluated, the first informative ones. */
const maxInformative = 8;
function weightOf(counts: CategoryCounts): number {
  return counts.length;
}

/** Pseudo-count: assumed documents with the catalog's category distribution, since one document is little evidence. */
const assumed = 5;

/** Bonuses of documents by category, for one query. */
export class CategoryBonuses {
  readonly #numbers: ReadonlyMap<Leaf, Uint32Array>;
  readonly #byNumber: Uint8Array;
  /** Most documents are queried leaf by leaf. */
  #lastLeaf: Leaf | undefined;
  #lastNumbers: Uint32Array | undefined;

  /** @param numbers by leaf and its category number: the global number  @param byNumber bonuses in percent */
  constructor(numbers: ReadonlyMap<Leaf, Uint32Array>, byNumber: Uint8Array) {
    this.#numbers = numbers;
    this.#byNumber = byNumber;
  }

  /** In percent; see `categoryBonus`. */
  of(leaf: Leaf, docId: number): number {
    if (leaf !== this.#lastLeaf) {
      this.#lastLeaf = leaf;
      this.#lastNumbers = this.#numbers.get(leaf);
    }
    const numbers = this.#lastNumbers;
    if (numbers === undefined || leaf.categories === undefined) return 0;
    return this.#byNumber[numbers[leaf.categories.byDocument[docId] as number] as number] as number;
  }
}

/**
 * Categories of all leaves of a search, with global numbers. Estimates which of them the words of a query mean, without
 * training, from the documents that contain the words.
 *
 * The probability of a category is its share of all documents, multiplied for each word by the ratio of its share among
 * the documents with the word to its share of all (naive Bayes). "Red" occurs everywhere and changes little; "sneaker"
 * decides.
 */
export class CategorySpace {
  /** By leaf and its category number: the global number. */
  readonly #numbers = new Map<Leaf, Uint32Array>();
  /** By number: the share of all documents that have a category. */
  readonly #shares: Float64Array;
  // Scratch by number, zero and one between two calls.
  readonly #held: Uint32Array;
  readonly #weights: Float64Array;
  // Scratch by a leaf's number; zero between two calls.
  readonly #places: Uint32Array;

  constructor(readers: readonly LeafReader[]) {
    const byKey = new Map<number, number>();
    const counts = [0];
    let [total, most] = [0, 0];
    for (const { leaf } of readers) {
      const { categories } = leaf;
      if (categories === undefined) continue;
      most = Math.max(most, categories.keys.length);
      const numbers = Uint32Array.from(categories.keys, (key, category) => {
        if (category === 0) return 0;
        const number = byKey.get(key) ?? counts.push(0) - 1;
        byKey.set(key, number);
        const count = categories.counts[category] as number;
        counts[number] = (counts[number] as number) + count;
        total += count;
        return number;
      });
      this.#numbers.set(leaf, numbers);
    }
    this.#shares = Float64Array.from(counts, (count) => count / total);
    this.#held = new Uint32Array(counts.length);
    this.#weights = new Float64Array(counts.length).fill(1);
    this.#places = new Uint32Array(most);
  }

  /** Numbers of categories are below this. */
  get size(): number {
    return this.#shares.length;
  }

  /**
   * @param readers the constructor's readers
   * @param termQueries by reader, by word
   * @param isInformative whether a word is informative
   * @param byNumber receives the bonuses, `size` zeros
   */
  bonuses(
    readers: readonly LeafReader[],
    termQueries: readonly (readonly TermQuery[])[],
    isInformative: readonly boolean[],
    byNumber: Uint8Array,
    cacheOf: (leaf: Leaf) => LeafCache,
  ): CategoryBonuses {
    const bonuses = new CategoryBonuses(this.#numbers, byNumber);
    if (this.#numbers.size === 0) return bonuses;
    const seen: number[] = [];
    let informative = 0;
    for (let word = 0; word < isInformative.length && informative < maxInformative; word += 1) {
      if (!isInformative[word]) continue;
      informative += 1;
      const ofWord: number[] = [];
      for (let index = 0; index < readers.length; index += 1)
        this.#count((readers[index] as LeafReader).leaf, termQueries[index]?.[word] as TermQuery, ofWord, cacheOf);
      this.#weigh(ofWord, seen);
    }
    // Categories that no word occurs in keep their share as weight.
    let sum = 1;
    for (const number of seen) sum += (this.#shares[number] as number) * ((this.#weights[number] as number) - 1);
    for (const number of seen) {
      byNumber[number] = categoryBonus(((this.#shares[number] as number) * (this.#weights[number] as number)) / sum);
      this.#weights[number] = 1;
    }
    return bonuses;
  }

  /**
   * Adds up the documents of a leaf that contain a word in a primary field, by category.
   * @param seen receives numbers at their first occurrence
   */
  #count(leaf: Leaf, termQuery: TermQuery, seen: number[], cacheOf: (leaf: Leaf) => LeafCache): void {
    const numbers = this.#numbers.get(leaf);
    const { categories } = leaf;
    if (numbers === undefined || categories === undefined) return;
    const counts = cacheOf(leaf).categoryCounts.get(termQuery, weightOf, () =>
      this.#sample(leaf, categories, termQuery),
    );
    const documentCounts = this.#held;
    for (let index = 0; index < counts.length; index += 2) {
      const number = numbers[counts[index] as number] as number;
      const before = documentCounts[number] as number;
      if (before === 0) seen.push(number);
      documentCounts[number] = before + (counts[index + 1] as number);
    }
  }

  /** Each sampled document stands for those up to the next sample. */
  #sample(leaf: Leaf, { byDocument }: Categories, { outerRanges, primaryCost }: TermQuery): CategoryCounts {
    const counts: number[] = [];
    const places = this.#places;
    const { starts, documents } = leaf.primary.postings;
    const stride = Math.ceil(primaryCost / maxSampled);
    for (let range = 0; range < outerRanges.length; range += 1) {
      const { low, high } = outerRanges[range] as TermQuery["outerRanges"][number];
      const end = starts[high] as number;
      for (let at = starts[low] as number; at < end; at += stride) {
        const category = byDocument[documents[at] as number] as number;
        if (category === 0) continue;
        let place = places[category] as number;
        if (place === 0) {
          place = counts.push(category, 0);
          places[category] = place;
        }
        counts[place - 1] = (counts[place - 1] as number) + stride;
      }
    }
    for (let index = 0; index < counts.length; index += 2) places[counts[index] as number] = 0;
    return counts;
  }

  /**
   * Multiplies categories by the ratio of their share among the documents of a word to their share of all; constant
   * factors are omitted, since they cancel.
   * @param ofWord categories of the word
   * @param seen receives categories at their first occurrence
   */
  #weigh(ofWord: readonly number[], seen: number[]): void {
    for (const number of ofWord) {
      if (this.#weights[number] === 1) seen.push(number);
      const expected = (this.#shares[number] as number) * assumed;
      this.#weights[number] = (this.#weights[number] as number) * (1 + (this.#held[number] as number) / expected);
      this.#held[number] = 0;
    }
  }
}
