import { fewTermsPointsOf, titleLengthOf } from "../index/doc-values.ts";
import { alsoDescribed, phraseEnd, positionOf } from "../index/postings.ts";
import { maxWords } from "../query/parse.ts";
import type { FieldPoints } from "./field-points.ts";

/** Points of a word in a naming field that is in the body too. */
export const alsoDescribedPoints = 6;
/** Points where the title begins with the word. */
export const startPoints = 6;
/** Points where the word ends a phrase of the title: it says what the thing is ("LCD monitor"), not what that is for ("monitor arm"). */
export const phraseEndPoints = 14;
/** Points of a title of one word; half of them where it has `halfTitleWords` words more. */
export const shortTitlePoints = 24;
export const halfTitleWords = 3;
/** Points of a document with one term in its naming fields; half of them where it has `halfNamingWords` more. */
export const singleTermPoints = 24;
export const halfNamingWords = 10;
/** See `brevityPoints`. */
export const maxBrevity = shortTitlePoints + singleTermPoints;

/** How a word of a query matches a term, and the percentage of the points that it then gives. */
export const matchKinds = [
  "exact",
  "quantity",
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
  // What it is, however it is written.
  quantity: 100,
  form: 95,
  joined: 80,
  split: 90,
  prefix: 80,
  synonym: 75,
  typo: 50,
  twoTypos: 30,
  // A misspelt word is mostly a whole word.
  typoPrefix: 35,
  twoTyposPrefix: 20,
  nearSynonym: 25,
};
/** Scores are in whole points times this, as boosts are percentages. */
export const pointUnit = 100;

/** Points for two neighbouring words of the query that are at most `closeDistance` positions apart, in that order. */
export const closePoints = 8 * pointUnit;
export const closeDistance = 2;
/** Points where the words of the query are the whole title. */
export const wholeTitlePoints = 25 * pointUnit;
/** Inverse document frequency of a word that all documents hold. */
const idfPoints = 10 * pointUnit;
/** Inverse document frequency with which a word counts as much as it does where documents must hold all words: one document of 255 holds it. */
const unweighedIdf = 8 * idfPoints;
/** A word in bodies alone is suspected to be misspelt where it has at most this part of the postings that the words it may be a misspelling of
 *  have in naming fields: catalogues hold misspellings too. */
export const suspectRatio = 0.01;
/** Points at most of a document that shoppers chose when they searched this: they decide among documents that hold the words alike, and are fewer than
 *  a word in a title gives over one in a lesser field. */
export const learnedPoints = 40 * pointUnit;
/** Added to a document with some word in the body alone: it comes behind those with all words in naming fields. */
export const describedPoints = -10_000 * pointUnit;
/** Added to a document out of stock: it comes behind all others. */
export const unavailablePoints = -100_000 * pointUnit;

/** By words of the title: points for a short title. */
const titlePoints: ArrayLike<number> = Uint8Array.from({ length: 256 }, (_, words) =>
  Math.round((shortTitlePoints * halfTitleWords) / (halfTitleWords + Math.max(0, words - 1))),
);

/** Points of a document for few terms in naming fields; kept in its doc values.
 *  @param namingTerms distinct terms in naming fields */
export function fewTermsPoints(namingTerms: number): number {
  return Math.round((singleTermPoints * halfNamingWords) / (halfNamingWords + Math.max(0, namingTerms - 1)));
}

/** Points of each word in the title, for how short the title and how few the naming terms are. The latter are shared among the words of a query.
 *  @param titleWords at most 255  @param few see `fewTermsPoints`  @param wordCount words of the query */
export function brevityPoints(titleWords: number, few: number, wordCount: number): number {
  return (titlePoints[titleWords] as number) + (fewTermsByQueryLength[wordCount * 32 + few] as number);
}

/** The same of a document. */
export function brevityOf(docValues: number, wordCount: number): number {
  return brevityPoints(titleLengthOf(docValues), fewTermsPointsOf(docValues), wordCount);
}

/** `few` shared among the words of a query: by words, 32 entries each, then by `few`. */
const fewTermsByQueryLength: ArrayLike<number> = Uint8Array.from({ length: (maxWords + 1) * 32 }, (_, at) =>
  Math.round((at & 31) / (at >>> 5 || 1)),
);

/** Points of a whole word in a document: by its fields, whether it begins the title or ends a phrase of it, and how short that is. 0 where
 *  no field that counts holds it.
 *  @param value a payload  @param brevity see `brevityPoints` */
export function impact(value: number, brevity: number, points: FieldPoints): number {
  let sum = points.byMask[value >>> 7] as number;
  if (sum > 0 && points.body > 0 && (value & alsoDescribed) !== 0) sum += alsoDescribedPoints;
  if (sum === 0 || (value & 128) === 0 || !points.hasTitle) return sum;
  const end = (value & phraseEnd) === 0 ? 0 : phraseEndPoints;
  return sum + brevity + (positionOf(value) === 0 ? startPoints : 0) + end;
}

/** Points beside those of single words: for neighbouring words, their order, and a title said in full.
 *  @param held by word: its points; 0: the document does not hold it  @param positions by word: its first position; -1: in the body alone
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

/** How much it tells that a document holds a word: about `idfPoints` for a word that all hold, and as much again each time the
 *  documents that hold it are halved.
 *  @param entries postings of a word  @param documents documents in all */
export function inverseDocumentFrequency(entries: number, documents: number): number {
  return Math.round(idfPoints * Math.log2(1 + documents / Math.max(1, entries)));
}

/** Percentage by which a document counts more where it may lack words and is of the one category that the query can mean. */
const categoryPercent = 100;

/** The same of a category that the query may mean. A whole percentage, whatever the order in which likelihoods were worked out.
 *  @param likelihood from 0 to 1 */
export function categoryBonus(likelihood: number): number {
  return Math.floor(categoryPercent * likelihood + 1e-6);
}

/** Points of a document for its category. @param points of all words  @param bonus see `categoryBonus` */
export function categoryPoints(points: number, bonus: number): number {
  return Math.round((points * bonus) / 100);
}

/** Points of a word where documents may lack words: a rare one outweighs several frequent ones.
 *  @param idf see `inverseDocumentFrequency` */
export function weighedByIdf(points: number, idf: number): number {
  return Math.round((points * idf) / unweighedIdf);
}
