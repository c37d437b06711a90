import { hasCompounds, splitCompound } from "./analysis/compounds.ts";
import { listHangulCompletions } from "./analysis/hangul-keys.ts";
import { listForms, listWordForms } from "./analysis/inflections.ts";
import { languageOf } from "./analysis/languages/registry.ts";
import { listWordBreaks, minInflectedSplitLetters } from "./analysis/shingles.ts";
import { listSpellings, replaceDigraphs } from "./analysis/spellings.ts";
import { bodyFieldBit, fieldMaskOf, maxPosition, packPayload, positionOf } from "./index/postings.ts";
import { findMinPrefixLength } from "./query/negations.ts";
import { endsInDigit, findShingles, type QueryWord } from "./query/parse.ts";
import {
  computeRarity,
  type MatchKind,
  matchBoosts,
  misspellingRatio,
  rarityScale,
  singleWordRarity,
} from "./scoring/score.ts";
import type { ParsedDocument } from "./slow-document.fixture.ts";
import { isBodyMatch, listTypoKinds } from "./slow-edits.fixture.ts";
import { computeBodyScore, computeMatchPoints, type WordMatch, type WordRoles } from "./slow-score.fixture.ts";

// Reference implementation of the match between a query's word and a document, for tests.

/** Returns whether longer terms match a word. For a number, they match only while the number is typed. */
function isOpenEnded({ text, isPrefix, isGram }: QueryWord, needsCompleteWords: boolean): boolean {
  return isPrefix || (!needsCompleteWords && !isGram && !endsInDigit(text));
}

function canBePrefixOf(word: QueryWord, term: string, needsCompleteWords: boolean): boolean {
  if (!term.startsWith(word.text) || word.isGram || needsCompleteWords)
    return term.startsWith(word.text) && word.isPrefix;
  return isOpenEnded(word, needsCompleteWords) || term.charAt(word.text.length) > "9";
}

/** Results of `createMatchFinder` by their arguments, because they are the same for all documents. */
const matchFinders = new WeakMap<WordMatchInput, ((term: string) => MatchKind[])[]>();

/** Creates a function that returns the kinds of matches between a word of the query and a term. */
function createMatchFinder(input: WordMatchInput, edits: number): (term: string) => MatchKind[] {
  const finders = matchFinders.get(input) ?? [];
  matchFinders.set(input, finders);
  if (finders[edits] !== undefined) return finders[edits];
  const { words, index, needsCompleteWords, locale, isNegated } = input;
  const word = words[index] as QueryWord;
  const otherSpellings = listSpellings(word, locale).map((text) => ({ ...word, text }));
  const wordForms = new Set([
    ...listForms(word, locale),
    ...otherSpellings.flatMap((spellingWord) => [spellingWord.text, ...listForms(spellingWord, locale)]),
  ]);
  const absenceTerms = [word.text, ...listForms(word, locale)].flatMap(
    (form) => languageOf(locale)?.absences?.map((ending) => form + ending) ?? [],
  );
  const matchesShingle = (lastWord: QueryWord, term: string, text: string) =>
    isOpenEnded(lastWord, needsCompleteWords) ? term.startsWith(text) : term === text;
  const wordShingles = findShingles(words, locale).filter((shingle) => shingle.words.includes(index));
  finders[edits] = (term) => {
    const kinds: MatchKind[] = [];
    const isLiteralWord = term === word.text && word.isQuantityPart === true;
    if (term === word.text) kinds.push(isLiteralWord ? "literal" : "exact");
    if (wordForms.has(term)) kinds.push("form");
    if (isNegated && absenceTerms.some((absenceTerm) => term.startsWith(absenceTerm))) kinds.push("form");
    if (
      !isLiteralWord &&
      !(isNegated && word.text.length < findMinPrefixLength(word, locale)) &&
      [word, ...otherSpellings].some((spellingWord) => canBePrefixOf(spellingWord, term, needsCompleteWords))
    )
      kinds.push("prefix");
    if (word.isGram && word.isPrefix)
      for (const { from, to } of listHangulCompletions(word.text)) if (from <= term && term < to) kinds.push("prefix");
    for (const { text, words: shingleWords, isQuantity } of wordShingles)
      if (isQuantity && term === text) kinds.push(/^@[^*]*$/.test(text) ? "size" : "quantity");
      else if (!isQuantity && matchesShingle(words[shingleWords.at(-1) ?? 0] as QueryWord, term, text))
        kinds.push(shingleWords.every((shingleWord) => words[shingleWord]?.isQuantityPart) ? "quantity" : "joined");
    kinds.push(...listTypoKinds(term, word.text, locale, edits));
    return kinds;
  };
  return finders[edits];
}

/**
 * Returns the best match of a query's word in a document, or undefined.
 * @param fieldMask searched fields (bit n: field n)
 * @param rarity rarity of the word; optional if score points do not matter
 */
export function findWordMatch(
  document: ParsedDocument,
  strictness: WordMatchInput,
  fieldMask: number,
  rarity = rarityScale,
  roles: WordRoles = {},
): WordMatch | undefined {
  const { primary, body } = document;
  const word = strictness.words[strictness.index] as QueryWord;
  const getMatchKinds = createMatchFinder(strictness, strictness.edits);
  const matches: WordMatch[] = [];
  const addMatch = (kind: MatchKind, value: number) => {
    const points = computeMatchPoints(kind, rarity, value, document, fieldMask, roles);
    matches.push({ points, position: positionOf(value) });
  };
  for (const [term, value] of primary) for (const kind of getMatchKinds(term)) addMatch(kind, value);
  for (const value of findSplits(primary, word, isOpenEnded(word, strictness.needsCompleteWords), strictness.locale))
    addMatch("split", value);
  for (const value of findLastParts(primary, strictness)) addMatch("parts", value);
  for (const value of findLongerWords(primary, strictness)) addMatch("within", value);
  const bestMatch = matches
    .filter((match) => match.points > 0)
    .sort((a, b) => b.points - a.points || a.position - b.position)[0];
  const roundScore = (wordScore: number) => Math.round(wordScore / 100);
  if (bestMatch !== undefined || strictness.isNegated)
    return bestMatch && { ...bestMatch, points: roundScore(bestMatch.points) };
  const bodyTerms = [...body, ...[...primary].flatMap(([term, value]) => ((value & bodyFieldBit) === 0 ? [] : [term]))];
  const bodyMatchKinds = bodyTerms.flatMap((term) =>
    getMatchKinds(term).filter((kind) => isBodyMatch(kind, term, word)),
  );
  const boost = Math.max(0, ...bodyMatchKinds.map((kind) => matchBoosts[kind]));
  const points = roundScore(boost * computeBodyScore(rarity, fieldMask));
  return points > 0 ? { points, position: -1 } : undefined;
}

/**
 * Returns the rarity of each word of the query. It depends on the number of documents that contain the word, one of its
 * inflected forms, or a quantity such as "5kg" for "5". If there are none, all other matches count.
 */
export function computeRarities(
  allWords: readonly ParsedDocument[],
  strictnesses: readonly WordMatchInput[],
  allowsMissingWords = false,
): number[] {
  if (strictnesses.length === 1) return [singleWordRarity];
  return strictnesses.map((strictness) => {
    const getMatchKinds = createMatchFinder(strictness, 0);
    const kinds = allWords.flatMap(({ primary, body }) => [...primary.keys(), ...body].flatMap(getMatchKinds));
    const exactCount = kinds.filter((kind) => ["exact", "form", "quantity", "size", "literal"].includes(kind)).length;
    const matchCount = allWords.reduce((sum, text) => sum + countPostings(text, strictness), 0);
    return computeRarity(exactCount > 0 ? exactCount : matchCount, allWords.length, allowsMissingWords);
  });
}

/**
 * Returns the positions where a document contains a word as two or three words: "deck shoes" for "deckshoes", "iphone
 * 13 pro" for "iphone13pro".
 */
function findSplits(
  primaryTerms: ParsedDocument["primary"],
  { text, isGram, isJoinedGram }: QueryWord,
  isOpenEndedWord: boolean,
  locale: string,
): number[] {
  const isPrefix = isOpenEndedWord || isGram;
  const gramBreaks = isJoinedGram ? [Array.from(text) as [string, string]] : [];
  const spellings = new Set([text, replaceDigraphs(text, locale)]);
  const wordBreaks = () => [...spellings].flatMap((spelling) => listWordBreaks(spelling, isPrefix));
  return (isGram ? gramBreaks : wordBreaks()).flatMap(([firstPart, ...otherParts]) => {
    const firstPayload = primaryTerms.get(firstPart);
    if (firstPayload === undefined) return [];
    const findBits = (parts: readonly string[], hasPrefixPart: boolean): number[] => {
      const partBits = parts.map((part, index) => {
        const isPrefixPart = hasPrefixPart && index === parts.length - 1;
        return [...primaryTerms]
          .filter(([term]) => (isPrefixPart ? term.startsWith(part) : term === part))
          .filter(([, value]) => positionOf(value) === positionOf(firstPayload) + 1 + index)
          .reduce((bits, [, value]) => bits | fieldMaskOf(value), 0);
      });
      const bits = partBits.reduce((commonMask, otherBits) => commonMask & otherBits, fieldMaskOf(firstPayload));
      return bits === 0 ? [] : [packPayload(bits, positionOf(firstPayload))];
    };
    const hasForms = otherParts.length === 1 && text.length >= minInflectedSplitLetters;
    const lastForms = hasForms ? listForms({ text: otherParts[0] as string, isGram }, locale) : [];
    return [...findBits(otherParts, isPrefix), ...lastForms.flatMap((form) => findBits([form], false))];
  });
}

/**
 * Returns the positions of a compound's last part in a document that contains the first part anywhere. There is one
 * position for each possible split.
 */
function findLastParts(
  primaryTerms: ParsedDocument["primary"],
  { words, index, needsCompleteWords, locale }: WordMatchInput,
): number[] {
  const { text, isGram, isPrefix } = words[index] as QueryWord;
  if (isGram) return [];
  return splitCompound(text, locale).flatMap(({ firstPartForms: firstForms, lastPart }) => {
    if (!firstForms.some((partForm) => primaryTerms.has(partForm))) return [];
    const isPrefixPart = lastPart.length > 3 && isOpenEnded({ text, isGram, isPrefix, chunk: 0 }, needsCompleteWords);
    const lastPartForms = new Set([lastPart, ...listForms({ text: lastPart, isGram: false }, locale)]);
    return findFirstPosition(
      [...primaryTerms].filter(([term]) => (isPrefixPart && term.startsWith(lastPart)) || lastPartForms.has(term)),
    );
  });
}

/**
 * Returns a list with at most one payload: the fields of a longer word that ends with the query's word or contains it.
 * The list is empty if any document contains the query's word itself, unless `matchesCompoundEnds` is set.
 */
function findLongerWords(
  primaryTerms: ParsedDocument["primary"],
  { words, index, needsCompleteWords, locale, knownTerms, matchesCompoundEnds = false }: WordMatchInput,
): number[] {
  const word = words[index] as QueryWord;
  const { text, isGram } = word;
  if (isGram || text.length < 4 || !hasCompounds(locale)) return [];
  const spellings = [word, ...listSpellings(word, locale).map((spelling) => ({ ...word, text: spelling }))];
  const isKnown = spellings.some(({ text }) => listWordForms(text, locale).some((form) => knownTerms.has(form)));
  if (isKnown && !matchesCompoundEnds) return [];
  const inflectedForms = listWordForms(replaceDigraphs(text, locale), locale);
  const isPrefixWord = isOpenEnded(word, needsCompleteWords);
  const hasPrefixMatch = [...knownTerms].some((term) =>
    spellings.some((spelling) => canBePrefixOf(spelling, term, needsCompleteWords)),
  );
  const matchesAnywhere = isPrefixWord && !isKnown && !hasPrefixMatch;
  const longWordForms = inflectedForms.filter((form) => form.length >= 4);
  const containingTerms = [...primaryTerms].filter(([term]) =>
    longWordForms.some((form) => {
      const matchEnds = matchesAnywhere ? Array.from(term, (_, index) => index + 1) : [term.length];
      return matchEnds.some((end) => {
        const prefix = term.slice(0, Math.max(0, end - form.length));
        return term.slice(0, end).endsWith(form) && prefix.length >= 3 && /[aeiouy]/.test(prefix);
      });
    }),
  );
  return findFirstPosition(
    containingTerms.map(([term, value]) => [term, packPayload(fieldMaskOf(value), maxPosition)]),
  );
}

/** Returns the payload with the first position. For equal positions, returns the payload with more fields. */
function findFirstPosition(termPayloads: readonly (readonly [string, number])[]): number[] {
  return termPayloads
    .map(([, value]) => packPayload(fieldMaskOf(value), positionOf(value)))
    .sort((a, b) => positionOf(a) - positionOf(b) || b - a)
    .slice(0, 1);
}

/** How strictly one word of a query must match, and the known terms of all documents. */
export interface WordMatchInput {
  readonly locale: string;
  readonly knownTerms: ReadonlySet<string>;
  readonly words: readonly QueryWord[];
  readonly index: number;
  readonly needsCompleteWords: boolean;
  readonly edits: number;
  /** Whether the word is negated. It then matches terms such as "zuckerfrei", and does not match in the body. */
  readonly isNegated?: boolean;
  /** Whether longer words that end with the word match, even if documents contain the word itself. Default: false. */
  readonly matchesCompoundEnds?: boolean;
}

/**
 * Returns the number of a document's postings that match a word. A term that matches with and without edits counts
 * twice.
 */
export function countPostings({ primary, body }: ParsedDocument, strictness: WordMatchInput): number {
  const word = strictness.words[strictness.index] as QueryWord;
  const listExactMatchKinds = createMatchFinder(strictness, 0);
  const listMatchKinds = createMatchFinder(strictness, strictness.edits);
  const countMatches = (terms: Iterable<string>, isCounted: (kind: MatchKind, term: string) => boolean): number =>
    [...terms].reduce((sum, term) => {
      const countKinds = (kinds: readonly MatchKind[]) => kinds.filter((kind) => isCounted(kind, term)).length;
      const exactMatchCount = countKinds(listExactMatchKinds(term));
      return sum + Math.min(1, exactMatchCount) + countKinds(listMatchKinds(term)) - exactMatchCount;
    }, 0);
  const bodyCount = countMatches(body, (kind, term) => isBodyMatch(kind, term, word));
  const terms = countMatches(primary.keys(), () => true) + bodyCount;
  const shingleWords = [
    findSplits(primary, word, isOpenEnded(word, strictness.needsCompleteWords), strictness.locale),
    findLastParts(primary, strictness),
    findLongerWords(primary, strictness),
  ];
  return terms + shingleWords.flat().length;
}

/** Returns the number of terms in a document's primary fields that match a word. */
export function countTerms({ primary }: ParsedDocument, strictness: WordMatchInput): number {
  const getMatchKinds = createMatchFinder(strictness, strictness.edits);
  return [...primary.keys()].filter((term) => getMatchKinds(term).length > 0).length;
}

/**
 * Returns whether a long word is probably misspelled: similar words are in primary fields at least fifty times as
 * often.
 */
export function isMisspellingCandidate(
  allWords: readonly ParsedDocument[],
  typedStrictness: WordMatchInput,
  edits: number,
): boolean {
  const text = typedStrictness.words[typedStrictness.index]?.text ?? "";
  const listFuzzyKinds = createMatchFinder(typedStrictness, edits);
  if (text.length < 8 || edits === 0) return false;
  const postingCount = allWords.reduce((sum, words) => sum + countPostings(words, { ...typedStrictness, edits: 0 }), 0);
  const isFullWordTypo = (kind: MatchKind) => kind === "typo" || kind === "twoTypos";
  const misspellingCount = allWords.flatMap(({ primary }) =>
    [...primary.keys()].flatMap(listFuzzyKinds).filter(isFullWordTypo),
  ).length;
  return postingCount > 0 && postingCount <= Math.min(misspellingCount, allWords.length) * misspellingRatio;
}
