import { ConjunctionDocSet } from "../docset/conjunction-doc-set.ts";
import { findPrimaryConjunction } from "../docset/intersection-cache.ts";
import { forEachDocId } from "../docset/iterator.ts";
import type { LeafReader, Partition } from "../index/leaf.ts";
import type { RelaxationStep } from "../query/relaxation-step.ts";
import type { TermQuery } from "../query/term-query.ts";
import { DocumentSample, type SampledWord } from "./leaf-sample.ts";

/** A sample of the documents that contain all words of a typed text. Completions are derived from it. */
export interface TextSample {
  readonly isEmpty: boolean;
  /** Whether all documents with the words were read, and not only the best of them. */
  readonly isComplete: boolean;
  /** Returns words that start with the last word of the text, most likely first. */
  sampleLastWords(): SampledWord[];
  /** Returns words that end a phrase of a title after all words of the text, most likely first. */
  sampleNextWords(): SampledWord[];
  /** Returns whether a sampled document contains all words of a list. */
  containsWords(words: readonly string[]): boolean;
  /** Returns whether a sampled document contains the words with another form of the last one, such as the plural. */
  containsInflectedForm(words: readonly string[]): boolean;
}

/**
 * Maximum number of documents read for one text. Available and popular documents are read first, because users search
 * for them most.
 */
const maxSampledDocuments = 96;
/** Maximum number of sampled documents that contain a word of the typed text only in the body field. */
const maxDocumentsWithBody = 12;

/** Samples documents that contain all words of a query in fields other than the body. */
export function takePrimarySample(step: RelaxationStep): TextSample {
  const { context, readers, termQueries } = step;
  return createTextSample(step, maxSampledDocuments, (index, partition, maxCount, hasEnoughDocs) => {
    const reader = readers[index] as LeafReader;
    const sets = findPrimaryConjunction(context, reader, termQueries[index] as readonly TermQuery[]);
    if (sets.length > 0) forEachDocId(context, sets, reader, partition, maxCount, hasEnoughDocs);
  });
}

/** Samples documents that contain all words of a query, at least one of them only in the body field. */
export function takeBodySample(step: RelaxationStep): TextSample {
  const docSet = new ConjunctionDocSet(step);
  return createTextSample(step, maxDocumentsWithBody, (index, partition, maxCount, hasEnoughDocs) =>
    docSet.visit(index, partition, true, maxCount, hasEnoughDocs),
  );
}

/** @param visitDocIds calls `hasEnoughDocs` with the doc ids of a partition until it returns true */
function createTextSample(
  { context, query, readers, words }: RelaxationStep,
  maxCount: number,
  visitDocIds: (
    index: number,
    partition: Partition,
    maxCount: number,
    hasEnoughDocs: (docId: number) => boolean,
  ) => void,
): TextSample {
  let remainingCount = maxCount;
  const documentSamples = readers.map(({ leaf }, index) => {
    const { externalIds, partitions } = leaf.documents;
    const docIds: number[] = [];
    for (const partition of partitions)
      if (remainingCount > 0)
        visitDocIds(index, partition, remainingCount, (docId) => {
          if (query.accept?.(externalIds[docId] as number, partition.type, partition.isAvailable) !== false)
            docIds.push(docId);
          remainingCount -= 1;
          return remainingCount === 0;
        });
    return new DocumentSample(leaf, docIds, context.schema, context.getLeafCache(leaf).displayedTerms);
  });
  const texts = words.map(({ text }) => text);
  return {
    isEmpty: documentSamples.every(({ isEmpty }) => isEmpty),
    isComplete: remainingCount > 0,
    sampleLastWords: () =>
      mergeWords(
        documentSamples.map((documentSample) => documentSample.sampleLastWords(texts.at(-1) ?? "", texts.at(-2))),
      ),
    sampleNextWords: () => mergeWords(documentSamples.map((documentSample) => documentSample.sampleNextWords(texts))),
    containsWords: (searchedWords) =>
      documentSamples.some((documentSample) => documentSample.containsWords(searchedWords)),
    containsInflectedForm: (searchedWords) =>
      documentSamples.some((documentSample) => documentSample.containsInflectedForm(searchedWords, query.locale)),
  };
}

/** Merges the words that were sampled in several segments, heaviest first. */
function mergeWords(wordLists: readonly SampledWord[][]): SampledWord[] {
  const [firstList = []] = wordLists;
  if (wordLists.length < 2) return firstList;
  const words = new Map<string, SampledWord>();
  for (const word of wordLists.flat()) {
    const existingWord = words.get(word.key);
    words.set(
      word.key,
      existingWord === undefined ? word : { ...existingWord, weight: existingWord.weight + word.weight },
    );
  }
  return [...words.values()].sort((a, b) => b.weight - a.weight);
}
