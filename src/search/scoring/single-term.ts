import { fuzzyKindAt } from "../fuzzy/fuzzy-matches.ts";
import { lengthsOf, packLengths } from "../index/doc-values.ts";
import { championsPerPartition, findFrequentRange } from "../index/frequent-ranges.ts";
import { isDeleted, type Leaf, type LeafReader, type Partition } from "../index/leaf.ts";
import type { RelaxationStep } from "../query/relaxation-step.ts";
import type { ExpandedTerm, TermQuery } from "../query/term-query.ts";
import type { Collector } from "./collector.ts";
import { pointsOf } from "./impact.ts";
import { matchBoosts, wordScore } from "./score.ts";
import { Scorer } from "./scorer.ts";

/** Collects the best documents of a partition with the one word of a query in a naming field. A document scores by its best matching range. The best of
 *  a frequent range are its champions; of any other range each posting is read.
 *  @param limit hits wanted */
export function collectSingleTerm(
  step: RelaxationStep,
  reader: LeafReader,
  termQuery: TermQuery,
  partition: Partition,
  collector: Collector,
  limit: number,
): void {
  const { leaf, deleted } = reader;
  const { counted, rarities } = step;
  const scorer = new Scorer(step.context.scores, [termQuery], rarities);
  const read = (docId: number): void => {
    scorer.scoreNaming(leaf, docId, counted);
    collector.collect(docId, 0);
  };
  const seen = new Set<number>();
  for (const range of [...termQuery.ranges, ...fuzzyTerms(termQuery)]) {
    const champions = counted.isAll && limit <= championsPerPartition ? championsOf(leaf, range, partition) : undefined;
    if (champions === undefined || !collectChampions(step, reader, champions, partition, limit, seen, read))
      collectPostings(step, reader, range, partition, collector, seen, read);
  }
  for (const { documents } of termQuery.phraseMatches)
    for (const docId of documents) {
      if (docId < partition.from || docId >= partition.to || isDeleted(deleted, docId) || seen.has(docId)) continue;
      seen.add(docId);
      if (scorer.scoreNaming(leaf, docId, counted) > 0) collector.collect(docId, 0);
    }
}

/** Lengths with which a document scores most. */
const shortest = packLengths({ title: 1, phrase: 0, text: 0 });

function fuzzyTerms({ fuzzy }: TermQuery): ExpandedTerm[] {
  return Array.from(fuzzy.lows, (low, run) => {
    const kind = fuzzyKindAt(fuzzy, run);
    return { low, high: fuzzy.highs[run] as number, kind, boost: matchBoosts[kind] };
  });
}

function championsOf(
  { frequent, documents }: Leaf,
  { low, high }: ExpandedTerm,
  partition: Partition,
): Uint32Array | undefined {
  const index = findFrequentRange(frequent, low, high);
  if (index < 0) return undefined;
  const at = index * documents.partitions.length + documents.partitions.indexOf(partition);
  return frequent.champions.subarray(frequent.championStarts[at], frequent.championStarts[at + 1]);
}

/** Collects a champion list. @returns false where so many champions are deleted or not accepted that documents beyond the list may be wanted */
function collectChampions(
  { query }: RelaxationStep,
  { leaf, deleted }: LeafReader,
  champions: Uint32Array,
  partition: Partition,
  limit: number,
  seen: Set<number>,
  read: (docId: number) => void,
): boolean {
  const { externalIds } = leaf.documents;
  let taken = 0;
  for (const docId of champions) {
    if (taken === limit) return true;
    if (isDeleted(deleted, docId) || query.accept?.(externalIds[docId] as number, partition.type) === false) continue;
    taken += 1;
    if (seen.has(docId)) continue;
    seen.add(docId);
    read(docId);
  }
  return taken === limit || champions.length < championsPerPartition;
}

function collectPostings(
  { counted, rarities }: RelaxationStep,
  { leaf, deleted }: LeafReader,
  { low, high, boost }: ExpandedTerm,
  partition: Partition,
  collector: Collector,
  seen: Set<number>,
  read: (docId: number) => void,
): void {
  const { starts, documents, payloads } = leaf.naming.postings;
  const { docValues } = leaf.documents;
  const end = starts[high] as number;
  const rarity = rarities[0] as number;
  let floor = collector.floor();
  for (let posting = starts[low] as number; posting < end; posting += 1) {
    const docId = documents[posting] as number;
    if (docId < partition.from || docId >= partition.to) continue;
    // The most that it can score, before its doc values are read.
    if (wordScore(boost * pointsOf(rarity, payloads[posting] as number, shortest, counted)) < floor) continue;
    const lengths = lengthsOf(docValues[docId] as number);
    const value = wordScore(boost * pointsOf(rarity, payloads[posting] as number, lengths, counted));
    // A document that scores more by another range is met again there.
    if (value < floor || value === 0 || !collector.wants(docId, value)) continue;
    if (isDeleted(deleted, docId) || seen.has(docId)) continue;
    seen.add(docId);
    read(docId);
    floor = collector.floor();
  }
}
