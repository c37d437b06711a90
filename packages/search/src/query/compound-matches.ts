import { hasCompounds, lastWordLetters, partsOfCompound } from "../analysis/compounds.ts";
import { forms } from "../analysis/inflections.ts";
import { hasBit, setBit } from "../arrays/bits.ts";
import type { Leaf } from "../index/leaf.ts";
import { fieldMaskOf, lastPosition, packPayload, positionOf } from "../index/postings.ts";
import { findText, prefixRange, type Range, termsWithin } from "../terms/dictionary.ts";
import { phraseMatchOf } from "./phrase.ts";
import type { PhraseScratch } from "./phrase-scratch.ts";
import type { PhraseMatch } from "./term-query.ts";

/**
 * Finds documents that contain the parts of a compound separately, in primary fields and any order: "Jacke für Regen"
 * for "Regenjacke". A match scores like the last part.
 * @param isOpen whether more letters may follow
 * @param isAccepted returns whether two parts with these numbers of postings count as one word
 * @returns one match for each possible split; empty in languages without compounds
 */
export function partsMatches(
  scratch: PhraseScratch,
  leaf: Leaf,
  text: string,
  isOpen: boolean,
  isAccepted: (first: number, last: number) => boolean,
): PhraseMatch[] {
  const matches: PhraseMatch[] = [];
  for (const { firsts, last } of partsOfCompound(text, leaf.locale)) {
    const lastRanges = [last, ...forms({ text: last, isGram: false }, leaf.locale)].map((one) =>
      rangeOfTerm(leaf, one),
    );
    const heads = isOpen ? [prefixRange(leaf.terms, last), ...lastRanges] : lastRanges;
    if (heads.every(isEmpty)) continue;
    const firstRanges = firsts.map((one) => rangeOfTerm(leaf, one));
    if (firstRanges.every(isEmpty) || !isAccepted(postingsIn(leaf, firstRanges), postingsIn(leaf, heads))) continue;
    const match = phraseMatchOf("parts", holdingBoth(scratch, leaf, firstRanges, heads), `${firsts[0]} … ${last}`);
    if (match !== undefined) matches.push(match);
  }
  return matches;
}

/**
 * Finds documents with a longer word that ends with the given word, in a leaf without the word: "Regenjacke" for
 * "Jacke".
 * @param isOpen whether more letters may follow, so that the word can also be inside the longer word
 */
export function withinMatch(leaf: Leaf, text: string, isOpen: boolean): PhraseMatch | undefined {
  if (text.length < lastWordLetters || !hasCompounds(leaf.locale)) return undefined;
  const words = [text, ...forms({ text, isGram: false }, leaf.locale)].filter(
    ({ length }) => length >= lastWordLetters,
  );
  const { starts, documents, payloads } = leaf.primary.postings;
  const found = new Map<number, number>();
  for (const term of termsWithin(leaf.terms, words, isOpen && text.length > lastWordLetters))
    for (let posting = starts[term] as number; posting < (starts[term + 1] as number); posting += 1)
      note(found, documents[posting] as number, packPayload(fieldMaskOf(payloads[posting] as number), lastPosition));
  return phraseMatchOf("within", found, `…${text}`);
}

function rangeOfTerm({ terms }: Leaf, text: string): Range {
  const ordinal = findText(terms, text);
  return ordinal < 0 ? { low: 0, high: 0 } : { low: ordinal, high: ordinal + 1 };
}

function isEmpty({ low, high }: Range): boolean {
  return low === high;
}

function postingsIn({ primary }: Leaf, ranges: readonly Range[]): number {
  const { starts } = primary.postings;
  return ranges.reduce((sum, { low, high }) => sum + (starts[high] as number) - (starts[low] as number), 0);
}

function holdingBoth(
  scratch: PhraseScratch,
  leaf: Leaf,
  firstRanges: readonly Range[],
  heads: readonly Range[],
): Map<number, number> {
  const found = new Map<number, number>();
  const { starts, documents, payloads } = leaf.primary.postings;
  scratch.reserve(leaf.documents.externalIds.length);
  const { holders } = scratch;
  const each = (ranges: readonly Range[], take: (docId: number, posting: number) => void): void => {
    for (const { low, high } of ranges)
      for (let posting = starts[low] as number; posting < (starts[high] as number); posting += 1)
        take(documents[posting] as number, posting);
  };
  each(firstRanges, (docId) => setBit(holders, docId));
  each(heads, (docId, posting) => {
    const value = payloads[posting] as number;
    if (hasBit(holders, docId)) note(found, docId, packPayload(fieldMaskOf(value), positionOf(value)));
  });
  each(firstRanges, (docId) => {
    holders[docId >>> 5] = 0;
  });
  return found;
}

/**
 * Records an occurrence of a word in a document. The first position wins; for equal positions, the occurrence in more
 * fields wins.
 */
function note(found: Map<number, number>, docId: number, value: number): void {
  const known = found.get(docId);
  const isBetter =
    known === undefined ||
    positionOf(value) < positionOf(known) ||
    (positionOf(value) === positionOf(known) && value > known);
  if (isBetter) found.set(docId, value);
}
