import { ConjunctionDocSet } from "../docset/conjunction-doc-set.ts";
import { findPrimaryConjunction } from "../docset/intersection-cache.ts";
import { forEachDocId } from "../docset/iterator.ts";
import type { LeafReader, Partition } from "../index/leaf.ts";
import type { RelaxationStep } from "../query/relaxation-step.ts";
import type { TermQuery } from "../query/term-query.ts";
import { LeafSample, type SampledWord } from "./leaf-sample.ts";
import type { Phrase } from "./phrase-lookup.ts";

/** Documents that contain all words of a text, from which its continuations are derived. */
export interface TextSample {
  readonly isEmpty: boolean;
  /** Whether all such documents were read. */
  readonly isComplete: boolean;
  /** Returns words that start with the last word of the text, most likely first. */
  lastWords(): SampledWord[];
  /** Returns words with which titles end a phrase after all words of the text, most likely first. */
  nextWords(): SampledWord[];
  /** Returns whether a document contains all words of a list. */
  holds(words: readonly string[]): boolean;
  holdsPhrase(phrase: Phrase): boolean;
  /** Returns whether a document contains a phrase with its last word in another form. */
  holdsForm(phrase: Phrase): boolean;
}

/**
 * Maximum number of documents read for one text. Those with the best static rank are read, which users also search
 * most.
 */
const maxRead = 96;
/** Maximum number of documents read if a word of the text is only in the body. */
const maxReadWithBody = 12;

/** Samples the documents with all words of a step in primary fields. */
export function samplePrimary(step: RelaxationStep): TextSample {
  const { context, readers, termQueries } = step;
  return sample(step, maxRead, (index, partition, most, isEnough) => {
    const reader = readers[index] as LeafReader;
    const sets = findPrimaryConjunction(context, reader, termQueries[index] as readonly TermQuery[]);
    if (sets.length > 0) forEachDocId(context, sets, reader, partition, most, isEnough);
  });
}

/** Samples the documents with words of a step only in the body. */
export function sampleBodies(step: RelaxationStep): TextSample {
  const docs = new ConjunctionDocSet(step);
  return sample(step, maxReadWithBody, (index, partition, most, isEnough) =>
    docs.visit(index, partition, true, most, isEnough),
  );
}

/** @param visitDocIds calls back with doc ids of a reader's partition until the callback returns true */
function sample(
  { context, query, readers, words }: RelaxationStep,
  most: number,
  each: (index: number, partition: Partition, most: number, isEnough: (docId: number) => boolean) => void,
): TextSample {
  let left = most;
  const leaves = readers.map(({ leaf }, index) => {
    const { externalIds, partitions } = leaf.documents;
    const docIds: number[] = [];
    for (const partition of partitions)
      if (left > 0)
        each(index, partition, left, (docId) => {
          if (query.accept?.(externalIds[docId] as number, partition.type, partition.isAvailable) !== false)
            docIds.push(docId);
          left -= 1;
          return left === 0;
        });
    return new LeafSample(leaf, docIds, context.schema, context.cacheOf(leaf).displayedTerms);
  });
  const texts = words.map(({ text }) => text);
  return {
    isEmpty: leaves.every(({ isEmpty }) => isEmpty),
    isComplete: left > 0,
    lastWords: () => merged(leaves.map((one) => one.lastWords(texts.at(-1) ?? ""))),
    nextWords: () => merged(leaves.map((one) => one.nextWords(texts))),
    holds: (some) => leaves.some((one) => one.holds(some)),
    holdsPhrase: (phrase) => leaves.some((one) => one.holdsPhrase(phrase)),
    holdsForm: (phrase) => leaves.some((one) => one.holdsForm(phrase, query.locale)),
  };
}

/** Merges the words of several leaves, heaviest first. */
function merged(lists: readonly SampledWord[][]): SampledWord[] {
  const [only = []] = lists;
  if (lists.length < 2) return only;
  const words = new Map<string, SampledWord>();
  for (const word of lists.flat()) {
    const known = words.get(word.key);
    words.set(word.key, known === undefined ? word : { ...known, weight: known.weight + word.weight });
  }
  return [...words.values()].sort((one, other) => other.weight - one.weight);
}
