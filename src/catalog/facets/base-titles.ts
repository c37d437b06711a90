import { lowerBound } from "../../runtime/lower-bound.ts";
import type { PackedRows } from "../packed/rows.ts";
import { rowAt } from "../packed/rows.ts";
import type { Product } from "../product.ts";
import { type TitleRanks, titleComparison, titleIn, titleRanksIn } from "./title-ranks.ts";

/** Finds the positions of a delta's titles among the sorted titles of its base. */
export class BaseTitles {
  readonly #rows: PackedRows;
  readonly #ranks: TitleRanks;
  /** Cache of titles that were read from the base. */
  readonly #known = new Map<string, string>();
  /** Positions in title order, cached by title ranks. `orderOf` computes them. */
  readonly #orders = new Map<Uint32Array, Uint32Array>();

  constructor(rows: PackedRows, ranks: TitleRanks) {
    this.#rows = rows;
    this.#ranks = ranks;
  }

  /**
   * Returns the rank of a product's title (see `TitleRanks`).
   * @param number document number of the product, which may also be in the base
   */
  rankOf(product: Product, number: number, locale: string): number {
    const ranks = titleRanksIn(this.#ranks, locale);
    if (ranks === undefined) return 0;
    const title = titleIn(product, locale);
    const isInBase = number < ranks.length && (ranks[number] as number) > 0;
    if (isInBase && this.#titleAt(number, locale) === title) return ranks[number] as number;
    let order = this.#orders.get(ranks);
    if (order === undefined) {
      order = orderOf(ranks);
      this.#orders.set(ranks, order);
    }
    const compare = titleComparison(locale);
    const sorted = order;
    const low = lowerBound(0, sorted.length, (at) => compare(this.#titleAt(sorted[at] as number, locale), title) < 0);
    const next = order[low];
    const isThere = next !== undefined && compare(this.#titleAt(next, locale), title) === 0;
    return isThere ? (ranks[next] as number) : 2 * low;
  }

  #titleAt(place: number, locale: string): string {
    const key = `${locale} ${place}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const row = rowAt(this.#rows, place);
    const title = row?.kind === "product" ? titleIn(row, locale) : "";
    this.#known.set(key, title);
    return title;
  }
}

/**
 * Returns the positions of a base's products sorted by title. Half of a title's rank is its index in the result, or the
 * index of the first of several equal titles.
 */
function orderOf(ranks: Uint32Array): Uint32Array {
  const order = new Uint32Array(ranks.length);
  /** For each index: number of products seen with the same title. */
  const counted = new Uint32Array(ranks.length);
  let count = 0;
  for (let place = 0; place < ranks.length; place += 1) {
    const rank = ranks[place] as number;
    if (rank === 0) continue;
    const first = (rank - 1) >>> 1;
    order[first + (counted[first] as number)] = place;
    counted[first] = (counted[first] as number) + 1;
    count += 1;
  }
  return order.subarray(0, count);
}
