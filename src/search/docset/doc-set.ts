import type { LeafReader, Partition } from "../index/leaf.ts";
import type { TermQuery } from "../query/expand.ts";
import type { Coordination } from "../query/minimum-should-match.ts";
import type { RelaxationStep } from "../query/relax.ts";
import { Scorer } from "../scoring/scorer.ts";
import type { BitSet } from "./bit-set.ts";
import { conjunctionFilters, filterOf } from "./filter-cache.ts";
import { allOf, isLacking, isMet, noteLacking } from "./intersection-cache.ts";
import { eachDocId } from "./iterator.ts";

/** Where an step reads its documents. */
export interface DocSet {
  /** Calls back with docIds of a partition, ascending, whose documents have been read (see `termScores`), until told true. */
  each(
    reader: number,
    partition: Partition,
    withBody: boolean,
    expected: number,
    isEnough: (docId: number) => boolean,
  ): void;
}

/** Documents that hold all words: in what names them, or else (`withBody`) some of them in the description alone. */
export class ConjunctionDocSet implements DocSet {
  readonly #step: RelaxationStep;
  readonly #scorers: Scorer[] = [];
  /** By reader, twice: of what names a thing, and of all. Empty: no document holds all words. */
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
    const { counted, termQueries, readers } = this.#step;
    if (withBody && counted.body === 0) return;
    const reader = readers[readerIndex] as LeafReader;
    const { leaf } = reader;
    const ofReader = termQueries[readerIndex] as readonly TermQuery[];
    if (withBody && isLacking(reader, partition, ofReader)) return;
    const at = readerIndex * 2 + (withBody ? 1 : 0);
    this.#sets[at] ??= withBody ? conjunctionFilters(leaf, ofReader) : namingFilters(reader, ofReader);
    const sets = this.#sets[at];
    if (sets.length === 0) return;
    this.#scorers[readerIndex] ??= new Scorer(ofReader);
    const scorer = this.#scorers[readerIndex];
    let hasMet = false;
    eachDocId([sets], reader, partition, expected, (docId) => {
      let held = scorer.scoreNaming(leaf, docId, counted);
      const isNamed = held === ofReader.length;
      if (withBody && !isNamed) held += scorer.scoreBody(leaf, docId, counted);
      if (held < ofReader.length) return false;
      hasMet = true;
      return isNamed !== withBody && isEnough(docId);
    });
    if (withBody && !hasMet && counted.isAll && ofReader.length > 1) noteLacking(reader, partition, ofReader);
  }
}

/** Documents that hold all words in what names them: they are in all of some sets. */
function namingFilters(reader: LeafReader, termQueries: readonly TermQuery[]): readonly BitSet[] {
  const last = termQueries.at(-1) as TermQuery;
  if (last.namingCost === 0) return [];
  const own = filterOf(reader.leaf, last, false);
  if (termQueries.length === 1) return [own];
  if (termQueries.some(({ namingCost }) => namingCost === 0) || !isMet(reader, termQueries)) return [];
  const before = allOf(reader, termQueries.slice(0, -1));
  return before === "none" ? [] : [before, own];
}

/** Documents that hold most words. */
export class CoordinationDocSet implements DocSet {
  readonly #step: RelaxationStep;
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
    const { counted, termQueries, readers, minimumShouldMatch } = this.#step;
    const reader = readers[readerIndex] as LeafReader;
    const { count, sources } = this.#coordinations[readerIndex] as Coordination;
    if (count !== minimumShouldMatch?.count) return;
    this.#scorers[readerIndex] ??= new Scorer(termQueries[readerIndex] as readonly TermQuery[]);
    const scorer = this.#scorers[readerIndex];
    eachDocId(sources, reader, partition, expected, (docId) => {
      scorer.scoreNaming(reader.leaf, docId, counted);
      scorer.scoreBody(reader.leaf, docId, counted);
      return isEnough(docId);
    });
  }
}
