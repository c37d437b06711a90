import { awaitWithDeadline } from "./deadline.ts";

/** Items of a page of a list. */
export interface ListPage<T> {
  readonly items: readonly T[];
  /** Last item of the page if another page follows, which starts after this item. */
  readonly lastItem?: T | undefined;
}

/** Parses a page number or the size of a page, which are at least 1; undefined if it is missing or invalid. */
export function parseCount(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined;
}

/**
 * Reads a page of a list.
 * @param size maximum number of items
 * @param read reads up to `limit` items: one more than the page has, which shows whether another page follows
 * @throws Problem `cart_service_unavailable`
 */
export async function readPage<T>(size: number, read: (limit: number) => Promise<readonly T[]>): Promise<ListPage<T>> {
  const results = await awaitWithDeadline(read(size + 1));
  const items = results.slice(0, size);
  return results.length > size ? { items, lastItem: items.at(-1) } : { items };
}
