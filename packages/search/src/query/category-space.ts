import type { Categories, CategoryCounts } from "../index/categories.ts";
import type { Leaf, LeafReader } from "../index/leaf.ts";
import type { LeafCache } from "../leaf-cache.ts";
import { categoryBonus } from "../scoring/score.ts";
import type { TermQuery } from "./term-query.ts";

/**
 * Maximum postings of a word that are sampled per leaf, evenly spaced. The sample distinguishes a share of 10% from
 * 25%.
 */
const maxSampled = 128;
/** Maximum number of informative words of a query that are evaluated. */
const maxInformative = 8;
function weightOf(counts: CategoryCounts): number {
  return counts.length;
}

/**
 * Pseudo-count: number of assumed documents with the catalog's category distribution, because one document is little
 * evidence.
 */
const assumed = 5;

/** Category bonuses of documents for one query. */
export class CategoryBonuses {
  readonly #numbers: ReadonlyMap<Leaf, Uint32Array>;
  readonly #byNumber: Uint8Array;
  /** Most documents are requested leaf by leaf. */
  #lastLeaf: Leaf | undefined;
  #lastNumbers: Uint32Array | undefined;

  /**
   * @param globalNumbers global category number by leaf and category number of the leaf
   * @param percentages bonus in percent by global category number
   */
  constructor(numbers: ReadonlyMap<Leaf, Uint32Array>, byNumber: Uint8Array) {
    this.#numbers = numbers;
    this.#byNumber = byNumber;
  }

  /** Returns the bonus of a document in percent (see `categoryBonus`). */
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
 * The categories of all leaves of a search, with global numbers. Estimates the categories that the words of a query
 * mean from the documents that contain the words, without training.
 *
 * The probability of a category is its share of all documents, multiplied for each word by the ratio of its share among
 * the documents with the word to its share of all documents (naive Bayes). The word "red" occurs everywhere and changes
 * little, while "sneaker" is decisive.
 */
export class CategorySpace {
  /** Global category number by leaf and category number of the leaf. */
  readonly #numbers = new Map<Leaf, Uint32Array>();
  /** Share of each category among all documents with a category. */
  readonly #shares: Float64Array;
  // Scratch memory by category number. All counts are 0 and all weights are 1 between two calls.
  readonly #held: Uint32Array;
  readonly #weights: Float64Array;
  // Scratch memory by category number of a leaf. All entries are 0 between two calls.
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

  /** Upper bound (exclusive) of the category numbers. */
  get size(): number {
    return this.#shares.length;
  }

  /**
   * Computes the category bonuses of a query.
   * @param readers the readers passed to the constructor
   * @param termQueries term queries by reader and word
   * @param isInformative whether each word is informative
   * @param percentages zeroed array of `size` entries that receives the bonuses
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
    // Categories without any word keep their share as weight.
    let sum = 1;
    for (const number of seen) sum += (this.#shares[number] as number) * ((this.#weights[number] as number) - 1);
    for (const number of seen) {
      byNumber[number] = categoryBonus(((this.#shares[number] as number) * (this.#weights[number] as number)) / sum);
      this.#weights[number] = 1;
    }
    return bonuses;
  }

  /**
   * Adds the number of documents of a leaf that contain a word in a primary field, by category.
   * @param categoryNumbers receives each category number at its first occurrence
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

  /** Estimates document counts by category. Each sampled document represents the documents up to the next sample. */
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
   * Multiplies the weight of each category by the ratio of its share among the documents of a word to its share of all
   * documents. Constant factors are omitted, because they cancel out.
   * @param wordCategories categories of the word's documents
   * @param weightedCategories receives each category at its first occurrence
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
