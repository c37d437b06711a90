import { setBit, wordsFor } from "../arrays/bits.ts";
import { docIdOf, type Leaf, type LeafReader } from "./leaf.ts";
import type { SegmentWithDeletes } from "./segment.ts";

/** The documents of a leaf that another leaf replaces, one bit for each doc id. */
export type Shadow = (leaf: Leaf, by: Leaf) => Uint32Array;

/** What a search in a language reads: the documents in that language, and those in the default language of which there is none in it. */
export function leafReadersOf(
  segments: readonly SegmentWithDeletes[],
  locale: string,
  shadow: Shadow,
): readonly LeafReader[] {
  const readers: LeafReader[] = [];
  for (const { segment, removed } of segments) {
    const own = segment.leaves.find((leaf) => leaf.locale === locale);
    if (own !== undefined) readers.push(leafReader(own, removed, undefined));
    if (segment.defaultLocale === locale) continue;
    const fallback = segment.leaves.find((leaf) => leaf.locale === segment.defaultLocale);
    if (fallback !== undefined) readers.push(leafReader(fallback, removed, own && shadow(fallback, own)));
  }
  return readers;
}

function leafReader(leaf: Leaf, removed: ReadonlySet<number>, shadowed: Uint32Array | undefined): LeafReader {
  if (removed.size === 0 && shadowed === undefined) return { leaf, deletedCount: 0, fewDeleted: [] };
  const deleted = shadowed === undefined ? noneOf(leaf) : shadowed.slice();
  for (const externalId of removed) {
    const docId = docIdOf(leaf.documents, externalId);
    if (docId >= 0) setBit(deleted, docId);
  }
  return { leaf, deleted, ...countDeleted(deleted) };
}

/** Deleted documents that are listed one by one, at most. */
const maxListed = 64;

function countDeleted(deleted: Uint32Array): Pick<LeafReader, "deletedCount" | "fewDeleted"> {
  const docIds: number[] = [];
  let count = 0;
  for (let word = 0; word < deleted.length; word += 1)
    for (let left = deleted[word] as number; left !== 0; left &= left - 1) {
      count += 1;
      if (count <= maxListed) docIds.push(word * 32 + 31 - Math.clz32(left & -left));
    }
  return count > maxListed ? { deletedCount: count } : { deletedCount: count, fewDeleted: docIds };
}

function noneOf({ documents }: Leaf): Uint32Array {
  return new Uint32Array(wordsFor(documents.externalIds.length));
}

/** The documents of a leaf that another leaf has too, one bit for each doc id. */
export function shadowOf(leaf: Leaf, by: Leaf): Uint32Array {
  const shadowed = noneOf(leaf);
  for (const externalId of by.documents.externalIds) {
    const docId = docIdOf(leaf.documents, externalId);
    if (docId >= 0) setBit(shadowed, docId);
  }
  return shadowed;
}
