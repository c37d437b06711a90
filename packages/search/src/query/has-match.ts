import { ConjunctionDocSet } from "../docset/conjunction-doc-set.ts";
import { matchByRarestWord } from "../docset/rarest-word.ts";
import { partitionOf } from "../index/leaf.ts";
import { type RelaxationStep, sumCost } from "./relaxation-step.ts";
import type { TermQuery } from "./term-query.ts";

/**
 * Returns whether a search attempt finds any document that the caller's `accept` does not reject.
 * @param word index of a word; if set, the result is whether any document contains this word
 */
export function hasMatch(step: RelaxationStep, word?: number): boolean {
  if (word === undefined) return hasAnyMatch(step);
  // Fast path: without deleted documents, each posting is a match.
  if (step.fieldScores.includesAllFields && step.readers.every(({ deletedCount }) => deletedCount === 0))
    return sumCost(step, word) > 0;
  const { accept: _accept, ...query } = step.query;
  const termQueries = step.termQueries.map((readerQueries) => [readerQueries[word] as TermQuery]);
  const [wordsOfStep, rarities] = [step.words.slice(word, word + 1), step.rarities.slice(word, word + 1)];
  return hasMatch({ ...step, query, termQueries, words: wordsOfStep, rarities });
}

/** Returns whether a search attempt finds any document that the caller's `accept` does not reject. */
function hasAnyMatch(step: RelaxationStep): boolean {
  const { accept } = step.query;
  let docSet: ConjunctionDocSet | undefined;
  return step.readers.some(({ leaf: { documents } }, index) => {
    const { externalIds, partitions } = documents;
    const isMatch = matchByRarestWord(step, index, (docId) => {
      if (accept === undefined) return true;
      const { type, isAvailable } = partitionOf(documents, docId);
      return accept(externalIds[docId] as number, type, isAvailable);
    });
    if (isMatch !== undefined) return isMatch;
    docSet ??= new ConjunctionDocSet(step);
    const conjunctionDocSet = docSet;
    return partitions.some((partition) => {
      let isMatchFound = false;
      for (const searchesBody of [false, true])
        if (!isMatchFound)
          conjunctionDocSet.visit(index, partition, searchesBody, 1, (docId) => {
            isMatchFound = accept?.(externalIds[docId] as number, partition.type, partition.isAvailable) !== false;
            return isMatchFound;
          });
      return isMatchFound;
    });
  });
}
