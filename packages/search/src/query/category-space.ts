import type { Categories, CategoryCounts } from "../index/categories.ts";
import type { Leaf, LeafReader } from "../index/leaf.ts";
import type { LeafCache } from "../leaf-cache.ts";
import { computeBonus } from "../scoring/score.ts";
import type { TermQuery } from "./term-query.ts";

/**
 * Maximum number of a word's postings that are sampled per segment and language, at even distances. With this sample
 * size, a category with 10% of the postings can be distinguished from one with 25%.
 */
export const maxSampledPostings = 128;
/** Maximum number of words of a query that are used to estimate the category that the user means. */
const maxInformativeWords = 8;
function countEntries(counts: CategoryCounts): number {
  return counts.length;
}

/**
 * Pseudo-count: each word counts as if it occurred in this number of additional documents with the catalog's category
 * distribution. Without them, a word in a single document would determine the category.
 */
const smoothingCount = 5;

/** Category bonuses for one query. A document gets a bonus if the words of the query suggest its category. */
export class CategoryBonuses {
  readonly #categoryIds: ReadonlyMap<Leaf, Uint32Array>;
  readonly #bonusPercentages: Uint8Array;
  /**
   * Leaf (documents of one language in a segment) of the previous `getBonus` call. Its category numbers are cached,
   * because most calls are for the same leaf as the previous call.
   */
  #lastLeaf: Leaf | undefined;
  #lastCategoryIds: Uint32Array | undefined;

  /**
   * @param categoryIds `categoryIds.get(leaf)[n]` is the global number of category n of the leaf
   * @param percentages bonus in percent by global category number
   */
  constructor(categoryIds: ReadonlyMap<Leaf, Uint32Array>, percentages: Uint8Array) {
    this.#categoryIds = categoryIds;
    this.#bonusPercentages = percentages;
  }

  /** Returns the bonus of a document in percent (see `computeBonus`). */
  getBonus(leaf: Leaf, docId: number): number {
    if (leaf !== this.#lastLeaf) {
      this.#lastLeaf = leaf;
      this.#lastCategoryIds = this.#categoryIds.get(leaf);
    }
    const categoryIds = this.#lastCategoryIds;
    if (categoryIds === undefined || leaf.categories === undefined) return 0;
    return this.#bonusPercentages[categoryIds[leaf.categories.byDocument[docId] as number] as number] as number;
  }
}

/**
 * Numbers the categories of all segments of a search, and estimates which categories the words of a query mean. The
 * estimate uses the documents that contain the words and needs no training.
 *
 * The probability of a category is its share of all documents, multiplied by a factor for each word (naive Bayes). The
 * factor is the category's share of the documents with the word, divided by its share of all documents. The word "red"
 * occurs in all categories and changes little, while "sneaker" is decisive.
 */
export class CategoryModel {
  /**
   * For each leaf (documents of one language in a segment): the global number of each category of the leaf. Each
   * leaf numbers its categories separately.
   */
  readonly #categoryIds = new Map<Leaf, Uint32Array>();
  /** Share of each category among all documents with a category. */
  readonly #categoryShares: Float64Array;
  // Scratch memory with one entry per category. When it is not in use, all counts are 0 and all weights are 1.
  readonly #documentCounts: Uint32Array;
  readonly #categoryWeights: Float64Array;
  // Scratch memory with one entry per category of a segment. When it is not in use, all entries are 0.
  readonly #countIndices: Uint32Array;

  constructor(readers: readonly LeafReader[]) {
    const categoriesByKey = new Map<number, number>();
    const counts = [0];
    let [total, maxCategoryCount] = [0, 0];
    for (const { leaf } of readers) {
      const { categories } = leaf;
      if (categories === undefined) continue;
      maxCategoryCount = Math.max(maxCategoryCount, categories.keys.length);
      const categoryIds = Uint32Array.from(categories.keys, (key, category) => {
        if (category === 0) return 0;
        const categoryId = categoriesByKey.get(key) ?? counts.push(0) - 1;
        categoriesByKey.set(key, categoryId);
        const count = categories.counts[category] as number;
        counts[categoryId] = (counts[categoryId] as number) + count;
        total += count;
        return categoryId;
      });
      this.#categoryIds.set(leaf, categoryIds);
    }
    this.#categoryShares = Float64Array.from(counts, (count) => count / total);
    this.#documentCounts = new Uint32Array(counts.length);
    this.#categoryWeights = new Float64Array(counts.length).fill(1);
    this.#countIndices = new Uint32Array(maxCategoryCount);
  }

  /**
   * Computes the category bonuses of a query.
   * @param readers the readers passed to the constructor
   * @param termQueries matches of the words, by reader and word
   * @param isInformative whether each word may indicate a category
   */
  computeBonuses(
    readers: readonly LeafReader[],
    termQueries: readonly (readonly TermQuery[])[],
    isInformative: readonly boolean[],
    getLeafCache: (leaf: Leaf) => LeafCache,
  ): CategoryBonuses {
    // Several steps of a query may be in use at the same time, each with its bonuses.
    const percentages = new Uint8Array(this.#categoryShares.length);
    const bonuses = new CategoryBonuses(this.#categoryIds, percentages);
    if (this.#categoryIds.size === 0) return bonuses;
    const categoryNumbers: number[] = [];
    let informativeWordCount = 0;
    for (let word = 0; word < isInformative.length && informativeWordCount < maxInformativeWords; word += 1) {
      if (!isInformative[word]) continue;
      informativeWordCount += 1;
      const wordCategories: number[] = [];
      for (let index = 0; index < readers.length; index += 1)
        this.#countDocuments(
          (readers[index] as LeafReader).leaf,
          termQueries[index]?.[word] as TermQuery,
          wordCategories,
          getLeafCache,
        );
      this.#multiplyWeights(wordCategories, categoryNumbers);
    }
    // Sum of share times weight over all categories. It starts at 1, the sum of all shares, so only categories with a
    // weight other than 1 are added.
    let sum = 1;
    for (const categoryId of categoryNumbers)
      sum += (this.#categoryShares[categoryId] as number) * ((this.#categoryWeights[categoryId] as number) - 1);
    for (const categoryId of categoryNumbers) {
      percentages[categoryId] = computeBonus(
        ((this.#categoryShares[categoryId] as number) * (this.#categoryWeights[categoryId] as number)) / sum,
      );
      this.#categoryWeights[categoryId] = 1;
    }
    return bonuses;
  }

  /**
   * Counts, by category, the documents of a leaf that contain a word, and adds the counts to `#documentCounts`. Only
   * documents with the word in a field other than the body are counted.
   * @param categoryNumbers receives the global number of each category that had no counted document before
   */
  #countDocuments(
    leaf: Leaf,
    termQuery: TermQuery,
    categoryNumbers: number[],
    getLeafCache: (leaf: Leaf) => LeafCache,
  ): void {
    const categoryIds = this.#categoryIds.get(leaf);
    const { categories } = leaf;
    if (categoryIds === undefined || categories === undefined) return;
    const counts = getLeafCache(leaf).categoryCounts.get(termQuery, countEntries, () =>
      this.#countSampledDocuments(leaf, categories, termQuery),
    );
    const documentCounts = this.#documentCounts;
    for (let index = 0; index < counts.length; index += 2) {
      const categoryId = categoryIds[counts[index] as number] as number;
      const previousCount = documentCounts[categoryId] as number;
      if (previousCount === 0) categoryNumbers.push(categoryId);
      documentCounts[categoryId] = previousCount + (counts[index + 1] as number);
    }
  }

  /** Estimates document counts by category. Each sampled document represents the documents up to the next sample. */
  #countSampledDocuments(
    leaf: Leaf,
    { byDocument }: Categories,
    { outerRanges, primaryCost }: TermQuery,
  ): CategoryCounts {
    const counts: number[] = [];
    const entryIndices = this.#countIndices;
    const { starts, documents } = leaf.primary.postings;
    const sampleStride = Math.ceil(primaryCost / maxSampledPostings);
    for (let rangeIndex = 0; rangeIndex < outerRanges.length; rangeIndex += 1) {
      const { low, high } = outerRanges[rangeIndex] as TermQuery["outerRanges"][number];
      const end = starts[high] as number;
      for (let posting = starts[low] as number; posting < end; posting += sampleStride) {
        const category = byDocument[documents[posting] as number] as number;
        if (category === 0) continue;
        let entryIndex = entryIndices[category] as number;
        if (entryIndex === 0) {
          entryIndex = counts.push(category, 0);
          entryIndices[category] = entryIndex;
        }
        counts[entryIndex - 1] = (counts[entryIndex - 1] as number) + sampleStride;
      }
    }
    for (let index = 0; index < counts.length; index += 2) entryIndices[counts[index] as number] = 0;
    return counts;
  }

  /**
   * Multiplies the weight of each category by a ratio: the category's share of the documents with a word, divided by
   * its share of all documents. Constant factors are omitted, because they cancel out.
   * @param wordCategories categories of the word's documents
   * @param weightedCategories receives each category whose weight was 1 before
   */
  #multiplyWeights(wordCategories: readonly number[], weightedCategories: number[]): void {
    for (const categoryId of wordCategories) {
      if (this.#categoryWeights[categoryId] === 1) weightedCategories.push(categoryId);
      const expectedCount = (this.#categoryShares[categoryId] as number) * smoothingCount;
      this.#categoryWeights[categoryId] =
        (this.#categoryWeights[categoryId] as number) *
        (1 + (this.#documentCounts[categoryId] as number) / expectedCount);
      this.#documentCounts[categoryId] = 0;
    }
  }
}
