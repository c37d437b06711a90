// The score of a document is BM25F over its fields, plus further evidence for the meaning of the query. The formula is
// documented in docs/explanation/search-engine.md, the effect of each constant in search-experiments.md next to it.

/**
 * Ways in which a word of a query matches a term. `matchBoosts` has the score of each, in percent of an exact match.
 */
export const matchKinds = [
  "exact",
  "quantity",
  "size",
  "literal",
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
  "nearSynonym",
] as const;
export type MatchKind = (typeof matchKinds)[number];
/** Kinds of matches that count for the rarity of a word. */
export const exactKinds: ReadonlySet<MatchKind> = new Set(["exact", "form", "quantity", "size", "literal"]);
export const matchBoosts: Readonly<Record<MatchKind, number>> = {
  exact: 100,
  // Both words of the query "5 kg" match the term "5kg", and each of them gets half of the score of an exact match.
  quantity: 50,
  // The query "größe 4" finds "Gr. 4", which has both words in another notation.
  size: 95,
  // A word of a quantity matches the same characters, which may belong to another quantity: "6.5 in" contains "5 in".
  literal: 20,
  form: 95,
  // The query "t shirt" finds a document with "tshirt". A document with the two words "t" and "shirt" is a better
  // match.
  joined: 70,
  split: 90,
  // The query "Regenjacke" finds "Jacke für Regen". Separate parts, in any order, may have another meaning.
  parts: 65,
  // The query "jacke" finds "Regenjacke". The same letters inside another term may not be a word.
  within: 65,
  prefix: 60,
  synonym: 75,
  typo: 50,
  twoTypos: 30,
  // The query word resembles only a prefix of the term. Misspelled words are usually complete words, so this is less
  // likely.
  typoPrefix: 35,
  nearSynonym: 25,
};

/** Returns whether a match allows misspellings. */
export function isFuzzyKind(kind: MatchKind): boolean {
  return kind === "typo" || kind === "twoTypos" || kind === "typoPrefix";
}

/** Maximum boost of a match in percent. */
export const maxBoost = Math.max(...Object.values(matchBoosts));

/** Unit of inverse document frequencies. They are natural logarithms multiplied by this number. */
export const rarityScale = 128;
/** Unit of term impacts. One occurrence in a title of average length has this impact. */
export const impactScale = 1024;
/**
 * Number of internal score units per displayed point, a power of two. Internally, the parts of a score are integers, so
 * that their sum does not depend on the order of addition. Only the popularity, which is below 1, is a fraction.
 */
export const unitsPerPoint = rarityScale * impactScale;

/**
 * Parameter k1 of BM25: each further occurrence of a word adds less, in total at most 1 + k1 times the first
 * occurrence.
 */
export const frequencySaturation = 0.6;
/** Share of a word's score points that is added if the word starts the title. */
export const titleStartBonus = 0.1;
/**
 * Score points of a word that ends a phrase of the title. Such a word names the product ("LCD monitor") instead of its
 * purpose ("monitor arm"). The points do not depend on the word's rarity.
 */
export const phraseEndScore = 1.5 * unitsPerPoint;
/**
 * Factor of `phraseEndScore` for the word of a query that names the product: "laser printer" means a printer, and not a
 * product for laser printers.
 */
const productNameFactor = 2;
/**
 * Share of the mean rarity of two words that is added to the score if they are neighbors in the query and in the
 * document, in the same order.
 */
export const neighborRatio = 0.25;
/** Share of the total rarity of all words that is added to the score if the query is the complete title. */
export const fullTitleShare = 0.1;
/**
 * Base value added to the rarity of each word if documents contain all words. A match in the title is informative even
 * if every document contains the word. If documents may lack words, only rarity decides which words matter.
 */
const baseRarity = 2;
/**
 * Factor of the rarity of a word that usually names a vendor or a type, if documents may lack words. For "kingston usb
 * stick", another product of Kingston is a better result than a stick of another vendor.
 */
export const nameRarityFactor = 1.5;

/**
 * Maximum frequency of a long word, as a share of the frequency of similar words, at which the word may be a
 * misspelling. Even a word that some documents contain may be misspelled, because catalogs contain misspellings too.
 */
export const misspellingRatio = 0.02;
/**
 * Negative score points of a document with a word only in the body field. It ranks after documents with all words in
 * primary fields.
 */
export const bodyOnlyScore = -1_000 * unitsPerPoint;
/** Negative score points of an unavailable document, so that it ranks after all available documents. */
export const unavailableScore = -4_000 * unitsPerPoint;

/** Returns the score points of a word at the end of a phrase.  @param namesProduct see `productNameFactor` */
export function getPhraseEndScore(namesProduct: boolean): number {
  return namesProduct ? productNameFactor * phraseEndScore : phraseEndScore;
}

/** Returns the score of a word.  @param boostedScore result of `computeTermScore`, multiplied by a boost in percent */
export function computeWordScore(boostedScore: number): number {
  return Math.round(boostedScore / 100);
}

/**
 * Rarity of the only word of a query, in units of `rarityScale`. It is constant, so that the best documents of each word
 * are known at indexing time.
 */
export const singleWordRarity = 5 * rarityScale;

/**
 * Returns the rarity of a word in units of `rarityScale`. It is the inverse document frequency: 0.7 if half of all
 * documents contain the word, 4.6 for one in a hundred, 6.9 for one in a thousand. If documents must contain all words
 * of the query, `baseRarity` is added.
 * @param matchCount number of documents that contain the word, or an upper bound
 * @param documents number of all documents
 */
export function computeRarity(matchCount: number, documents: number, allowsMissingWords: boolean): number {
  const documentCount = Math.min(matchCount, documents);
  const idf = Math.log(1 + (documents - documentCount + 0.5) / (documentCount + 0.5));
  return Math.max(1, Math.round(rarityScale * (allowsMissingWords ? idf : baseRarity + idf)));
}

/**
 * Returns how many documents there are for each document that contains a word: 100 if 1% of the documents contain it.
 * @param rarity rarity of the word (see `computeRarity`)
 */
export function countDocumentsPerMatch(rarity: number, allowsMissingWords: boolean): number {
  return Math.exp(rarity / rarityScale - (allowsMissingWords ? 0 : baseRarity));
}

/**
 * Returns the additional score of words that are neighbors in the document and in the query.
 * @param positions first position of each word of the query; -1 if it is only in the body field or missing
 * @param rarities rarity of each word
 */
export function computeNeighborScore(
  wordCount: number,
  positions: ArrayLike<number>,
  rarities: ArrayLike<number>,
): number {
  let sum = 0;
  for (let word = 1; word < wordCount; word += 1) {
    const previousPosition = positions[word - 1] as number;
    if (previousPosition >= 0 && positions[word] === previousPosition + 1)
      sum += (rarities[word - 1] as number) + (rarities[word] as number);
  }
  return sum * ((neighborRatio * impactScale) / 2);
}

/**
 * Returns the additional score of a title that consists of the query's words.
 * @param titleLength number of words in the title
 */
export function computeFullTitleScore(
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
  return Math.round(sum * fullTitleShare * impactScale);
}

/**
 * Returns an upper bound of the additional scores for neighbors and complete titles.
 * @param primaryWords words that may be in primary fields (bit n: word n)
 */
export function computeMaxNeighborScore(wordCount: number, primaryWords: number, rarities: ArrayLike<number>): number {
  let [pairRaritySum, raritySum] = [0, 0];
  for (let word = 0; word < wordCount; word += 1) {
    raritySum += rarities[word] as number;
    if (((primaryWords >>> word) & 3) === 3)
      pairRaritySum += (rarities[word] as number) + (rarities[word + 1] as number);
  }
  const isFullTitle = primaryWords === (1 << wordCount) - 1;
  return (
    pairRaritySum * ((neighborRatio * impactScale) / 2) +
    (isFullTitle ? Math.round(raritySum * fullTitleShare * impactScale) : 0)
  );
}

/** Maximum category bonus in percent, for documents that may lack words. */
const categoryPercent = 100;

/**
 * Returns a category bonus in percent, as an integer, so that rounding errors in the likelihood do not change the
 * ranking.
 * @param likelihood probability of the category, from 0 to 1
 */
export function computeBonus(likelihood: number): number {
  return Math.floor(categoryPercent * likelihood + 1e-6);
}

/**
 * Returns the score points of a document for its category.
 * @param wordScores points of all words
 * @param bonus bonus in percent (see `computeBonus`)
 */
export function computeCategoryScore(wordScores: number, bonus: number): number {
  return Math.round((wordScores * bonus) / 100);
}

/**
 * Tiers of matches, best first. Every document of a tier ranks before all documents of the next tier, independent of
 * their scores.
 */
export const tiers = [
  "typed",
  "prefixes",
  "compoundEnds",
  "unknownFuzzy",
  "withoutFunctionWords",
  "allFuzzy",
  "onlyWord",
  "partial",
] as const;
export type MatchTier = (typeof tiers)[number];

/** Text of each tier in explanations. */
export const tierReasons: Readonly<Record<MatchTier, string>> = {
  typed: "contains all words as typed",
  prefixes: "contains a word only as a prefix: ranks after all results with the complete word",
  compoundEnds: "contains a longer word that ends with a word: ranks after all results with the word itself",
  unknownFuzzy: "a word is corrected: ranks after all results that contain it as typed",
  withoutFunctionWords: 'ignores words like "for": ranks after all results with all words',
  allFuzzy: "any word may be corrected, because nothing contains all words as typed",
  onlyWord: 'contains the only word besides ignored words like "for": ranks after all results with all words',
  partial: "lacks a word: ranks after all results with all words",
};

/**
 * Difference between the score points of two successive tiers. It exceeds the maximum score difference within a tier.
 */
const tierScoreGap = 10_000 * unitsPerPoint;

/** Returns the score points that all documents of a tier have in common. */
export function getTierScore(tier: MatchTier): number {
  return tier === "typed" ? 0 : -tiers.indexOf(tier) * tierScoreGap;
}
