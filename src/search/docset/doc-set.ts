import type { LeafReader, Partition } from "../index/leaf.ts";
import type { Coordination } from "../query/minimum-should-match.ts";
import type { RelaxationStep } from "../query/relaxation-step.ts";
import type { TermQuery } from "../query/term-query.ts";
import { Scorer } from "../scoring/scorer.ts";
import type { BitSet } from "./bit-set.ts";
import { conjunctionFilters, filterOf } from "./filter-cache.ts";
import { allOf, isLacking, isMet, noteLacking } from "./intersection-cache.ts";
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
    const { context, counted, termQueries, readers } = this.#step;
    if (withBody && counted.body === 0) return;
    const reader = readers[readerIndex] as LeafReader;
    const { leaf } = reader;
    const ofReader = termQueries[readerIndex] as readonly TermQuery[];
    if (withBody && isLacking(context, reader, partition, ofReader)) return;
    const at = readerIndex * 2 + (withBody ? 1 : 0);
    this.#sets[at] ??= withBody ? conjunctionFilters(context, leaf, ofReader) : this.#namingSets(reader, ofReader);
    const sets = this.#sets[at];
    if (sets.length === 0) return;
    this.#scorers[readerIndex] ??= new Scorer(context.scores, ofReader);
    const scorer = this.#scorers[readerIndex];
    let hasMet = false;
    eachDocId(context, [sets], reader, partition, expected, (docId) => {
      let held = scorer.scoreNaming(leaf, docId, counted);
      const isNamed = held === ofReader.length;
      if (withBody && !isNamed) held += scorer.scoreBody(leaf, docId, counted);
      if (held < ofReader.length) return false;
      hasMet = true;
      return isNamed !== withBody && isEnough(docId);
    });
    if (withBody && !hasMet && counted.isAll && ofReader.length > 1) noteLacking(context, reader, partition, ofReader);
  }

  /** Sets whose intersection has the documents with all words in naming fields. */
  #namingSets(reader: LeafReader, termQueries: readonly TermQuery[]): readonly BitSet[] {
    const { context } = this.#step;
    const last = termQueries.at(-1) as TermQuery;
    if (last.namingCost === 0) return [];
    const own = filterOf(context, reader.leaf, last, false);
    if (termQueries.length === 1) return [own];
    if (termQueries.some(({ namingCost }) => namingCost === 0) || !isMet(context, reader, termQueries)) return [];
    const before = allOf(context, reader, termQueries.slice(0, -1));
    return before === "none" ? [] : [before, own];
  }
}

/** Documents that hold as many words as `step.minimumShouldMatch` asks for. */
export class CoordinationDocSet implements DocSet {
  readonly #step: RelaxationStep;
  /** By reader. */
  readonly #coordinations: readonly Coordination[];
  readonly #scorers: Scorer[] = [];

  constructor(step: RelaxationStep, coordinations: readonly Coordination[]) {
    this.#step = step;
    this.#coordinations = coordinations;
  }

  each(
    readerIndex: number,
    partition: Partition,
    _: boolean,
    expected: number,
    isEnough: (docId: number) => boolean,
  ): void {
    const { context, counted, termQueries, readers, minimumShouldMatch } = this.#step;
    const reader = readers[readerIndex] as LeafReader;
    const { count, conjunctions } = this.#coordinations[readerIndex] as Coordination;
    if (count !== minimumShouldMatch?.count) return;
    this.#scorers[readerIndex] ??= new Scorer(context.scores, termQueries[readerIndex] as readonly TermQuery[]);
    const scorer = this.#scorers[readerIndex];
    eachDocId(context, conjunctions, reader, partition, expected, (docId) => {
      scorer.scoreNaming(reader.leaf, docId, counted);
      scorer.scoreBody(reader.leaf, docId, counted);
      return isEnough(docId);
    });
  }
}
