import { popularityOf, readLengths, readTitleLength } from "../index/doc-values.ts";
import { isDeleted, type LeafReader, type Partition } from "../index/leaf.ts";
import type { PartialMatching, RelaxationStep } from "../query/relaxation-step.ts";
import {
  computeCategoryScore,
  computeFullTitleScore,
  computeNeighborScore,
  computeWordScore,
  getTierScore,
  unavailableScore,
} from "./score.ts";
import type { TermScores } from "./scorer.ts";
import type { TopK } from "./top-k.ts";

/**
 * Adds scored documents of one partition (one type, all available or all unavailable) to the best hits of all
 * partitions.
 */
export class Collector {
  /** Score points that each document of the partition gets in addition to the points of its words. */
  readonly baseScore: number;
  readonly #relaxationStep: RelaxationStep;
  readonly #reader: LeafReader;
  readonly #documentType: number;
  readonly #isAvailable: boolean;
  readonly #topHits: TopK;
  readonly #skippedIds: ReadonlySet<number> | undefined;
  readonly #missingWordCounts: Map<number, number>;

  /**
   * @param foundIds external ids found by an earlier step, which are skipped; default: none
   * @param missingCounts receives the number of missing words of each document, by external id
   */
  constructor(
    step: RelaxationStep,
    reader: LeafReader,
    { type, isAvailable }: Partition,
    topHits: TopK,
    foundIds: ReadonlySet<number> | undefined,
    missingCounts: Map<number, number>,
  ) {
    this.#relaxationStep = step;
    this.#reader = reader;
    this.#documentType = type;
    this.#isAvailable = isAvailable;
    this.#topHits = topHits;
    this.#skippedIds = foundIds;
    this.#missingWordCounts = missingCounts;
    const isRankedLast = !isAvailable && (step.query.unavailable ?? "last") === "last";
    this.baseScore = getTierScore(step.tier) + (isRankedLast ? unavailableScore : 0);
  }

  /** Whether enough documents are collected. */
  get isFull(): boolean {
    return this.#topHits.minScore > Number.NEGATIVE_INFINITY;
  }

  /**
   * Returns the number of points, rounded down, that a document needs from its words and popularity to be among the
   * best hits.
   */
  floor(): number {
    return Math.floor(this.#topHits.minScore - this.baseScore);
  }

  /**
   * Collects the last scored document (see `SearchContext.scores`), unless the caller rejects it.
   * @param extraScore points added to those of the query and `baseScore`
   */
  collectScoredDoc(docId: number, extraScore: number): void {
    const score = computeScore(this.#relaxationStep, this.#reader, docId) + this.baseScore + extraScore;
    const topHits = this.#topHits;
    if (score < topHits.minScore) return;
    const externalId = this.#reader.leaf.documents.externalIds[docId] as number;
    if (!topHits.canAccept(score, externalId) || !this.#isAccepted(externalId)) return;
    const { matchRules, context } = this.#relaxationStep;
    if (matchRules !== undefined)
      this.#missingWordCounts.set(externalId, countMissingWords(matchRules, context.scores));
    topHits.offer(score, externalId);
  }

  /**
   * Collects a document with its points for the only word of the query, unless it is deleted or the caller rejects it.
   * If a document is collected several times, the best score counts.
   */
  collectScore(docId: number, wordScore: number): void {
    const { leaf, deleted } = this.#reader;
    const score = wordScore + popularityOf(leaf.documents.docValues[docId] as number) + this.baseScore;
    const topHits = this.#topHits;
    if (score < topHits.minScore) return;
    const externalId = leaf.documents.externalIds[docId] as number;
    if (!topHits.canAccept(score, externalId) || isDeleted(deleted, docId) || topHits.raiseScore(score, externalId))
      return;
    if (this.#isAccepted(externalId)) topHits.offer(score, externalId);
  }

  #isAccepted(externalId: number): boolean {
    return (
      this.#skippedIds?.has(externalId) !== true &&
      this.#relaxationStep.query.accept?.(externalId, this.#documentType, this.#isAvailable) !== false
    );
  }
}

/**
 * Returns the score of the last scored document, before points for its availability and for words only in the body
 * field.
 */
function computeScore(
  { context, words, rarities, matchRules }: RelaxationStep,
  { leaf }: LeafReader,
  docId: number,
): number {
  const docValues = leaf.documents.docValues[docId] as number;
  const { points, positions } = context.scores;
  const wordCount = words.length;
  let sum = 0;
  for (let word = 0; word < wordCount; word += 1) sum += computeWordScore(points[word] as number);
  if (matchRules !== undefined) sum += computeCategoryScore(sum, matchRules.categoryBonuses.getBonus(leaf, docId));
  if (wordCount > 1)
    sum +=
      computeNeighborScore(wordCount, positions, rarities) +
      computeFullTitleScore(wordCount, positions, rarities, readTitleLength(readLengths(docValues)));
  // Popularity is below 1 and all other points are integers, so popularity only orders documents with equal scores.
  return sum + popularityOf(docValues);
}

/** Returns the number of words that the last scored document lacks, not counting function words such as "the". */
function countMissingWords({ isFunctionWord }: PartialMatching, { points }: TermScores): number {
  let missingWords = 0;
  for (let word = 0; word < isFunctionWord.length; word += 1)
    if (points[word] === 0 && !isFunctionWord[word]) missingWords += 1;
  return missingWords;
}
