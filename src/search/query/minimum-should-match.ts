import { acquireBitSet, type BitSet, isAnyIn } from "../docset/bit-set.ts";
import { findTopCoordination } from "../docset/coordination.ts";
import { cheapestFirst, costOf, deletedOf, filterOf } from "../docset/filter-cache.ts";
import { isMet, nextCoordinationOf, topCoordinationOf } from "../docset/intersection-cache.ts";
import type { LeafReader } from "../index/leaf.ts";
import type { FieldPoints } from "../scoring/score.ts";
import { Scorer } from "../scoring/scorer.ts";
import type { TermQuery } from "./expand.ts";

/** The documents of a leaf that hold most words of a query: the same number each. */
export interface Coordination {
  /** How many words each holds; 0: no document holds any. */
  readonly count: number;
  /** They are in all sets of one of these, and in no other; some that do not count may be among them. */
  readonly sources: readonly (readonly BitSet[])[];
  /** To be given back. */
  readonly taken?: BitSet;
}

/** Documents that count and hold as many words as any does, below a number.
 *  @param below fewer words than that  @param withBody words count in descriptions too */
export function findCoordination(
  reader: LeafReader,
  termQueries: readonly TermQuery[],
  below: number,
  withBody: boolean,
  counted: FieldPoints,
): Coordination {
  const quick = withBody || !counted.isAll ? undefined : fromTopCoordination(reader, termQueries, below);
  return quick ?? fromAll(reader, termQueries, below, withBody, counted);
}

/** The same from what is known of all words but the last. @returns undefined where that does not tell */
function fromTopCoordination(
  reader: LeafReader,
  termQueries: readonly TermQuery[],
  below: number,
): Coordination | undefined {
  const last = termQueries.at(-1) as TermQuery;
  const before = termQueries.slice(0, -1).filter(({ namingCost }) => namingCost > 0);
  const own = last.namingCost === 0 ? undefined : filterOf(reader.leaf, last, false);
  if (before.length === 0) return own === undefined ? { count: 0, sources: [] } : { count: 1, sources: [[own]] };
  const { count, most } = topCoordinationOf(reader, before);
  if (count === 0 || count >= below) return undefined;
  if (own === undefined) return { count, sources: [[most]] };
  const both = [most, own];
  // Where all words before the last are held, it is known already whether all are.
  const isAny = count === termQueries.length - 1 ? isMet(reader, termQueries) : isAnyIn(both, deletedOf(reader));
  if (isAny) return count + 1 < below ? { count: count + 1, sources: [both] } : undefined;
  return { count, sources: [[most], count === 1 ? [own] : [nextCoordinationOf(reader, before), own]] };
}

/** The same by looking at all words. */
function fromAll(
  reader: LeafReader,
  termQueries: readonly TermQuery[],
  below: number,
  withBody: boolean,
  counted: FieldPoints,
): Coordination {
  const { leaf } = reader;
  const known = cheapestFirst(termQueries, withBody).filter((termQuery) => costOf(termQuery, withBody) > 0);
  const size = leaf.documents.externalIds.length;
  const found = { most: acquireBitSet(size) };
  const count = findTopCoordination(
    {
      sets: known.map((termQuery) => filterOf(leaf, termQuery, withBody)),
      sizes: known.map((termQuery) => costOf(termQuery, withBody)),
      size,
      below,
      deleted: deletedOf(reader),
      // Where only some fields count, postings do not tell how many words a document holds.
      ...(!counted.isAll && { recount: counter(leaf, known, withBody, counted) }),
    },
    found,
  );
  return { count, sources: [[found.most]], taken: found.most };
}

/** Counts the words that a document holds in fields that count. */
function counter(
  leaf: LeafReader["leaf"],
  termQueries: readonly TermQuery[],
  withBody: boolean,
  counted: FieldPoints,
): (docId: number) => number {
  const scorer = new Scorer(termQueries);
  return (docId) => {
    const held = scorer.scoreNaming(leaf, docId, counted);
    return withBody ? held + scorer.scoreBody(leaf, docId, counted) : held;
  };
}
