import { type Catalog, type Entry, type EntryOfKind, readEntries } from "../../catalog/catalog.ts";

/** Number of items that a loop shows if the template does not use `paginate`. */
const defaultLimit = 50;

/**
 * A long list, such as the products of a collection. Only the items of one page are created. The tag `paginate` selects
 * a page while its body is rendered.
 */
export class Listing {
  #itemRange = { offset: 0, limit: defaultLimit };
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

  getItems(): readonly unknown[] {
    if (this.#currentItems === undefined) {
      // The items are copied, because a property is added to the array, and the function may return a cached array.
      const items: ListingPage = [...this.#readItems(this.#itemRange.offset, this.#itemRange.limit)];
      items[listingKey] = this;
      this.#currentItems = items;
    }
    return this.#currentItems;
  }

  /** Selects the items to create. Without arguments, selects the first page. */
  moveWindow(offset = 0, limit = defaultLimit): void {
    if (offset === this.#itemRange.offset && limit === this.#itemRange.limit) return;
    this.#itemRange = { offset, limit };
    this.#currentItems = undefined;
  }
}

/** Returns the listing to which a page of items belongs. */
export function getListing(value: unknown): Listing | undefined {
  return Array.isArray(value) ? (value as ListingPage)[listingKey] : undefined;
}

/**
 * Creates a listing of catalog entries.
 * @param numbers returns the document numbers of the entries. Default: all of this kind
 */
export function createEntryListing<Kind extends Entry["kind"]>(
  catalog: Catalog,
  kind: Kind,
  createItem: (entry: EntryOfKind<Kind>) => unknown,
  numbers: () => Uint32Array | readonly number[] = () => catalog.numbers(kind),
): Listing {
  return new Listing(
    () => numbers().length,
    (offset, limit) => Array.from(readEntries(catalog, kind, numbers().slice(offset, offset + limit)), createItem),
  );
}

/** The key is a symbol, so that templates cannot read this field. */
const listingKey: unique symbol = Symbol("source");

interface ListingPage extends Array<unknown> {
  [listingKey]?: Listing;
}
