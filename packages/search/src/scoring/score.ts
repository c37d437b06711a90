// The score of a document is BM25F over its fields, with more evidence of what the query means: docs/explanation/search-engine.md has the formula and the effect of each constant.

/** How a word of a query matches a term, and the percentage of the points that it then gives. */
export const matchKinds = [
  "exact",
  "quantity",
  "form",
  "joined",
  "split",
  "parts",
  "within",
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
  // However it is written; a number and its unit are two words, and both match it.
  quantity: 50,
  form: 95,
  // Below two words as they were typed.
  joined: 70,
  split: 90,
  // Said apart, in any order, it may be something else.
  parts: 65,
  // It may be no word there.
  within: 65,
  prefix: 60,
  synonym: 75,
  typo: 50,
  twoTypos: 30,
  // A misspelt word is mostly a whole word.
  typoPrefix: 35,
  twoTyposPrefix: 20,
  nearSynonym: 25,
};

/** The most that a match counts, in percent. */
export const mostBoost = Math.max(...Object.values(matchBoosts));

/** Inverse document frequencies are in natural logarithms times this. */
export const rarityUnit = 128;
/** What a document says of a word is in occurrences (once in a title of average length) times this. */
export const impactUnit = 1024;
/** Scores are whole numbers, which add up the same in any order, plus popularity, a fraction. As points they are divided by this, a power of two. */
export const pointUnit = rarityUnit * impactUnit;

/** k1 of BM25: each further occurrence of a word adds less, and all together at most 1 + k1 times the first. */
export const saturation = 1.2;
/** A word with which the title begins counts so much more. */
export const startShare = 0.25;
/** A word that ends a phrase of the title says what the thing is ("LCD monitor"), and not what it is for or by ("monitor arm"): that counts as much of
 *  a frequent word as of a rare one. */
export const phraseEndPoints = pointUnit;
/** Two neighbouring words of the query that are neighbours in the document, in that order, add this share of the mean of their rarities. */
export const neighbourShare = 0.25;
/** The words of the query are the whole title: adds this share of the sum of their rarities. */
export const wholeTitleShare = 0.1;
/** What each word counts before its rarity, where documents hold all words: that a title says a word tells something also where every document says
 *  it somewhere. Where they may lack words, rarity alone tells which of them matter. */
const anyWord = 2;

/** A word in bodies alone is suspected to be misspelt where it has at most this part of the postings that the words it may be a misspelling of
 *  have in naming fields: catalogues hold misspellings too. */
export const suspectRatio = 0.01;
/** Added to a document with some word in the body alone: it comes behind those with all words in naming fields. */
export const describedPoints = -1_000 * pointUnit;
/** Added to an unavailable document, so that it ranks after all others. */
export const unavailablePoints = -4_000 * pointUnit;

/** What a word adds to the score. @param points see `pointsOf`, times a boost, which is a percentage */
export function wordScore(points: number): number {
  return Math.round(points / 100);
}

/** How much the one word of a query counts, in `rarityUnit`, whatever it is, so that its best documents are known when they are indexed. */
export const soleRarity = 5 * rarityUnit;

/** How much a word counts, in `rarityUnit`: `anyWord`, unless documents may lack words, and its inverse document frequency, which is 0.7 where half of all documents hold it, 4.6 where one in
 *  a hundred does, 6.9 where one in a thousand does.
 *  @param holders documents that hold it, or more  @param documents documents in all */
export function rarityOf(holders: number, documents: number, mayLack: boolean): number {
  const held = Math.min(holders, documents);
  const idf = Math.log(1 + (documents - held + 0.5) / (held + 0.5));
  return Math.max(1, Math.round(rarityUnit * (mayLack ? idf : anyWord + idf)));
}

/** In how many documents about one holds a word. @param rarity see `rarityOf` */
export function documentsPerHolder(rarity: number, mayLack: boolean): number {
  return Math.exp(rarity / rarityUnit - (mayLack ? 0 : anyWord));
}

/** The score beside those of single words, for words that are neighbours in the document as in the query.
 *  @param positions by word of the query: its first position; -1: in the body alone, or nowhere  @param rarities by word */
export function neighbourScore(wordCount: number, positions: ArrayLike<number>, rarities: ArrayLike<number>): number {
  let sum = 0;
  for (let word = 1; word < wordCount; word += 1) {
    const before = positions[word - 1] as number;
    if (before >= 0 && positions[word] === before + 1)
      sum += (rarities[word - 1] as number) + (rarities[word] as number);
  }
  return sum * ((neighbourShare * impactUnit) / 2);
}

/** The same for a title that is made of the words of the query. @param titleLength in words */
export function wholeTitleScore(
  wordCount: number,
  positions: ArrayLike<number>,
  rarities: ArrayLike<number>,
  titleLength: number,
): number {
  if (wordCount < titleLength || titleLength === 0) return 0;
  let sum = 0;
  for (let word = 0; word < wordCount; word += 1) {
    const position = positions[word] as number;
    if (position < 0 || position >= titleLength) return 0;
    sum += rarities[word] as number;
  }
  return Math.round(sum * wholeTitleShare * impactUnit);
}

/** The most that documents can score for neighbours, and for a title that is made of the words. @param named words that may be in naming fields (bit n: word n) */
export function mostNeighbourScore(wordCount: number, named: number, rarities: ArrayLike<number>): number {
  let [pairs, all] = [0, 0];
  for (let word = 0; word < wordCount; word += 1) {
    all += rarities[word] as number;
    if (((named >>> word) & 3) === 3) pairs += (rarities[word] as number) + (rarities[word + 1] as number);
  }
  const isWhole = named === (1 << wordCount) - 1;
  return pairs * ((neighbourShare * impactUnit) / 2) + (isWhole ? Math.round(all * wholeTitleShare * impactUnit) : 0);
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
