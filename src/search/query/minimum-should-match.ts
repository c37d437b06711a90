import type { BitSet } from "../docset/bit-set.ts";
import { findTopCoordination } from "../docset/coordination.ts";
import { deletedOf, filterOf } from "../docset/filter-cache.ts";
import { isMet, nextCoordinationOf, topCoordinationOf } from "../docset/intersection-cache.ts";
import type { Leaf, LeafReader } from "../index/leaf.ts";
import type { FieldPoints } from "../scoring/field-points.ts";
import { Scorer } from "../scoring/scorer.ts";
import type { SearchContext } from "../search-context.ts";
import { cheapestFirst, costOf, type TermQuery } from "./term-query.ts";

/** The documents of a leaf that hold the most words of a query: each the same number. */
export interface Coordination {
  /** How many words each holds; 0: no document holds any. */
  readonly count: number;
  /** Each document is in all sets of exactly one of these. Deleted documents may be among them. */
  readonly conjunctions: readonly (readonly BitSet[])[];
  /** A set of `SearchContext.acquire`, to be released once the documents were read. */
  readonly acquired?: BitSet;
}

/** The documents that count and hold the most words, of those that hold fewer than `below`.
 *  @param withBody words of the body count too */
export function findCoordination(
  context: SearchContext,
  reader: LeafReader,
  termQueries: readonly TermQuery[],
  below: number,
  withBody: boolean,
  counted: FieldPoints,
): Coordination {
  const known = withBody || !counted.isAll ? undefined : fromIntersections(context, reader, termQueries, below);
  return known ?? fromAllWords(context, reader, termQueries, below, withBody, counted);
}

/** The same from what is cached of all words but the last. @returns undefined where that does not tell */
function fromIntersections(
  context: SearchContext,
  reader: LeafReader,
  termQueries: readonly TermQuery[],
  below: number,
): Coordination | undefined {
  const last = termQueries.at(-1) as TermQuery;
  const before = termQueries.slice(0, -1).filter(({ namingCost }) => namingCost > 0);
  const own = last.namingCost === 0 ? undefined : filterOf(context, reader.leaf, last, false);
  if (before.length === 0)
    return own === undefined ? { count: 0, conjunctions: [] } : { count: 1, conjunctions: [[own]] };
  const { count, docs } = topCoordinationOf(context, reader, before);
  if (count === 0 || count >= below) return undefined;
  if (own === undefined) return { count, conjunctions: [[docs]] };
  const both = [docs, own];
  // Where some document holds all words before the last, it is cached whether one holds all words.
  const isAny =
    count === termQueries.length - 1
      ? isMet(context, reader, termQueries)
      : context.bitSets.isAnyIn(both, deletedOf(context, reader));
  if (isAny) return count + 1 < below ? { count: count + 1, conjunctions: [both] } : undefined;
  const others = count === 1 ? [own] : [nextCoordinationOf(context, reader, before), own];
  return { count, conjunctions: [[docs], others] };
}

/** The same by counting all words. */
function fromAllWords(
  context: SearchContext,
  reader: LeafReader,
  termQueries: readonly TermQuery[],
  below: number,
  withBody: boolean,
  counted: FieldPoints,
): Coordination {
  const { leaf } = reader;
  const known = cheapestFirst(termQueries, withBody).filter((one) => costOf(one, withBody) > 0);
  const size = leaf.documents.externalIds.length;
  const found = { top: context.acquire(size) };
  const count = findTopCoordination(
    context.bitSets,
    {
      sets: known.map((one) => filterOf(context, leaf, one, withBody)),
      costs: known.map((one) => costOf(one, withBody)),
      size,
      below,
      deleted: deletedOf(context, reader),
      batch: context.batch(0),
      // Where only some fields count, filters do not tell how many words a document holds.
      ...(!counted.isAll && { recount: wordCounter(context, leaf, known, withBody, counted) }),
    },
    found,
  );
  return { count, conjunctions: [[found.top]], acquired: found.top };
}

/** Counts the words that a document holds in the fields that count. */
function wordCounter(
  { scores }: SearchContext,
  leaf: Leaf,
  termQueries: readonly TermQuery[],
  withBody: boolean,
  counted: FieldPoints,
): (docId: number) => number {
  const scorer = new Scorer(scores, termQueries);
  return (docId) => {
    const held = scorer.scoreNaming(leaf, docId, counted);
    return withBody ? held + scorer.scoreBody(leaf, docId, counted) : held;
  };
}
