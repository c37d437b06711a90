import { isDigit, truncateQuery } from "../analysis/chunks.ts";
import { hasCompounds } from "../analysis/compounds.ts";
import { listWordForms } from "../analysis/inflections.ts";
import { languageOf } from "../analysis/languages/registry.ts";
import { isFunctionWord, isNegation } from "../analysis/particles.ts";
import type { Tokenizer } from "../analysis/tokenizer.ts";
import { countAllowedEdits } from "../fuzzy/allowed-edits.ts";
import { findFuzzyMatches } from "../fuzzy/find-fuzzy-matches.ts";
import { getRangeMatchKind, packFuzzyMatches } from "../fuzzy/fuzzy-matches.ts";
import type { Leaf, LeafReader } from "../index/leaf.ts";
import { fieldMaskOf, lowerBound, maxPosition, positionOf, repeatedFieldMask } from "../index/postings.ts";
import { locateDocument } from "../scoring/compare-words.ts";
import type { SearchContext } from "../search-context.ts";
import type { Query } from "../search-index.ts";
import { findPrefix, findText, getText, type Range } from "../terms/dictionary.ts";
import { createExpandedTerm, createTermQuery } from "./compile-word.ts";
import type { QueryWord } from "./parse.ts";
import type { TermQuery } from "./term-query.ts";

/** Roles of a query's words in negations such as "without sugar". */
export interface Negations {
  /** Whether each word is "without" or a similar word. */
  readonly isNegating: readonly boolean[];
  /** Whether each word is negated, so that results must not contain it. */
  readonly isNegated: readonly boolean[];
}

/** Finds the negations of a query. Returns undefined if there are none. */
export function findNegations(
  tokenizer: Tokenizer,
  { text, locale }: Query,
  words: readonly QueryWord[],
): Negations | undefined {
  if (words.length < 2 || !words.some((word) => isNegation(word.text, locale))) return undefined;
  // The words of the query are distinct, so in "no sugar, no milk", only the text contains both negations.
  const tokens = tokenizer.listTokens(truncateQuery(text), true);
  const negating = new Set<string>();
  const negated = new Set<string>();
  tokens.forEach((token, index) => {
    if (!isNegation(token.text, locale)) return;
    const next = tokens.slice(index + 1).find((other) => !isFunctionWord(other.text, locale));
    if (next === undefined || next.isGram || isDigit(next.text.charCodeAt(0))) return;
    negating.add(token.text);
    negated.add(next.text);
  });
  if (negated.size === 0) return undefined;
  return {
    isNegating: words.map((word) => negating.has(word.text)),
    isNegated: words.map(({ text: part, compound }) => negated.has(compound ?? part)),
  };
}

/**
 * Returns the matches of a negated word in documents that lack it. They include terms such as "silikonfrei" for
 * "silikone", but no longer words that do not stand for the word, and no matches in the body: in a description,
 * "silikone" does not state that there is none.
 */
export function compileNegatedWord(leaf: Leaf, word: QueryWord, termQuery: TermQuery): TermQuery {
  const { text } = word;
  const keepsPrefixes = text.length >= findMinPrefixLength(word, leaf.locale);
  const { absences = [] } = languageOf(leaf.locale) ?? {};
  const terms = listWordForms(text, leaf.locale).flatMap((form) => absences.map((ending) => form + ending));
  const ranges = terms.map((term) => findPrefix(leaf.terms, term)).filter(({ low, high }) => low < high);
  const knownRanges = termQuery.ranges.filter(({ kind }) => kind !== "prefix" || keepsPrefixes);
  const allRanges = [...knownRanges, ...ranges.map((range) => createExpandedTerm("form", range))];
  const compiledQuery = createTermQuery(leaf, "whole", allRanges, termQuery.phraseMatches, termQuery);
  return { ...compiledQuery, bodyRanges: [], bodyFuzzyMatches: packFuzzyMatches([], 0) };
}

/** Returns a query that accepts no document with a negated word, unless the document states that it lacks the word. */
export function rejectNegatedWords(
  context: SearchContext,
  query: Query,
  readers: readonly LeafReader[],
  words: readonly QueryWord[],
  negations: Negations | undefined,
): Query {
  if (negations === undefined) return query;
  const negatedWords = words.filter((_, index) => negations.isNegated[index]);
  const mayBeMisspelled = negatedWords.map(
    ({ text }) =>
      query.typos !== false &&
      countAllowedEdits(text) > 0 &&
      !readers.some(({ leaf }) => listWordForms(text, leaf.locale).some((form) => findText(leaf.terms, form) >= 0)),
  );
  const wordsByReader = readers.map(({ leaf }) =>
    negatedWords.map((word, index) => findNegatedWord(context, leaf, word, mayBeMisspelled[index] === true)),
  );
  const marksByReader = readers.map(({ leaf }) => findMarks(leaf));
  return {
    ...query,
    accept: (externalId, type, isAvailable) => {
      const location = locateDocument(readers, externalId);
      if (location !== undefined) {
        const { readerIndex, reader, docId } = location;
        const marks = marksByReader[readerIndex] as Marks;
        for (const word of wordsByReader[readerIndex] as readonly NegatedWord[])
          if (containsWord(reader.leaf, docId, word, marks)) return false;
      }
      return query.accept?.(externalId, type, isAvailable) !== false;
    },
  };
}

/** Terms of a leaf that state that a product contains a word, or that it lacks it. */
interface NegatedWord {
  /** The word and its forms. */
  readonly forms: readonly string[];
  /** Range of terms that start with each form. */
  readonly ranges: readonly Range[];
  /** Minimum number of letters of a form that stands for all longer terms, such as "milk" for "milkshake". */
  readonly minPrefixLength: number;
}

function findNegatedWord(context: SearchContext, leaf: Leaf, word: QueryWord, mayBeMisspelled: boolean): NegatedWord {
  const { text } = word;
  const forms = listWordForms(text, leaf.locale);
  const minPrefixLength = findMinPrefixLength(word, leaf.locale);
  if (mayBeMisspelled) {
    const matches = findFuzzyMatches(context, leaf, text, 1);
    matches.lows.forEach((low, range) => {
      if (getRangeMatchKind(matches, range) === "typo") forms.push(getText(leaf.terms, low));
    });
  }
  return { forms, ranges: forms.map((form) => findPrefix(leaf.terms, form)), minPrefixLength };
}

/** Returns the minimum number of letters of a negated word that stands for longer words, such as "milk" for "milkshake". */
export function findMinPrefixLength({ isPrefix }: QueryWord, locale: string): number {
  return hasCompounds(locale) || isPrefix ? minPrefixLetters : Number.POSITIVE_INFINITY;
}

/** Minimum number of letters of a word that stands for longer words. "Ei" does not stand for "Eis". */
const minPrefixLetters = 4;

/** Terms of a leaf that state that a product lacks something. */
interface Marks {
  /** Terms before it, such as "without". */
  readonly negations: ReadonlySet<number>;
  /** Terms before or after it, such as "free". */
  readonly absences: ReadonlySet<number>;
  /** Endings of terms, such as "frei" in "zuckerfrei". */
  readonly endings: readonly string[];
}

function findMarks({ terms, locale }: Leaf): Marks {
  const { negations = [], absences: endings = [] } = languageOf(locale) ?? {};
  const absences = new Set(endings.map((word) => findText(terms, word)));
  return { negations: new Set([...negations, "0"].map((word) => findText(terms, word))), absences, endings };
}

/** Returns whether a document contains a word and does not state that it lacks it. */
function containsWord(leaf: Leaf, docId: number, word: NegatedWord, marks: Marks): boolean {
  const { starts, terms, payloads } = leaf.primary.forward;
  const [from, end] = [starts[docId] as number, starts[docId + 1] as number];
  const positions: number[] = [];
  for (let index = 0; index < word.ranges.length; index += 1) {
    const { low, high } = word.ranges[index] as Range;
    const form = word.forms[index] as string;
    for (let entry = lowerBound(terms, from, end, low); entry < end && (terms[entry] as number) < high; entry += 1) {
      const rest = getText(leaf.terms, terms[entry] as number).slice(form.length);
      if (rest !== "" && marks.endings.some((ending) => rest.startsWith(ending))) return false;
      if (rest === "" || form.length >= word.minPrefixLength) positions.push(positionOf(payloads[entry] as number));
    }
  }
  return positions.length > 0 && positions.some((position) => !isMarked(leaf, docId, position, marks));
}

/** Returns whether a document states that it lacks the word at a position. */
function isMarked(leaf: Leaf, docId: number, position: number, { negations, absences }: Marks): boolean {
  const { starts, terms, payloads } = leaf.primary.forward;
  for (let entry = starts[docId] as number; entry < (starts[docId + 1] as number); entry += 1) {
    const isAbsence = absences.has(terms[entry] as number);
    if (!isAbsence && !negations.has(terms[entry] as number)) continue;
    const payload = payloads[entry] as number;
    const distance = position - positionOf(payload);
    if (distance < 0 && isAbsence && distance >= -maxMarkDistance) return true;
    // Only the first position of a repeated mark is known, and none of a word after the last known position.
    const isRepeated = (fieldMaskOf(payload) & repeatedFieldMask) === repeatedFieldMask;
    if (distance > 0 && (distance <= maxMarkDistance || isRepeated || position === maxPosition)) return true;
  }
  return false;
}

/** Maximum distance of "without" and what a product lacks, as in "without added sugar". */
const maxMarkDistance = 2;
