import { findRangeOfTerm, getRangeMatchKind } from "../fuzzy/fuzzy-matches.ts";
import { readLengths } from "../index/doc-values.ts";
import type { Leaf } from "../index/leaf.ts";
import { bodyFieldBit, type ForwardIndex, lowerBound } from "../index/postings.ts";
import { findProductName, findUnfinishedWord, type RelaxationStep } from "../query/relaxation-step.ts";
import type { ExpandedTerm, TermQuery } from "../query/term-query.ts";
import { getText } from "../terms/dictionary.ts";
import { computeBodyScore, computePrefixScore, computeTermScore } from "./field-scores.ts";
import { getPhraseEndScore, type MatchKind, matchBoosts } from "./score.ts";

/** Match of a word of the query in a document. */
export interface WordMatch {
  readonly kind: MatchKind;
  /** The matching term of the document, or several words, in lower case without accents. */
  readonly term: string;
  /** Fields and position of the term, packed by `packPayload`; undefined if the term is only in the body field. */
  readonly payload: number | undefined;
}

/**
 * Returns the match that determines the points of a word in the last scored document.
 * @param word index of a word that the document contains
 */
export function findWordMatch(
  step: RelaxationStep,
  leaf: Leaf,
  termQuery: TermQuery,
  docId: number,
  word: number,
): WordMatch {
  const { context, fieldScores, rarities, words } = step;
  const termScore = context.scores.points[word] as number;
  const endScore = getPhraseEndScore(word === findProductName(step));
  const lengths = readLengths(leaf.documents.docValues[docId] as number);
  const rarity = rarities[word] as number;
  const { starts, terms, payloads } = leaf.primary.forward;
  for (let index = starts[docId] as number; index < (starts[docId + 1] as number); index += 1) {
    const payload = payloads[index] as number;
    const term = terms[index] as number;
    for (const { low, high, kind } of [...termQuery.ranges, ...findFuzzyRange(termQuery, term)])
      if (
        low <= term &&
        term < high &&
        matchBoosts[kind] *
          (kind === "prefix" && word === findUnfinishedWord(step)
            ? computePrefixScore(rarity, payload, fieldScores)
            : computeTermScore(rarity, payload, lengths, fieldScores, endScore)) ===
          termScore
      )
        return { kind, term: getText(leaf.terms, term), payload };
  }
  for (const { kind, documents, payloads: matchPayloads, label } of termQuery.phraseMatches) {
    const index = lowerBound(documents, 0, documents.length, docId);
    const payload = documents[index] === docId ? (matchPayloads[index] as number) : 0;
    if (matchBoosts[kind] * computeTermScore(rarity, payload, lengths, fieldScores, endScore) === termScore)
      return { kind, term: label, payload };
  }
  const bodyTerms = [...listTerms(leaf.body.forward, docId), ...listTerms(leaf.primary.forward, docId, payloads)];
  for (const term of bodyTerms)
    for (const { low, high, kind } of [...termQuery.ranges, ...findFuzzyRange(termQuery, term)])
      if (low <= term && term < high && matchBoosts[kind] * computeBodyScore(rarity, fieldScores) === termScore)
        return { kind, term: getText(leaf.terms, term), payload: undefined };
  return { kind: "exact", term: words[word]?.text ?? "", payload: undefined };
}

/** Returns the terms of a document.  @param payloads if set, only terms with `bodyFieldBit` are returned */
function listTerms({ starts, terms }: ForwardIndex, docId: number, payloads?: Uint16Array): number[] {
  const from = starts[docId] as number;
  const documentTerms = Array.from(terms.subarray(from, starts[docId + 1]));
  return payloads === undefined
    ? documentTerms
    : documentTerms.filter((_, index) => ((payloads[from + index] as number) & bodyFieldBit) !== 0);
}

function findFuzzyRange({ fuzzyMatches }: TermQuery, term: number): Pick<ExpandedTerm, "low" | "high" | "kind">[] {
  const rangeIndex = findRangeOfTerm(fuzzyMatches, term);
  return rangeIndex < 0 ? [] : [{ low: term, high: term + 1, kind: getRangeMatchKind(fuzzyMatches, rangeIndex) }];
}
