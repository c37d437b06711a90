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
  // In any notation; a number and its unit are two words, and both match it.
  quantity: 50,
  form: 95,
  // Below two words as they were typed.
  joined: 70,
  split: 90,
  // Separate parts in any order may mean something else.
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
export const maxBoost = Math.max(...Object.values(matchBoosts));

/** Inverse document frequencies are in natural logarithms times this. */
export const rarityUnit = 128;
/** Unit of term impacts: one occurrence in a title of average length. */
export const impactUnit = 1024;
/**
 * Scores are integers, which add up to the same sum in any order, plus popularity, a fraction. Displayed points are
 * scores divided by this power of two.
 */
export const pointUnit = rarityUnit * impactUnit;

/** k1 of BM25: each further occurrence of a word adds less, in total at most 1 + k1 times the first. */
export const saturation = 1.2;
/** Additional share for a word that starts the title. */
export const startShare = 0.25;
/**
 * A word that ends a phrase of the title names the product ("LCD monitor") instead of its purpose ("monitor arm"); this
 * adds the same for frequent and rare words.
 */
export const phraseEndPoints = pointUnit;
/**
 * Two neighboring words of the query that are neighbors in the document, in that order, add this share of the mean of
 * their rarities.
 */
export const neighborShare = 0.25;
/** If the query is the complete title: adds this share of the sum of their rarities. */
export const fullTitleShare = 0.1;
/**
 * Base value of each word before its rarity, if documents contain all words: a match in the title is informative even
 * if every document contains the word somewhere. If documents may lack words, only rarity decides which ones matter.
 */
const anyWord = 2;

/**
 * A word only in bodies is a misspelling candidate if it has at most this share of the postings that similar words have
 * in primary fields: catalogs contain misspellings too.
 */
export const misspellingRatio = 0.01;
/** Added to a document with a word only in the body: it ranks after those with all words in primary fields. */
export const describedPoints = -1_000 * pointUnit;
/** Added to an unavailable document, so that it ranks after all others. */
export const unavailablePoints = -4_000 * pointUnit;

/** Score of a word.  @param points see `pointsOf`, times a boost in percent */
export function wordScore(points: number): number {
  return Math.round(points / 100);
}

/**
 * Rarity of the only word of a query, in `rarityUnit`: constant, so that its best documents are known at indexing time.
 */
export const soleRarity = 5 * rarityUnit;

/**
 * Rarity of a word in `rarityUnit`: `anyWord`, unless documents may lack words, plus its inverse document frequency:
 * 0.7 if half of all documents contain it, 4.6 for one in a hundred, 6.9 for one in a thousand.
 * @param holders number of documents that contain it, or more
 * @param documents number of all documents
 */
export function rarityOf(holders: number, documents: number, mayLack: boolean): number {
  const frequency = Math.min(holders, documents);
  const idf = Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
  return Math.max(1, Math.round(rarityUnit * (mayLack ? idf : anyWord + idf)));
}

/** In how many documents about one holds a word. @param rarity see `rarityOf` */
export function documentsPerHolder(rarity: number, mayLack: boolean): number {
  return Math.exp(rarity / rarityUnit - (mayLack ? 0 : anyWord));
}

/**
 * Additional score of words that are neighbors in the document as in the query.
 * @param positions by word of the query: its first position; -1 if it is only in the body or missing
 * @param rarities by word
 */
export function neighborScore(wordCount: number, positions: ArrayLike<number>, rarities: ArrayLike<number>): number {
  let sum = 0;
  for (let word = 1; word < wordCount; word += 1) {
    const before = positions[word - 1] as number;
    if (before >= 0 && positions[word] === before + 1)
      sum += (rarities[word - 1] as number) + (rarities[word] as number);
  }
  return sum * ((neighborShare * impactUnit) / 2);
}

/** Additional score of a title that consists of the query's words.  @param titleLength in words */
export function fullTitleScore(
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
  return Math.round(sum * fullTitleShare * impactUnit);
}

/**
 * Upper bound of the additional scores for neighbors and complete titles.
 * @param named words that may be in primary fields (bit n: word n)
 */
export function maxNeighborScore(wordCount: number, named: number, rarities: ArrayLike<number>): number {
  let [pairs, all] = [0, 0];
  for (let word = 0; word < wordCount; word += 1) {
    all += rarities[word] as number;
    if (((named >>> word) & 3) === 3) pairs += (rarities[word] as number) + (rarities[word + 1] as number);
  }
  const isFullTitle = named === (1 << wordCount) - 1;
  return pairs * ((neighborShare * impactUnit) / 2) + (isFullTitle ? Math.round(all * fullTitleShare * impactUnit) : 0);
}

/** Maximum category bonus in percent, for documents that may lack words. */
const categoryPercent = 100;

/** Category bonus in whole percent, independent of the order of calculation.  @param likelihood from 0 to 1 */
export function categoryBonus(likelihood: number): number {
  return Math.floor(categoryPercent * likelihood + 1e-6);
}

/** Points of a document for its category.  @param points of all words  @param bonus see `categoryBonus` */
export function categoryPoints(points: number, bonus: number): number {
  return Math.round((points * bonus) / 100);
}

/**
 * Tiers of matches, best first. Every document of a tier ranks before all of the next one, independent of scores: a
 * document with all words as typed precedes all others.
 */
export const tiers = [
  "typed",
  "prefixes",
  "unknownFuzzy",
  "withoutFunctionWords",
  "allFuzzy",
  "onlyWord",
  "partial",
] as const;
export type Tier = (typeof tiers)[number];

/** Explanations of the tiers. */
export const tierReasons: Readonly<Record<Tier, string>> = {
  typed: "contains all words as typed",
  prefixes: "contains a word only as a prefix: ranks after all documents with the complete word",
  unknownFuzzy: "a word is corrected: ranks after all documents that contain it as typed",
  withoutFunctionWords: 'ignores words like "for": ranks after all documents with all words',
  allFuzzy: "all words are corrected, since no document contains them as typed",
  onlyWord: 'contains the only word besides ignored words like "for": ranks after all documents with all words',
  partial: "lacks a word: ranks after all documents with all words",
};

/** Distance of two tiers: more than two documents of one tier can differ. */
const pointsPerTier = 10_000 * pointUnit;

/** Points of every document of a tier. */
export function tierPoints(tier: Tier): number {
  return tier === "typed" ? 0 : -tiers.indexOf(tier) * pointsPerTier;
}
