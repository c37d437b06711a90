import { getOrCreate } from "../../runtime/cache.ts";
import { lowerBound } from "../../runtime/lower-bound.ts";
import type { PackedRows } from "../packed/rows.ts";
import { getRow } from "../packed/rows.ts";
import type { Product } from "../product.ts";
import { createTitleComparator, getTitle, getTitleRanks, type TitleRanks } from "./title-ranks.ts";

/**
 * Computes the title ranks (sort positions) of products that changed after the last full build of the catalog. Finds
 * each changed title's position among the sorted titles of that build, which is called the base catalog.
 */
export class SortedTitles {
  readonly #rows: PackedRows;
  readonly #ranks: TitleRanks;
  /** Cache of titles that were read from the base catalog. */
  readonly #titleCache = new Map<string, string>();
  /** Row positions sorted by title, for each locale. The key is the array of title ranks in this locale. */
  readonly #sortedPositions = new Map<Uint32Array, Uint32Array>();

  constructor(rows: PackedRows, ranks: TitleRanks) {
    this.#rows = rows;
    this.#ranks = ranks;
  }

  /**
   * Returns the rank of the title of a changed or new product (see `TitleRanks`).
   * @param number document number; if the last full build contains the product too, it has the same number there
   */
  findRank(product: Product, number: number, locale: string): number {
    const ranks = getTitleRanks(this.#ranks, locale);
    if (ranks === undefined) return 0;
    const title = getTitle(product, locale);
    const hasRank = number < ranks.length && (ranks[number] as number) > 0;
    if (hasRank && this.#readTitle(number, locale) === title) return ranks[number] as number;
    const sortedPositions = getOrCreate(this.#sortedPositions, ranks, () => sortPositions(ranks));
    const compareTitles = createTitleComparator(locale);
    const lowIndex = lowerBound(
      0,
      sortedPositions.length,
      (index) => compareTitles(this.#readTitle(sortedPositions[index] as number, locale), title) < 0,
    );
    const nextPosition = sortedPositions[lowIndex];
    const isEqualTitle =
      nextPosition !== undefined && compareTitles(this.#readTitle(nextPosition, locale), title) === 0;
    return isEqualTitle ? (ranks[nextPosition] as number) : 2 * lowIndex;
  }

  #readTitle(position: number, locale: string): string {
    return getOrCreate(this.#titleCache, `${locale} ${position}`, () => {
      const row = getRow(this.#rows, position);
      return row?.kind === "product" ? getTitle(row, locale) : "";
    });
  }
}

/**
 * Returns the row positions of the base catalog's products, sorted by title. The title at index n has rank 2n + 1, and
 * equal titles share the rank of the first one.
 */
function sortPositions(ranks: Uint32Array): Uint32Array {
  const order = new Uint32Array(ranks.length);
  /** For each index in the sorted titles: number of products with this title that were processed so far. */
  const titleCounts = new Uint32Array(ranks.length);
  let count = 0;
  for (let position = 0; position < ranks.length; position += 1) {
    const rank = ranks[position] as number;
    if (rank === 0) continue;
    const firstIndex = (rank - 1) >>> 1;
    order[firstIndex + (titleCounts[firstIndex] as number)] = position;
    titleCounts[firstIndex] = (titleCounts[firstIndex] as number) + 1;
    count += 1;
  }
  return order.subarray(0, count);
}
