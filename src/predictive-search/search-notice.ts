import type { ComparedWord, Hit, Query } from "@vitrine/search";
import { normalize } from "@vitrine/search";
import type { Entry } from "../catalog/catalog.ts";
import { extractText } from "../catalog/html-text.ts";
import { localize } from "../catalog/localize.ts";
import type { SearchContext } from "./search-context.ts";
import { listWords, wordPattern } from "./words.ts";

/** Notice that the results do not match a search as typed. */
export interface SearchNotice {
  /**
   * - `corrected`: words of the search are probably misspelled. The results contain the words of `terms` instead.
   * - `similar`: no entry contains the words. The results contain words with a similar spelling, or the last part of a
   *   compound ("spülung" for "haarspülung"), but perhaps with another meaning.
   * - `partial`: every result lacks at least one word of the search.
   */
  readonly type: "corrected" | "similar" | "partial";
  /** The search with the spelling of the best result. */
  readonly terms: string;
  /** Search words that no catalog entry contains. Only for `partial`. */
  readonly missingTerms: readonly string[];
  /** Whether a search for the words exactly as typed also has results. */
  readonly hasExactResults: boolean;
}

/**
 * Returns the notice for the results of a search, or undefined if the best result contains all words as typed. The best
 * result is the first product. If there are no products, it is the first result of another type.
 * @param hitsByType hits of the index for `query`, products first
 */
export function findNotice(
  query: Query,
  hitsByType: ReadonlyMap<number, readonly Hit[]>,
  context: SearchContext,
): SearchNotice | undefined {
  const bestHit = [...hitsByType.values()].find(([hit]) => hit !== undefined)?.[0];
  if (bestHit?.words === undefined) return undefined;
  // No notice is shown if the merchant has pinned results for this search.
  if ((context.rules?.getRulesForQuery(query.text, context.locale).pins ?? []).length > 0) return undefined;
  const corrections = bestHit.words.filter(({ match }) => match === "corrected");
  if (bestHit.missing === 0 && corrections.length === 0) return undefined;
  const isPartial = bestHit.missing > 0;
  const unknownWords = bestHit.words.flatMap(({ word, match }) =>
    isPartial && match === "missing" && !context.index.findsExactly({ ...query, text: word }) ? word : [],
  );
  const areCorrectionsLikely = corrections.every((correction) => correction.isLikely);
  return {
    type: isPartial ? "partial" : areCorrectionsLikely ? "corrected" : "similar",
    terms: correctText(query.text, corrections, () => readWords(bestHit, context)),
    missingTerms: listWords(query.text).filter((word) => unknownWords.includes(normalize(word))),
    hasExactResults: !isPartial && context.index.findsExactly(query),
  };
}

/**
 * Returns the notice for a search that was typed in another keyboard layout.
 * @param terms the text in the right layout
 */
export function createKeyboardNotice(terms: string): SearchNotice {
  return { type: "corrected", terms, missingTerms: [], hasExactResults: false };
}

/**
 * Returns whether the results for a text in another keyboard layout may be shown. A single word must be found in full,
 * because keys of punctuation may split it into short words: "велюкс" is "dtk.rc".
 * @param notice notice of the results for the converted text
 */
export function isLikelyLayout(q: string, notice: SearchNotice | undefined): boolean {
  return notice === undefined || /\s/.test(q.trim());
}

/**
 * Replaces the misspelled words in a text, and unknown compounds by their last parts.
 * @param getSpellings returns the shop's spelling of words, keyed by the word in lower case without accents
 */
function correctText(
  text: string,
  corrections: readonly ComparedWord[],
  getSpellings: () => ReadonlyMap<string, string>,
): string {
  if (corrections.length === 0) return text;
  const words = getSpellings();
  const terms = new Map(corrections.map(({ word, term = word }) => [word, term]));
  return text.replace(wordPattern, (word) => {
    const term = terms.get(normalize(word));
    return term === undefined ? word : (words.get(term) ?? findEnd(word, term) ?? term);
  });
}

/** Returns the end of a word that equals a term: "spülung" for "haarspülung" and the term "spulung". */
function findEnd(word: string, term: string): string | undefined {
  return Array.from(word, (_, start) => word.slice(start)).find((end) => normalize(end) === term);
}

/**
 * Returns the words of a result in lower case, keyed by the same word without accents. Words of the title win, and those
 * of the description are last.
 */
function readWords({ externalId }: Hit, { catalog, locale }: SearchContext): ReadonlyMap<string, string> {
  const storedEntry = catalog.entry(externalId);
  if (storedEntry === undefined) return new Map();
  const entry = localize(storedEntry, locale);
  const words = [...listOtherTexts(entry), entry.title].flatMap(listWords);
  return new Map(words.map((word) => [normalize(word), word.toLowerCase().replaceAll("i\u0307", "i")]));
}

/** Returns the texts of an entry in which words are corrected, except the title. Short texts follow long ones. */
function listOtherTexts(entry: Entry): readonly string[] {
  if (entry.kind === "article") return [extractText(entry.content), entry.author, ...entry.tags];
  if (entry.kind !== "product") return [];
  const options = new Set(entry.variants.flatMap((variant) => variant.options));
  return [extractText(entry.description), ...options, ...entry.tags, entry.productType, entry.vendor];
}
