/** Number of items that a loop shows without `paginate`. */
const defaultLimit = 50;

/**
 * A long list that is created one page at a time, such as the products of a collection. `paginate` moves the window
 * while its body renders.
 */
export class Listing {
  #window = { offset: 0, limit: defaultLimit };
  #currentItems: readonly unknown[] | undefined;
  readonly #count: () => number;
  readonly #readItems: (offset: number, limit: number) => readonly unknown[];

  constructor(count: () => number, readItems: (offset: number, limit: number) => readonly unknown[]) {
    this.#count = count;
    this.#readItems = readItems;
  }

  count(): number {
    return this.#count();
  }

  currentItems(): readonly unknown[] {
    if (this.#currentItems === undefined) {
      // A copy, since the read function may cache its result.
      const items: Page = [...this.#readItems(this.#window.offset, this.#window.limit)];
      items[sourceListing] = this;
      this.#currentItems = items;
    }
    return this.#currentItems;
  }

  /** Moves the window. Without arguments, the window returns to the start. */
  moveWindow(offset = 0, limit = defaultLimit): void {
    if (offset === this.#window.offset && limit === this.#window.limit) return;
    this.#window = { offset, limit };
    this.#currentItems = undefined;
  }
}

/** Returns the listing to which a page of items belongs. */
export function listingOf(value: unknown): Listing | undefined {
  return Array.isArray(value) ? (value as Page)[sourceListing] : undefined;
}

/** Creates a listing of document numbers of the catalog. */
export function numberListing(numbers: () => ArrayLike<number>, createItem: (number: number) => unknown): Listing {
  return new Listing(
    () => numbers().length,
    (offset, limit) =>
      Array.prototype.slice
        .call(numbers(), offset, offset + limit)
        .map(createItem)
        .filter((item) => item !== undefined),
  );
}

/** A symbol as key, so that templates cannot read the field. */
const sourceListing: unique symbol = Symbol("source");

interface Page extends Array<unknown> {
  [sourceListing]?: Listing;
}
