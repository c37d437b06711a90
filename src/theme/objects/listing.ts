/** Number of items that a loop shows without `paginate`. */
const unpaginated = 50;

/**
 * A long list that is created one page at a time, such as the products of a collection. `paginate` moves the window
 * while its body renders.
 */
export class Listing {
  #window = { offset: 0, limit: unpaginated };
  #current: readonly unknown[] | undefined;
  readonly #count: () => number;
  readonly #read: (offset: number, limit: number) => readonly unknown[];

  constructor(count: () => number, read: (offset: number, limit: number) => readonly unknown[]) {
    this.#count = count;
    this.#read = read;
  }

  total(): number {
    return this.#count();
  }

  current(): readonly unknown[] {
    if (this.#current === undefined) {
      // A copy, since the read function may cache its result.
      const items: Page = [...this.#read(this.#window.offset, this.#window.limit)];
      items[source] = this;
      this.#current = items;
    }
    return this.#current;
  }

  /** Moves the window. Without arguments, moves it back to the start. */
  show(offset = 0, limit = unpaginated): void {
    if (offset === this.#window.offset && limit === this.#window.limit) return;
    this.#window = { offset, limit };
    this.#current = undefined;
  }
}

/** Returns the listing to which a page of items belongs. */
export function listingOf(value: unknown): Listing | undefined {
  return Array.isArray(value) ? (value as Page)[source] : undefined;
}

/** Creates a listing of document numbers of the catalog. */
export function numberListing(numbers: () => ArrayLike<number>, make: (number: number) => unknown): Listing {
  return new Listing(
    () => numbers().length,
    (offset, limit) =>
      Array.prototype.slice
        .call(numbers(), offset, offset + limit)
        .map(make)
        .filter((item) => item !== undefined),
  );
}

/** A symbol as key, so that templates cannot read the field. */
const source: unique symbol = Symbol("source");

interface Page extends Array<unknown> {
  [source]?: Listing;
}
