import type { ComparedWord, Hit, Query } from "@vitrine/search";
import { normalize } from "@vitrine/search";
import type { Entry } from "../catalog/catalog.ts";
import { extractText } from "../catalog/html-text.ts";
import { localize } from "../catalog/localize.ts";
import type { SearchContext } from "./search-context.ts";
import { findWordJoints, listWords, wordPattern } from "./words.ts";

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
  const isPartial = hasMissingWord(query.text, bestHit, context.locale);
  if (!isPartial && corrections.length === 0) return undefined;
  const unknownWords = bestHit.words.flatMap(({ word, match }) =>
    isPartial && match === "missing" && !context.index.findsExactly({ ...query, text: word }) ? word : [],
  );
  const areCorrectionsLikely = corrections.every((correction) => correction.isLikely);
  return {
    type: isPartial ? "partial" : areCorrectionsLikely ? "corrected" : "similar",
    terms: correctText(query.text, corrections, () => createSpellingFinder(bestHit, context)),
    missingTerms: listWords(query.text).filter((word) => unknownWords.includes(normalize(word))),
    hasExactResults: !isPartial && context.index.findsExactly(query),
  };
}

/** Returns whether a result lacks a word of a text, not only two adjacent letters of different words. */
function hasMissingWord(text: string, { missing, words = [] }: Hit, locale: string): boolean {
  if (missing === 0) return false;
  const missingWords = words.filter(({ match }) => match === "missing");
  if (!missingWords.every(({ word }) => unspacedPair.test(word))) return true;
  const joints = findWordJoints(text, locale).map(normalize);
  return !missingWords.every(({ word }) => joints.includes(word));
}

/** Two letters of a script without spaces, in which each pair of letters is searched like a word. */
const unspacedPair =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc\p{M}]{2}$/u;

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
 * @param createFinder creates a function that finds the shop's spelling of a word in lower case without accents
 */
function correctText(
  text: string,
  corrections: readonly ComparedWord[],
  createFinder: () => (term: string) => string | undefined,
): string {
  if (corrections.length === 0) return text;
  const findSpelling = createFinder();
  const terms = new Map(corrections.map(({ word, term = word }) => [word, term]));
  return text.replace(wordPattern, (word) => {
    const term = terms.get(normalize(word));
    return term === undefined ? word : (findSpelling(term) ?? findEnd(word, term) ?? term);
  });
}

/** Returns the end of a word that equals a term: "spülung" for "haarspülung" and the term "spulung". */
function findEnd(word: string, term: string): string | undefined {
  return Array.from(word, (_, start) => word.slice(start)).find((end) => normalize(end) === term);
}

/**
 * Returns a function that finds a word, given without accents, as a result spells it, in lower case. Words of the title
 * win. The long text is only read for words that the others lack, because it takes longer than all of them.
 */
function createSpellingFinder(
  { externalId }: Hit,
  { catalog, locale }: SearchContext,
): (term: string) => string | undefined {
  const storedEntry = catalog.entry(externalId);
  if (storedEntry === undefined) return () => undefined;
  const entry = localize(storedEntry, locale);
  const spellings = mapSpellings([...listShortTexts(entry), entry.title]);
  return (term) => spellings.get(term) ?? mapSpellings([extractText(readLongText(entry))]).get(term);
}

/** Returns the words of texts in lower case, keyed by the same word without accents. Words of later texts win. */
function mapSpellings(texts: readonly string[]): ReadonlyMap<string, string> {
  const words = texts.flatMap(listWords);
  return new Map(words.map((word) => [normalize(word), word.toLowerCase().replaceAll("i\u0307", "i")]));
}

/** Returns the short texts of an entry in which words are corrected, except the title. */
function listShortTexts(entry: Entry): readonly string[] {
  if (entry.kind === "article") return [entry.author, ...entry.tags];
  if (entry.kind !== "product") return [];
  const options = new Set(entry.variants.flatMap((variant) => variant.options));
  return [...options, ...entry.tags, entry.productType, entry.vendor];
}

/** Returns the HTML of an entry's long text in which words are corrected, or "". */
function readLongText(entry: Entry): string {
  if (entry.kind === "article") return entry.content;
  return entry.kind === "product" ? entry.description : "";
}
