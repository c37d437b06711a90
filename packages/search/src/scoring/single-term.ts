import { prefetch } from "../docset/iterator.ts";
import { getRangeMatchKind } from "../fuzzy/fuzzy-matches.ts";
import { packLengths, readLengths } from "../index/doc-values.ts";
import { championsPerPartition, findFrequentRange } from "../index/frequent-ranges.ts";
import { isDeleted, type Leaf, type LeafReader, type Partition } from "../index/leaf.ts";
import { createScorer, type RelaxationStep } from "../query/relaxation-step.ts";
import type { ExpandedTerm, TermQuery } from "../query/term-query.ts";
import type { Collector } from "./collector.ts";
import { computePrefixScore, computeTermScore } from "./field-scores.ts";
import { computeWordScore, type MatchKind, matchBoosts } from "./score.ts";
import type { Scorer } from "./scorer.ts";

/**
 * Collects the best documents of a partition for a query of one word, if the word is in a field other than the body. If
 * a word has several matches in a document, the best one counts. For terms with many postings, the best documents are
 * listed in the index (champion list). For other terms, each posting is read.
 * @param limit number of hits needed
 */
export function collectTermHits(
  step: RelaxationStep,
  readerIndex: number,
  partition: Partition,
  collector: Collector,
  limit: number,
): void {
  const reader = step.readers[readerIndex] as LeafReader;
  const { leaf } = reader;
  const [termQuery] = step.termQueries[readerIndex] as readonly [TermQuery];
  const scorer = createScorer(step, readerIndex);
  for (const range of [...termQuery.ranges, ...listFuzzyTerms(termQuery)]) {
    const champions =
      step.fieldScores.includesAllFields && limit <= championsPerPartition
        ? findChampions(leaf, range, partition)
        : undefined;
    if (champions !== undefined && collectChampions(step, reader, champions, partition, limit, scorer, collector))
      continue;
    const { starts, documents, payloads } = leaf.primary.postings;
    const [from, to] = [starts[range.low] as number, starts[range.high] as number];
    collectPostings(step, reader, { documents, payloads, from, to }, range, partition, collector);
  }
  for (const match of termQuery.phraseMatches) {
    const { documents, payloads } = match;
    collectPostings(step, reader, { documents, payloads, from: 0, to: documents.length }, match, partition, collector);
  }
}

/** Packed field lengths with which a word gets the highest possible score, because all fields are short. */
const shortestLengths = packLengths({ title: 1, phrase: 0, text: 0 });

function listFuzzyTerms({ fuzzyMatches }: TermQuery): ExpandedTerm[] {
  return Array.from(fuzzyMatches.lows, (low, rangeIndex) => {
    const kind = getRangeMatchKind(fuzzyMatches, rangeIndex);
    return { low, high: fuzzyMatches.highs[rangeIndex] as number, kind, boost: matchBoosts[kind] };
  });
}

function findChampions(
  { frequent, documents }: Leaf,
  { low, high, kind }: ExpandedTerm,
  partition: Partition,
): Uint32Array | undefined {
  const rangeIndex = findFrequentRange(frequent, low, high);
  if (rangeIndex < 0 || (kind !== "prefix" && high - low > 1)) return undefined;
  const index = kind === "prefix" ? rangeIndex : rangeIndex + frequent.lows.length;
  const championIndex = index * documents.partitions.length + documents.partitions.indexOf(partition);
  return frequent.champions.subarray(
    frequent.championStarts[championIndex],
    frequent.championStarts[championIndex + 1],
  );
}

/**
 * Collects the documents of a champion list, which contains the best documents for a range of terms.
 * @returns false if other documents may be needed, because listed documents are deleted or rejected
 */
function collectChampions(
  { query, context, fieldScores }: RelaxationStep,
  { leaf, deleted }: LeafReader,
  champions: Uint32Array,
  partition: Partition,
  limit: number,
  scorer: Scorer,
  collector: Collector,
): boolean {
  const { externalIds } = leaf.documents;
  prefetch(leaf, champions, 0, Math.min(champions.length, limit), context.prefetchChecksum);
  let collectedCount = 0;
  for (const docId of champions) {
    if (collectedCount === limit) return true;
    if (
      isDeleted(deleted, docId) ||
      query.accept?.(externalIds[docId] as number, partition.type, partition.isAvailable) === false
    )
      continue;
    collectedCount += 1;
    scorer.scorePrimaryFields(leaf, docId, fieldScores);
    collector.collectScore(docId, computeWordScore(context.scores.points[0] as number));
  }
  return collectedCount === limit || champions.length < championsPerPartition;
}

/** Postings `from` to `to` (exclusive). */
interface PostingsRange {
  readonly documents: Uint32Array;
  readonly payloads: Uint16Array;
  readonly from: number;
  readonly to: number;
}

function collectPostings(
  { fieldScores, rarities }: RelaxationStep,
  { leaf }: LeafReader,
  { documents, payloads, from, to }: PostingsRange,
  { kind, boost }: { readonly kind: MatchKind; readonly boost: number },
  partition: Partition,
  collector: Collector,
): void {
  const { docValues } = leaf.documents;
  const rarity = rarities[0] as number;
  const computePoints = (payload: number, lengths: number) =>
    boost *
    (kind === "prefix"
      ? computePrefixScore(rarity, payload, fieldScores)
      : computeTermScore(rarity, payload, lengths, fieldScores));
  let minScore = computeMinScore(collector);
  for (let posting = from; posting < to; posting += 1) {
    const docId = documents[posting] as number;
    if (docId < partition.from || docId >= partition.to) continue;
    const payload = payloads[posting] as number;
    // First check an upper bound of the score points, which needs no access to the document.
    if (computePoints(payload, shortestLengths) < minScore) continue;
    const termScore = computePoints(payload, readLengths(docValues[docId] as number));
    if (termScore < minScore || termScore === 0) continue;
    collector.collectScore(docId, computeWordScore(termScore));
    minScore = computeMinScore(collector);
  }
}

/**
 * Returns the score that a document needs to be among the best hits, in hundredths of a point, because callers multiply
 * points by a percentage.
 */
function computeMinScore(collector: Collector): number {
  return collector.floor() * 100 - 50;
}
