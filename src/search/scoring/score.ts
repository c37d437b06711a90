import { fewWordsOf, titleLengthOf } from "../index/leaf.ts";
import { alsoDescribed, phraseEnd, positionOf } from "../index/postings.ts";
import { maxWords } from "../query/parse.ts";
import type { FieldPoints } from "./field-points.ts";

/** Points of a word that names a thing and stands in its description too: that much more is said of it. */
export const alsoDescribedPoints = 6;
/** Points where the title begins with the word. */
export const startPoints = 6;
/** Points where a phrase of the title ends with the word: it then says what the thing is ("LCD monitor"), and not what that is of
 *  or about ("monitor arm"). */
export const phraseEndPoints = 14;
/** Most points for a title that says little else; half of them where it has that many words more. */
export const shortTitlePoints = 24;
export const halfTitleWords = 3;
/** The same for all that names a thing, tags and options too: the fewer words, the more each of them says of it. */
export const fewWordsPoints = 24;
export const halfNamingWords = 10;
/** See `brevityPoints`. */
export const maxBrevity = shortTitlePoints + fewWordsPoints;

/** How a word of the query met a word of a document, and the percentage of the points it then gets. */
export const matchKinds = [
  "exact",
  "form",
  "joined",
  "split",
  "prefix",
  "synonym",
  "typo",
  "twoTypos",
  "typoPrefix",
  "twoTyposPrefix",
  "nearSynonym",
] as const;
export type MatchKind = (typeof matchKinds)[number];
export const matchBoosts: Readonly<Record<MatchKind, number>> = {
  exact: 100,
  form: 95,
  joined: 80,
  split: 90,
  prefix: 80,
  synonym: 75,
  typo: 50,
  twoTypos: 30,
  // What is misspelt is mostly meant to be the whole word.
  typoPrefix: 35,
  twoTyposPrefix: 20,
  nearSynonym: 25,
};
/** Whole points: boosts are percentages. */
export const pointUnit = 100;

/** Points for two neighbouring words of the query that stand in that order, at most `closeDistance` apart. */
export const closePoints = 8 * pointUnit;
export const closeDistance = 2;
/** Points where the query says the whole title. */
export const wholeTitlePoints = 25 * pointUnit;
/** Points of a word per halving of the documents that hold it; counts only where words had to be dropped. */
export const idfPoints = 10 * pointUnit;
/** A word that names nothing is taken for a misspelling where it stands in descriptions this boost as often as what it may be a misspelling
 *  of names things, at most: catalogues hold misspellings too. */
export const suspectRatio = 0.01;
/** Takes what holds some word in its description alone behind what holds all of them elsewhere. */
export const describedPoints = -10_000 * pointUnit;
/** Takes what is out of stock behind everything else. */
export const unavailablePoints = -100_000 * pointUnit;

/** By words of the title: more for titles that say little else, ever less for each word more. */
const titlePoints: ArrayLike<number> = Uint8Array.from({ length: 256 }, (_, words) =>
  Math.round((shortTitlePoints * halfTitleWords) / (halfTitleWords + Math.max(0, words - 1))),
);

/** The same of all that names a thing, as it is kept in the document table.
 *  @param namingTerms different words in all fields but the description */
export function fewWords(namingTerms: number): number {
  return Math.round((fewWordsPoints * halfNamingWords) / (halfNamingWords + Math.max(0, namingTerms - 1)));
}

/** Whole points of each word of the title, by how little else is said. That there is little in all is said of the thing once, and shared by
 *  the words of a query.
 *  @param titleWords at most 255  @param few see `fewWords`  @param wordCount words of the query */
export function brevityPoints(titleWords: number, few: number, wordCount: number): number {
  return (titlePoints[titleWords] as number) + (fewTermsByQueryLength[wordCount * 32 + few] as number);
}

/** The same of a document. @param docValues see `packDocValues` */
export function brevityOf(docValues: number, wordCount: number): number {
  return brevityPoints(titleLengthOf(docValues), fewWordsOf(docValues), wordCount);
}

/** By words of the query, 32 apart, and points. */
const fewTermsByQueryLength: ArrayLike<number> = Uint8Array.from({ length: (maxWords + 1) * 32 }, (_, at) =>
  Math.round((at & 31) / (at >>> 5 || 1)),
);

/** Points of a whole word that stands in a document: its fields, whether it begins the title or ends a phrase of it, how little else is
 *  said. 0 where it stands in no field that counts.
 *  @param value see `packPayload`  @param brevity see `brevityPoints` */
export function impact(value: number, brevity: number, points: FieldPoints): number {
  let sum = points.byMask[value >>> 7] as number;
  if (sum > 0 && points.body > 0 && (value & alsoDescribed) !== 0) sum += alsoDescribedPoints;
  if (sum === 0 || (value & 128) === 0 || !points.hasTitle) return sum;
  const end = (value & phraseEnd) === 0 ? 0 : phraseEndPoints;
  return sum + brevity + (positionOf(value) === 0 ? startPoints : 0) + end;
}

/** Points beside those of single words: nearness, order, and a title said in full.
 *  @param held by word of the query: whether the document names it  @param positions by word, where it does
 *  @param titleLength in words */
export function proximityPoints(
  wordCount: number,
  held: Int32Array,
  positions: Int32Array,
  titleLength: number,
): number {
  let points = 0;
  let inTitle = 0;
  let before = Number.NEGATIVE_INFINITY;
  for (let word = 0; word < wordCount; word += 1) {
    const position = positions[word] as number;
    if (held[word] === 0 || position < 0) {
      before = Number.NEGATIVE_INFINITY;
      continue;
    }
    if (position < titleLength) inTitle += 1;
    const distance = position - before;
    if (distance >= 0 && distance <= closeDistance) points += closePoints;
    before = position;
  }
  return titleLength > 0 && inTitle === wordCount && inTitle >= titleLength ? points + wholeTitlePoints : points;
}

/** @param entries postings that match a word  @param documents how many there are in all */
export function inverseDocumentFrequency(entries: number, documents: number): number {
  return Math.max(0, Math.round(idfPoints * Math.log2((documents + 1) / (entries + 1))));
}
