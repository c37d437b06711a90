import { lowerBound } from "../../runtime/lower-bound.ts";
import type { PackedRows } from "../packed/rows.ts";
import { rowAt } from "../packed/rows.ts";
import type { Product } from "../product.ts";
import { type TitleRanks, titleComparison, titleIn, titleRanksIn } from "./title-ranks.ts";

/** Finds the position of a delta's titles among the titles of its base. */
export class BaseTitles {
  readonly #rows: PackedRows;
  readonly #ranks: TitleRanks;
  /** Titles of the base that were read. */
  readonly #known = new Map<string, string>();
  /** By ranks: see `orderOf`. */
  readonly #orders = new Map<Uint32Array, Uint32Array>();

  constructor(rows: PackedRows, ranks: TitleRanks) {
    this.#rows = rows;
    this.#ranks = ranks;
  }

  /** @param number of the product, which may also be in the base  @returns see `TitleRanks` */
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
 * Positions of a base's products sorted by title: the rank of a title gives its index, or the first of equal titles.
 */
function orderOf(ranks: Uint32Array): Uint32Array {
  const order = new Uint32Array(ranks.length);
  /** By rank: number of products seen with it. */
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
