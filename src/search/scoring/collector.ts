import { popularityOf, titleLengthOf } from "../index/doc-values.ts";
import type { LeafReader, Partition } from "../index/leaf.ts";
import type { RelaxationStep } from "../query/relaxation-step.ts";
import { proximityPoints } from "./score.ts";
import type { TopK } from "./top-k.ts";

/** Collects scored documents of one partition of a leaf into the best of all. */
export class Collector {
  /** Points of every document of the partition beside those of the query. */
  readonly base: number;
  /** Whether any document was accepted. */
  hasFound = false;
  readonly #step: RelaxationStep;
  readonly #reader: LeafReader;
  readonly #type: number;
  readonly #top: TopK;

  constructor(step: RelaxationStep, reader: LeafReader, { type }: Partition, top: TopK, base: number) {
    this.#step = step;
    this.#reader = reader;
    this.#type = type;
    this.#top = top;
    this.base = base;
  }

  /** Whether a document with so many points for the words of the query can be among the best; always before any was accepted. */
  wants(docId: number, points: number): boolean {
    if (!this.hasFound) return true;
    const { externalIds, docValues } = this.#reader.leaf.documents;
    const score = points + popularityOf(docValues[docId] as number) + this.base;
    return this.#top.wants(score, externalIds[docId] as number);
  }

  /** Points for the words of the query, without fraction, below which no document is among the best. */
  floor(): number {
    return this.hasFound ? Math.floor(this.#top.floor - this.base) : Number.NEGATIVE_INFINITY;
  }

  /** Takes the document that was scored last (see `SearchContext.scores`), unless the caller does not accept it.
   *  @param more points beside those of the query and `base` */
  collect(docId: number, more: number): void {
    const score = scoreOf(this.#step, this.#reader, docId) + this.base + more;
    const top = this.#top;
    if (this.hasFound && score < top.floor) return;
    const externalId = this.#reader.leaf.documents.externalIds[docId] as number;
    if (this.hasFound && !top.wants(score, externalId)) return;
    if (this.#step.query.accept?.(externalId, this.#type) === false) return;
    this.hasFound = true;
    top.offer(score, externalId);
  }
}

/** The score of the document that was scored last, as one in stock with words in naming fields. */
function scoreOf({ context, words, minimumShouldMatch }: RelaxationStep, { leaf }: LeafReader, docId: number): number {
  const docValues = leaf.documents.docValues[docId] as number;
  const { points, positions } = context.scores;
  let sum = 0;
  for (let word = 0; word < words.length; word += 1) {
    const held = points[word] as number;
    sum += held > 0 && minimumShouldMatch !== undefined ? held + (minimumShouldMatch.idfs[word] as number) : held;
  }
  const proximity = words.length > 1 ? proximityPoints(words.length, points, positions, titleLengthOf(docValues)) : 0;
  // Popularity orders equals: all else is whole points.
  return sum + proximity + popularityOf(docValues);
}
