import { type Collection, createRuleMatcher } from "../collection.ts";
import { createSharedUint32s } from "../facets/shared-numbers.ts";
import type { Product } from "../product.ts";
import { findFirstIndexAtLeast } from "./rows.ts";

/**
 * Products of each collection, and collections of each product, as concatenated lists of document numbers.
 *
 * - `members` contains the products of `collections[index]` from index `memberStarts[index]`, in collection order.
 * - `collectionLists` contains the collections of a product from index `collectionListStarts[product]`, ascending.
 */
export interface Memberships {
  readonly collections: Uint32Array;
  readonly memberStarts: Uint32Array;
  readonly members: Uint32Array;
  readonly collectionListStarts: Uint32Array;
  readonly collectionLists: Uint32Array;
}

/** @param collections published collections, in catalog order */
export function createMembershipBuilder(collections: readonly Collection[]) {
  const matchRules = createRuleMatcher(collections);
  const matchesByRule: number[][] = collections.map(() => []);
  const numbersByHandle = new Map<string, number | undefined>();
  for (const { products, rules } of collections) {
    if (rules === undefined) for (const handle of products) numbersByHandle.set(handle, undefined);
  }
  return {
    addProduct(product: Product, number: number) {
      for (const index of matchRules(product)) matchesByRule[index]?.push(number);
      if (numbersByHandle.has(product.handle)) numbersByHandle.set(product.handle, number);
    },
    /**
     * Returns the packed lists.
     * @param numbers document numbers of the collections, ascending
     * @param count number of entries in the catalog; their document numbers are 0 to `count - 1`
     */
    finish(numbers: readonly number[], count: number): Memberships {
      const members = collections.map(({ products, rules }, index) =>
        rules === undefined
          ? products.map((handle) => numbersByHandle.get(handle)).filter((number) => number !== undefined)
          : (matchesByRule[index] ?? []),
      );
      return packMemberships(numbers, members, count);
    },
  };
}

/**
 * Returns the document numbers of a collection's products, in the collection's order; undefined for an unknown
 * collection.
 */
export function findMembers(
  { collections, memberStarts, members }: Memberships,
  collection: number,
): Uint32Array | undefined {
  const index = findFirstIndexAtLeast(collections, collection);
  return collections[index] === collection ? members.subarray(memberStarts[index], memberStarts[index + 1]) : undefined;
}

/** Returns the document numbers of the collections that contain a product, ascending. */
export function findCollections({ collectionListStarts, collectionLists }: Memberships, product: number): Uint32Array {
  return product + 1 < collectionListStarts.length
    ? collectionLists.subarray(collectionListStarts[product], collectionListStarts[product + 1])
    : new Uint32Array(0);
}

function packMemberships(
  numbers: readonly number[],
  members: readonly (readonly number[])[],
  count: number,
): Memberships {
  const total = members.reduce((sum, list) => sum + list.length, 0);
  const packedMembers = createSharedUint32s(total);
  const memberStarts = createSharedUint32s(numbers.length + 1);
  const collectionListStarts = createSharedUint32s(count + 1);
  let end = 0;
  for (const [index, list] of members.entries()) {
    packedMembers.set(list, end);
    end += list.length;
    memberStarts[index + 1] = end;
    for (const product of list) collectionListStarts[product + 1] = (collectionListStarts[product + 1] ?? 0) + 1;
  }
  for (let product = 0; product < count; product += 1) {
    collectionListStarts[product + 1] = (collectionListStarts[product + 1] ?? 0) + (collectionListStarts[product] ?? 0);
  }
  // Collections are processed in ascending order, so that each product's list ascends.
  const collectionLists = createSharedUint32s(total);
  const insertionIndices = collectionListStarts.slice();
  for (const [index, list] of members.entries()) {
    for (const product of list) {
      const insertionIndex = insertionIndices[product] ?? 0;
      collectionLists[insertionIndex] = numbers[index] ?? 0;
      insertionIndices[product] = insertionIndex + 1;
    }
  }
  return {
    collections: Uint32Array.from(numbers),
    memberStarts,
    members: packedMembers,
    collectionListStarts,
    collectionLists,
  };
}
