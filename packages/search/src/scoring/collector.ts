import { lengthsOf, popularityOf, titleLengthOf } from "../index/doc-values.ts";
import { isDeleted, type LeafReader, type Partition } from "../index/leaf.ts";
import type { PartialMatching, RelaxationStep } from "../query/relaxation-step.ts";
import { categoryPoints, fullTitleScore, neighborScore, tierPoints, unavailablePoints, wordScore } from "./score.ts";
import type { TermScores } from "./scorer.ts";
import type { TopK } from "./top-k.ts";

/** Collects scored documents of one partition of a leaf into the best hits of all partitions. */
export class Collector {
  /** Points of every document of the partition, added to those of the query. */
  readonly base: number;
  readonly #step: RelaxationStep;
  readonly #reader: LeafReader;
  readonly #type: number;
  readonly #isAvailable: boolean;
  readonly #top: TopK;
  readonly #taken: ReadonlySet<number> | undefined;
  readonly #missing: Map<number, number>;

  /**
   * @param foundIds external ids found by an earlier step, which are skipped; default: none
   * @param missing receives the number of missing words of each document, by external id
   */
  constructor(
    step: RelaxationStep,
    reader: LeafReader,
    { type, isAvailable }: Partition,
    top: TopK,
    foundIds: ReadonlySet<number> | undefined,
    missing: Map<number, number>,
  ) {
    this.#step = step;
    this.#reader = reader;
    this.#type = type;
    this.#isAvailable = isAvailable;
    this.#top = top;
    this.#taken = foundIds;
    this.#missing = missing;
    const isLast = !isAvailable && (step.query.unavailable ?? "last") === "last";
    this.base = tierPoints(step.tier) + (isLast ? unavailablePoints : 0);
  }

  /** Whether enough documents are collected. */
  get isFull(): boolean {
    return this.#top.floor > Number.NEGATIVE_INFINITY;
  }

  /**
   * Returns the number of points for the query's words below which no document is among the best. The number is an
   * integer.
   */
  floor(): number {
    return Math.floor(this.#top.floor - this.base);
  }

  /**
   * Collects the last scored document (see `SearchContext.scores`), unless the caller rejects it.
   * @param extraPoints points added to those of the query and `basePoints`
   */
  collect(docId: number, more: number): void {
    const score = scoreOf(this.#step, this.#reader, docId) + this.base + more;
    const top = this.#top;
    if (score < top.floor) return;
    const externalId = this.#reader.leaf.documents.externalIds[docId] as number;
    if (!top.wants(score, externalId) || !this.#accepts(externalId)) return;
    const { partial, context } = this.#step;
    if (partial !== undefined) this.#missing.set(externalId, missingWords(partial, context.scores));
    top.offer(score, externalId);
  }

  /**
   * Collects a current document with its points for the only word of the query, unless the caller rejects it. If a
   * document is collected several times, the best score counts.
   */
  collectPoints(docId: number, points: number): void {
    const { leaf, deleted } = this.#reader;
    const score = points + popularityOf(leaf.documents.docValues[docId] as number) + this.base;
    const top = this.#top;
    if (score < top.floor) return;
    const externalId = leaf.documents.externalIds[docId] as number;
    if (!top.wants(score, externalId) || isDeleted(deleted, docId) || top.raise(score, externalId)) return;
    if (this.#accepts(externalId)) top.offer(score, externalId);
  }

  #accepts(externalId: number): boolean {
    return (
      this.#taken?.has(externalId) !== true &&
      this.#step.query.accept?.(externalId, this.#type, this.#isAvailable) !== false
    );
  }
}

/** Returns the score of the last scored document, as an available document with words in primary fields. */
function scoreOf({ context, words, rarities, partial }: RelaxationStep, { leaf }: LeafReader, docId: number): number {
  const docValues = leaf.documents.docValues[docId] as number;
  const { points, positions } = context.scores;
  const count = words.length;
  let sum = 0;
  for (let word = 0; word < count; word += 1) sum += wordScore(points[word] as number);
  if (partial !== undefined) sum += categoryPoints(sum, partial.categoryBonuses.of(leaf, docId));
  if (count > 1)
    sum +=
      neighborScore(count, positions, rarities) +
      fullTitleScore(count, positions, rarities, titleLengthOf(lengthsOf(docValues)));
  // All other points are integers, so popularity only orders documents with equal scores.
  return sum + popularityOf(docValues);
}

/** Returns the number of words that the last scored document lacks, without function words. */
function missingWords({ isFunctionWord }: PartialMatching, { points }: TermScores): number {
  let missing = 0;
  for (let word = 0; word < isFunctionWord.length; word += 1)
    if (points[word] === 0 && !isFunctionWord[word]) missing += 1;
  return missing;
}
