import type { LeafReader, Partition } from "../index/leaf.ts";
import type { PartialMatching, RelaxationStep } from "../query/relaxation-step.ts";
import { costOf, type TermQuery } from "../query/term-query.ts";
import { Scorer } from "../scoring/scorer.ts";
import type { TermScores } from "../search-context.ts";
import type { BitSet, BitSets } from "./bit-set.ts";
import { EvidenceLevels, type EvidenceWord } from "./evidence-levels.ts";
import { conjunctionFilters, deletedOf, filterOf } from "./filter-cache.ts";
import { isLacking, namingConjunction, noteLacking } from "./intersection-cache.ts";
import { eachDocId } from "./iterator.ts";

/** The documents that a relaxation step matches. */
export interface DocSet {
  /** Calls back with the doc ids of a partition, ascending, each scored before (see `SearchContext.scores`), until the callback
   *  returns true.
   *  @param readerIndex index in `step.readers`
   *  @param withBody documents with some word in the body alone, else documents with all words in naming fields
   *  @param expected how many doc ids will likely be enough */
  each(
    readerIndex: number,
    partition: Partition,
    withBody: boolean,
    expected: number,
    isEnough: (docId: number) => boolean,
  ): void;
}

/** Documents that hold all words. */
export class ConjunctionDocSet implements DocSet {
  readonly #step: RelaxationStep;
  readonly #scorers: Scorer[] = [];
  /** By reader, twice: of naming fields, and of all fields. Empty: no document holds all words. */
  readonly #sets: (readonly BitSet[])[] = [];

  constructor(step: RelaxationStep) {
    this.#step = step;
  }

  each(
    readerIndex: number,
    partition: Partition,
    withBody: boolean,
    expected: number,
    isEnough: (docId: number) => boolean,
  ): void {
    const { context, counted, termQueries, readers, rarities } = this.#step;
    if (withBody && counted.body === 0) return;
    const reader = readers[readerIndex] as LeafReader;
    const { leaf } = reader;
    const ofReader = termQueries[readerIndex] as readonly TermQuery[];
    if (withBody && isLacking(context, reader, partition, ofReader)) return;
    const at = readerIndex * 2 + (withBody ? 1 : 0);
    this.#sets[at] ??= withBody
      ? conjunctionFilters(context, leaf, ofReader)
      : namingConjunction(context, reader, ofReader);
    const sets = this.#sets[at];
    if (sets.length === 0) return;
    this.#scorers[readerIndex] ??= new Scorer(context.scores, ofReader, rarities);
    const scorer = this.#scorers[readerIndex];
    let hasMet = false;
    eachDocId(context, sets, reader, partition, expected, (docId) => {
      if (!holdsTyped(this.#step, readerIndex, docId)) return false;
      let held = scorer.scoreNaming(leaf, docId, counted);
      const isNamed = held === ofReader.length;
      if (withBody && !isNamed) held += scorer.scoreBody(leaf, docId, counted);
      if (held < ofReader.length) return false;
      hasMet = true;
      return isNamed !== withBody && isEnough(docId);
    });
    if (withBody && !hasMet && counted.isAll && ofReader.length > 1) noteLacking(context, reader, partition, ofReader);
  }
}

/** Documents that hold some of the words: those with the heaviest words first, and within the same words by static rank. */
export class PartialDocSet implements DocSet {
  readonly #step: RelaxationStep;
  readonly #partial: PartialMatching;
  readonly #scorers: Scorer[] = [];
  /** By reader, twice: by naming fields, and by all fields. */
  readonly #levels: EvidenceLevels[] = [];

  constructor(step: RelaxationStep, partial: PartialMatching) {
    this.#step = step;
    this.#partial = partial;
  }

  /** @param withBody documents that hold words which are a reason to show them in the body alone */
  each(
    readerIndex: number,
    partition: Partition,
    withBody: boolean,
    expected: number,
    isEnough: (docId: number) => boolean,
  ): void {
    const { context, counted, termQueries, readers, rarities } = this.#step;
    if (withBody && counted.body === 0) return;
    const reader = readers[readerIndex] as LeafReader;
    const levels = this.#levelsOf(readerIndex, reader, withBody);
    const ofReader = termQueries[readerIndex] as readonly TermQuery[];
    this.#scorers[readerIndex] ??= new Scorer(context.scores, ofReader, rarities);
    const scorer = this.#scorers[readerIndex];
    const seen = levels.areDisjoint ? undefined : new Set<number>();
    let left = expected;
    let isDone = false;
    for (let index = 0; !isDone; index += 1) {
      const level = levels.level(index);
      if (level === undefined) return;
      eachDocId(context, level.sets, reader, partition, Math.max(1, left), (docId) => {
        if (isInAny(context.bitSets, level.others, docId) || seen?.has(docId)) return false;
        seen?.add(docId);
        left -= 1;
        scorer.scoreNaming(reader.leaf, docId, counted, ~level.refused);
        // Filters of naming fields tell it, but for which fields count.
        const isNamed = (counted.isAll && !withBody) || this.#holdsGround();
        if (isNamed === withBody) return false;
        scorer.scoreBody(reader.leaf, docId, counted);
        // Where only some fields count, the word may stand in others.
        isDone = (isNamed || this.#holdsGround()) && isEnough(docId);
        return isDone;
      });
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

function isInAny(bitSets: BitSets, sets: readonly BitSet[], docId: number): boolean {
  for (let index = 0; index < sets.length; index += 1) if (bitSets.has(sets[index] as BitSet, docId)) return true;
  return false;
}

/** Whether a document holds as many words as typed as a step asks for. The scores of the last document are lost. */
export function holdsTyped(
  { typedSome, context, counted, readers }: RelaxationStep,
  readerIndex: number,
  docId: number,
): boolean {
  if (typedSome === undefined) return true;
  const termQueries = typedSome.termQueries[readerIndex] as readonly TermQuery[];
  const { leaf } = readers[readerIndex] as LeafReader;
  return new Scorer(context.scores, termQueries).scoreNaming(leaf, docId, counted) >= typedSome.count;
}

/** Whether the document that was scored last holds words that are a reason to show it. */
export function holdsGround({ grounds, isFunctionWord }: PartialMatching, { points }: TermScores): boolean {
  let held = 0;
  for (let word = 0; word < isFunctionWord.length; word += 1) if ((points[word] as number) > 0) held |= 1 << word;
  for (const ground of grounds) if ((held & ground) === ground) return true;
  return false;
}
