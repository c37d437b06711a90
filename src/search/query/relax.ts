import { costOf } from "../docset/filter-cache.ts";
import { findFuzzyMatches } from "../fuzzy/fuzzy-matches.ts";
import { allowedEdits } from "../fuzzy/levenshtein-automaton.ts";
import { suspectsOf } from "../fuzzy/suspects.ts";
import type { LeafReader } from "../index/leaf.ts";
import { type FieldPoints, fieldPoints, inverseDocumentFrequency, namingPoints } from "../scoring/score.ts";
import type { Query } from "../search-index.ts";
import { expand, type Relaxation, type TermQuery } from "./expand.ts";
import { parseQuery, type QueryWord } from "./parse.ts";
import type { Synonyms } from "./synonyms.ts";

/** A query read in some kind, over all leaves it is asked of. */
export interface RelaxationStep {
  readonly query: Query;
  readonly words: readonly QueryWord[];
  readonly counted: FieldPoints;
  readonly readers: readonly LeafReader[];
  /** By reader, by word. */
  readonly termQueries: readonly (readonly TermQuery[])[];
  /** Set where words may be dropped. */
  readonly minimumShouldMatch?: MinimumShouldMatch;
}

/** How words are dropped: what holds most of them is found. */
export interface MinimumShouldMatch {
  /** By word: points for having it. */
  readonly idfs: readonly number[];
  /** How many words a document must hold. */
  readonly count: number;
  /** Words count in descriptions too. */
  readonly withBody: boolean;
}

/** Longer queries are not read with every word misspelt: some word can always be fuzzy until something fits. */
const maxWordsAllFuzzy = 8;
/** Words of a query that rarely finds a document that holds all of them. */
const longQuery = 3;

/** The relaxations of a query, from strict to free: as typed, with all words as beginnings, with unknown words misspelt, and with all
 *  words misspelt.
 *  @param finds whether a relaxation finds anything, or one of its words alone a document that counts
 *  @returns the relaxation of which words may be dropped where none is answered; none where there is but one word */
export function* relaxationSteps(
  query: Query,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
  finds: (step: RelaxationStep, word?: number) => boolean,
): Generator<RelaxationStep, RelaxationStep | undefined> {
  const words = parseQuery(query.text);
  if (words.length === 0) return undefined;
  const none = words.map(() => 0);
  const everywhere = fieldPoints(query.fields);
  const read = (relaxation: Relaxation, counted = everywhere): RelaxationStep => ({
    query,
    words,
    counted,
    readers,
    termQueries: readers.map(({ leaf }) => expand(leaf, words, relaxation, synonyms)),
  });
  const most = words.map(
    ({ text, isGram }) =>
      () =>
        query.typos && !isGram ? editsOf(text, readers) : 0,
  );
  let known: RelaxationStep | undefined;
  const whole = (): RelaxationStep => {
    known ??= read({ wholeWords: true, edits: none });
    return known;
  };
  const isFinished = words.some((word) => !word.isPrefix && !word.isGram);
  const typed = isFinished ? read({ wholeWords: false, edits: none }) : whole();
  const suspects = query.typos ? suspectsOf(typed, whole, (word) => most[word]?.() ?? 0) : { strict: none, free: none };
  const doubted = (relaxation: RelaxationStep, wholeWords: boolean, edits: readonly number[]) =>
    edits.some((count) => count > 0) ? read({ wholeWords, edits }) : relaxation;
  let last = doubted(typed, false, suspects.free);
  if (isFinished) {
    // Long queries mostly find nothing: what is not found freely need not be looked for strictly.
    if (words.length < longQuery || finds(last)) {
      yield doubted(whole(), true, suspects.strict);
      yield last;
    }
  } else yield last;
  const edits = most.map((editsOfWord) => editsOfWord());
  const fuzzy = edits.map((allowed, word) =>
    allowed > 0 && !finds(typed, word) ? allowed : (suspects.free[word] as number),
  );
  if (fuzzy.some((allowed, word) => allowed > (suspects.free[word] as number))) {
    last = read({ wholeWords: false, edits: fuzzy });
    yield last;
  }
  if (words.length === 1) return undefined;
  if (words.length <= maxWordsAllFuzzy && edits.some((allowed, word) => allowed > (fuzzy[word] as number)))
    yield read({ wholeWords: false, edits }, namingPoints(query.fields));
  return last;
}

/** The query with each of its words as it was typed and whole; undefined where it has none. */
export function exactStep(
  query: Query,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
): RelaxationStep | undefined {
  const words = parseQuery(query.text).map((word) => ({ ...word, isPrefix: false }));
  if (words.length === 0) return undefined;
  const relaxation = { wholeWords: true, edits: words.map(() => 0) };
  const termQueries = readers.map(({ leaf }) => expand(leaf, words, relaxation, synonyms));
  return { query, words, counted: fieldPoints(query.fields), readers, termQueries };
}

/** How many edits a word is read with: two only where one makes no term of it. */
function editsOf(text: string, readers: readonly LeafReader[]): number {
  const most = allowedEdits(text);
  return most > 1 && readers.some(({ leaf }) => findFuzzyMatches(leaf, text, 1).lows.length > 0) ? 1 : most;
}

/** By word: the points for termScores it where words may be dropped, more for words that few documents hold. */
export function idfsOf({ words, readers, termQueries }: RelaxationStep): number[] {
  const documents = readers.reduce((sum, { leaf }) => sum + leaf.documents.externalIds.length, 0);
  return words.map((_, word) => {
    const size = readers.reduce((sum, _, index) => sum + costOf(termQueries[index]?.[word] as TermQuery, true), 0);
    return inverseDocumentFrequency(size, documents);
  });
}
