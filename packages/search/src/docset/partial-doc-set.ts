import type { LeafReader, Partition } from "../index/leaf.ts";
import type { PartialMatching, RelaxationStep } from "../query/relaxation-step.ts";
import { costOf, type TermQuery } from "../query/term-query.ts";
import { type Candidates, maxCandidates } from "../scoring/candidates.ts";
import type { Collector } from "../scoring/collector.ts";
import { describedPoints } from "../scoring/score.ts";
import { Scorer, type TermScores } from "../scoring/scorer.ts";
import { type BitSet, type BitSets, batchLength } from "./bit-set.ts";
import { type EvidenceLevel, EvidenceLevels, type EvidenceWord } from "./evidence-levels.ts";
import { deletedOf, filterOf } from "./filter-cache.ts";
import { eachDocId, prefetch } from "./iterator.ts";

/**
 * The documents that contain some of the words. Documents with the heaviest words come first, and documents with the
 * same words are in order of static rank.
 */
export class PartialDocSet {
  readonly #step: RelaxationStep;
  readonly #partial: PartialMatching;
  readonly #scorers: Scorer[] = [];
  /** Evidence levels of each reader: even entries for primary fields, odd entries for all fields. */
  readonly #levels: EvidenceLevels[] = [];
  // State of the current collection: the remaining number of documents to read, and whether enough are collected.
  #left = 0;
  #isDone = false;

  constructor(step: RelaxationStep, partial: PartialMatching) {
    this.#step = step;
    this.#partial = partial;
  }

  /**
   * Collects the best of the first documents of a partition.
   * @param withBody whether to collect documents whose sufficient words are only in the body
   * @param maxRead maximum number of documents read, unless the collector is not full by then
   * @param needed number of hits needed, including those of earlier steps
   */
  collect(
    readerIndex: number,
    partition: Partition,
    withBody: boolean,
    most: number,
    wanted: number,
    collector: Collector,
  ): void {
    const { context, counted, termQueries, readers, rarities } = this.#step;
    if (withBody && counted.body === 0) return;
    const reader = readers[readerIndex] as LeafReader;
    const levels = this.#levelsOf(readerIndex, reader, withBody);
    this.#scorers[readerIndex] ??= new Scorer(
      context.scores,
      termQueries[readerIndex] as readonly TermQuery[],
      rarities,
    );
    const scorer = this.#scorers[readerIndex];
    const seen = levels.areDisjoint ? undefined : new Set<number>();
    // If all fields count, filters of primary fields prove that a document matches.
    const isSure = counted.isAll && !withBody;
    this.#left = most;
    this.#isDone = false;
    for (let index = 0; !this.#isDone; index += 1) {
      const level = levels.level(index);
      if (level === undefined) return;
      let rest = partition;
      if (isSure && seen === undefined && this.#left > wanted && this.#left <= maxCandidates) {
        const end = this.#gather(context.candidates, level, reader, partition, this.#left);
        this.#left -= context.candidates.length;
        if (context.candidates.length > 0) this.#collectGathered(readerIndex, level, scorer, wanted, collector);
        if (end === partition.to) continue;
        if (collector.isFull) return;
        rest = { ...partition, from: end };
      }
      this.#collectOneByOne(readerIndex, level, rest, { withBody, isSure, seen, scorer, collector });
    }
  }

  /** Reads the documents of a level in sequence until enough are collected. */
  #collectOneByOne(
    readerIndex: number,
    { sets, excludedSets, excludedWords }: EvidenceLevel,
    partition: Partition,
    { withBody, isSure, seen, scorer, collector }: Walk,
  ): void {
    const { context, counted, readers } = this.#step;
    const reader = readers[readerIndex] as LeafReader;
    eachDocId(context, sets, reader, partition, Math.max(1, this.#left), (docId) => {
      if (isInAny(context.bitSets, excludedSets, docId) || seen?.has(docId)) return false;
      seen?.add(docId);
      scorer.scorePrimary(reader.leaf, docId, counted, ~excludedWords);
      const isNamed = isSure || this.#holdsGround();
      if (isNamed === withBody) return false;
      scorer.scoreBody(reader.leaf, docId, counted);
      // If only some fields count, the word may be in another field.
      if (!isNamed && !this.#holdsGround()) return false;
      collector.collect(docId, withBody ? describedPoints : 0);
      this.#left -= 1;
      this.#isDone = this.#left <= 0 && collector.isFull;
      return this.#isDone;
    });
  }

  /**
   * Gathers the first documents of a level as candidates.
   * @param maxCount maximum number of candidates
   * @returns first doc id that was not examined
   */
  #gather(
    candidates: Candidates,
    { sets, excludedSets }: EvidenceLevel,
    reader: LeafReader,
    { from, to }: Partition,
    most: number,
  ): number {
    const { bitSets, batch } = this.#step.context;
    const deleted = deletedOf(this.#step.context, reader);
    candidates.clear();
    let next = from;
    while (candidates.length < most && next < to) {
      const batchSize = Math.min(batchLength, most - candidates.length);
      const found = bitSets.findDocIds(sets, deleted, next, to, batch, batchSize);
      for (let entry = 0; entry < found; entry += 1) {
        const docId = bitSets.docIdAt(batch, entry);
        next = docId + 1;
        if (!isInAny(bitSets, excludedSets, docId)) candidates.push(docId);
      }
      if (found < batchSize) return to;
    }
    return next;
  }

  /** Collects candidates that may be among the best documents, the most promising ones first. */
  #collectGathered(
    readerIndex: number,
    { excludedWords }: EvidenceLevel,
    scorer: Scorer,
    wanted: number,
    collector: Collector,
  ): void {
    const { context, counted, readers, words } = this.#step;
    const { candidates, scores, prefetched } = context;
    const { docIds } = candidates;
    const { leaf } = readers[readerIndex] as LeafReader;
    const termQueries = this.#step.termQueries[readerIndex] as readonly TermQuery[];
    if (!candidates.find(this.#step, leaf, termQueries, ~excludedWords)) {
      prefetch(leaf, docIds, 0, candidates.length, prefetched);
      for (let at = 0; at < candidates.length; at += 1) {
        const docId = docIds[at] as number;
        scorer.scorePrimary(leaf, docId, counted, ~excludedWords);
        scorer.scoreBody(leaf, docId, counted);
        collector.collect(docId, 0);
      }
      return;
    }
    const first = candidates.nthBound(wanted);
    for (const isFirst of [true, false])
      for (let at = 0; at < candidates.length; at += 1) {
        const bound = candidates.boundAt(at);
        if (bound >= first !== isFirst || bound < collector.floor()) continue;
        const docId = docIds[at] as number;
        candidates.loadPrimary(at, scores, words.length);
        scorer.scoreBody(leaf, docId, counted);
        collector.collect(docId, 0);
      }
  }

  #levelsOf(readerIndex: number, reader: LeafReader, withBody: boolean): EvidenceLevels {
    const at = readerIndex * 2 + (withBody ? 1 : 0);
    const known = this.#levels[at];
    if (known !== undefined) return known;
    const { context, termQueries, rarities } = this.#step;
    const { grounds, isFunctionWord } = this.#partial;
    const words: EvidenceWord[] = [];
    (termQueries[readerIndex] as readonly TermQuery[]).forEach((termQuery, word) => {
      if (isFunctionWord[word] || costOf(termQuery, withBody) === 0) return;
      const set = filterOf(context, reader.leaf, termQuery, withBody);
      words.push({ set, weight: rarities[word] as number, bit: 1 << word });
    });
    const levels = new EvidenceLevels(context.bitSets, words, grounds, deletedOf(context, reader));
    this.#levels[at] = levels;
    return levels;
  }

  #holdsGround(): boolean {
    return holdsGround(this.#partial, this.#step.context.scores);
  }
}

/** State of the iteration over the documents of a level. */
interface Walk {
  readonly withBody: boolean;
  /** Whether all documents of the level are known to match. */
  readonly isSure: boolean;
  /** Documents read before; undefined if each document is in at most one level. */
  readonly seen: Set<number> | undefined;
  readonly scorer: Scorer;
  readonly collector: Collector;
}

function isInAny(bitSets: BitSets, sets: readonly BitSet[], docId: number): boolean {
  for (let index = 0; index < sets.length; index += 1) if (bitSets.has(sets[index] as BitSet, docId)) return true;
  return false;
}

/** Returns whether the last scored document contains sufficient words to be a result. */
export function holdsGround({ grounds, isFunctionWord }: PartialMatching, { points }: TermScores): boolean {
  let matched = 0;
  for (let word = 0; word < isFunctionWord.length; word += 1) if ((points[word] as number) > 0) matched |= 1 << word;
  for (const ground of grounds) if ((matched & ground) === ground) return true;
  return false;
}
