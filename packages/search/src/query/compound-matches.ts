import { hasCompounds, minLastWordLetters, splitCompound } from "../analysis/compounds.ts";
import { listWordForms } from "../analysis/inflections.ts";
import { replaceDigraphs } from "../analysis/spellings.ts";
import { hasBit, setBit } from "../arrays/bits.ts";
import { minFrequentPostings } from "../index/frequent-ranges.ts";
import type { Leaf, LeafReader } from "../index/leaf.ts";
import { countPostings, fieldMaskOf, maxPosition, packPayload, positionOf } from "../index/postings.ts";
import type { LeafCache } from "../leaf-cache.ts";
import { findPrefix, findText, findTextRange, isEmptyRange, type Range } from "../terms/dictionary.ts";
import type { QueryWord } from "./parse.ts";
import { createPhraseMatch, findPhrase } from "./phrase.ts";
import type { PhraseBuffers } from "./phrase-scratch.ts";
import type { PhraseMatch } from "./term-query.ts";

/**
 * Finds documents that contain the parts of a compound separately, in any order, in fields other than the body: "Jacke
 * für Regen" for "Regenjacke". A match scores like a match of the last part.
 * @param isPrefixWord whether the user may type more letters of the word
 * @param isAccepted returns whether a split is used, given the numbers of postings of its two parts
 * @returns one match for each possible split; empty in languages without compounds
 */
export function matchCompoundParts(
  phraseBuffers: PhraseBuffers,
  leaf: Leaf,
  text: string,
  isPrefixWord: boolean,
  isAccepted: (firstPartCount: number, lastCount: number) => boolean,
): PhraseMatch[] {
  const matches: PhraseMatch[] = [];
  for (const { firstPartForms: firstParts, lastPart } of splitCompound(text, leaf.locale)) {
    const lastFormRanges = listWordForms(lastPart, leaf.locale).map((part) => findTextRange(leaf.terms, part));
    const isPrefixPart = isPrefixWord && lastPart.length >= minLastWordLetters;
    const lastPartRanges = isPrefixPart ? [findPrefix(leaf.terms, lastPart), ...lastFormRanges] : lastFormRanges;
    if (lastPartRanges.every(isEmptyRange)) continue;
    const firstRanges = firstParts.map((part) => findTextRange(leaf.terms, part));
    if (
      firstRanges.every(isEmptyRange) ||
      !isAccepted(countAllPostings(leaf, firstRanges), countAllPostings(leaf, lastPartRanges))
    )
      continue;
    const match = createPhraseMatch(
      "parts",
      findCommonDocuments(phraseBuffers, leaf, firstRanges, lastPartRanges),
      `${firstParts[0]} … ${lastPart}`,
    );
    if (match !== undefined) matches.push(match);
  }
  return matches;
}

/**
 * Finds documents with a longer word that ends with the given word: "Regenjacke" for "Jacke". Used if no document of
 * the leaf contains the word itself, or after the documents that contain it.
 * @param isPrefixWord whether the user may type more letters of the word; it may then be anywhere in the longer word
 */
export function findCompoundEndMatch(
  leaf: Leaf,
  leafCache: Pick<LeafCache, "getBigramIndex">,
  text: string,
  isPrefixWord: boolean,
): PhraseMatch | undefined {
  if (text.length < minLastWordLetters || !hasCompounds(leaf.locale)) return undefined;
  const words = listWordForms(replaceDigraphs(text, leaf.locale), leaf.locale).filter(
    ({ length }) => length >= minLastWordLetters,
  );
  const { starts, documents, payloads } = leaf.primary.postings;
  const payloadsByDocId = new Map<number, number>();
  for (const term of leafCache.getBigramIndex(leaf).findContaining(words, isPrefixWord))
    for (let posting = starts[term] as number; posting < (starts[term + 1] as number); posting += 1)
      addOccurrence(
        payloadsByDocId,
        documents[posting] as number,
        packPayload(fieldMaskOf(payloads[posting] as number), maxPosition),
      );
  return createPhraseMatch("within", payloadsByDocId, `…${text}`);
}

/**
 * Finds documents in which a space separates the two characters of a gram: "무선 컨트롤러" for the gram "선컨" of
 * "무선컨트롤러". The last character of each run is a term. A gram that was typed alone is not split.
 * @param isKnown whether the gram is a term. If it is, and both characters are frequent, nothing is searched
 * @returns at most one match
 */
export function matchGramSplit(
  phraseBuffers: PhraseBuffers,
  leaf: Leaf,
  { text, isJoinedGram = false }: QueryWord,
  isKnown: boolean,
): readonly PhraseMatch[] {
  if (!isJoinedGram) return [];
  const [firstCharacter = "", secondCharacter = ""] = text;
  const ranges = [findTextRange(leaf.terms, firstCharacter), findPrefix(leaf.terms, secondCharacter)];
  const counts = ranges.map(({ low, high }) => countPostings(leaf.primary.postings, low, high));
  if (counts.includes(0) || (isKnown && counts.every((count) => count >= minFrequentPostings))) return [];
  const match = findPhrase(phraseBuffers, leaf, "split", ranges, `${firstCharacter} ${secondCharacter}`);
  return match === undefined ? [] : [match];
}

/**
 * Replaces words that no document contains by their last parts: "spülung" for "haarspülung". Both parts of a word must
 * be terms.
 * @param isKnown returns whether any document contains the word with an index
 * @returns undefined if no word is replaced
 */
export function replaceCompounds(
  words: readonly QueryWord[],
  readers: readonly LeafReader[],
  isKnown: (word: number) => boolean,
): QueryWord[] | undefined {
  const newWords = words.map((word, index): QueryWord => {
    if (word.isGram || isKnown(index)) return word;
    const lastPart = readers.map(({ leaf }) => findLastPart(leaf, word)).find((part) => part !== undefined);
    return lastPart === undefined ? word : { ...word, text: lastPart, compound: word.compound ?? word.text };
  });
  return newWords.some((word, index) => word !== words[index]) ? newWords : undefined;
}

/** Returns the longest last part of a compound that is a term. */
function findLastPart(leaf: Leaf, { text, isPrefix }: QueryWord): string | undefined {
  const isTerm = (part: string) => findText(leaf.terms, part) >= 0;
  return splitCompound(text, leaf.locale).find(
    ({ firstPartForms, lastPart }) =>
      firstPartForms.some(isTerm) &&
      (listWordForms(lastPart, leaf.locale).some(isTerm) ||
        (isPrefix && lastPart.length >= minLastWordLetters && !isEmptyRange(findPrefix(leaf.terms, lastPart)))),
  )?.lastPart;
}

function countAllPostings({ primary }: Leaf, ranges: readonly Range[]): number {
  return ranges.reduce((sum, { low, high }) => sum + countPostings(primary.postings, low, high), 0);
}

function findCommonDocuments(
  phraseBuffers: PhraseBuffers,
  leaf: Leaf,
  firstRanges: readonly Range[],
  lastPartRanges: readonly Range[],
): Map<number, number> {
  const payloadsByDocId = new Map<number, number>();
  const { starts, documents, payloads } = leaf.primary.postings;
  phraseBuffers.reserve(leaf.documents.externalIds.length);
  const { firstWordBits } = phraseBuffers;
  const forEachPosting = (ranges: readonly Range[], visit: (docId: number, posting: number) => void): void => {
    for (const { low, high } of ranges)
      for (let posting = starts[low] as number; posting < (starts[high] as number); posting += 1)
        visit(documents[posting] as number, posting);
  };
  forEachPosting(firstRanges, (docId) => setBit(firstWordBits, docId));
  forEachPosting(lastPartRanges, (docId, posting) => {
    const payload = payloads[posting] as number;
    if (hasBit(firstWordBits, docId))
      addOccurrence(payloadsByDocId, docId, packPayload(fieldMaskOf(payload), positionOf(payload)));
  });
  forEachPosting(firstRanges, (docId) => {
    firstWordBits[docId >>> 5] = 0;
  });
  return payloadsByDocId;
}

/**
 * Records an occurrence of a word in a document. The first position wins; for equal positions, the occurrence in more
 * fields wins.
 */
function addOccurrence(payloadsByDocId: Map<number, number>, docId: number, payload: number): void {
  const previousPayload = payloadsByDocId.get(docId);
  const isBetterMatch =
    previousPayload === undefined ||
    positionOf(payload) < positionOf(previousPayload) ||
    (positionOf(payload) === positionOf(previousPayload) && payload > previousPayload);
  if (isBetterMatch) payloadsByDocId.set(docId, payload);
}
