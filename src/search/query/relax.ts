import { findFuzzyMatches } from "../fuzzy/find-fuzzy-matches.ts";
import { allowedEdits } from "../fuzzy/levenshtein-automaton.ts";
import { suspectsOf } from "../fuzzy/suspects.ts";
import type { LeafReader } from "../index/leaf.ts";
import { inverseDocumentFrequency } from "../scoring/score.ts";
import type { SearchContext } from "../search-context.ts";
import type { Query } from "../search-index.ts";
import { Expander } from "./expand.ts";
import { parseQuery } from "./parse.ts";
import type { Relaxation, RelaxationStep } from "./relaxation-step.ts";
import type { Synonyms } from "./synonyms.ts";
import { costOf, type TermQuery } from "./term-query.ts";

/** Words of a query from which it is not searched with every word misspelt: of so many words some are always near some other words. */
const maxWordsAllFuzzy = 8;
/** Words from which no document holds all words of most queries. */
const longQuery = 3;

/** The relaxation steps of a query, from strict to free: as typed, with all words as prefixes, with unknown words misspelt, and with all
 *  words misspelt.
 *  @param finds whether a step finds any document, or whether a document that counts holds one of its words
 *  @returns the step of which not all words need match where no step finds anything; none where the query has one word */
export function* relaxationSteps(
  context: SearchContext,
  query: Query,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
  finds: (step: RelaxationStep, word?: number) => boolean,
): Generator<RelaxationStep, RelaxationStep | undefined> {
  const words = parseQuery(query.text);
  if (words.length === 0) return undefined;
  const none = words.map(() => 0);
  const everywhere = context.points.of(query.fields);
  const expanders = readers.map(({ leaf }) => new Expander(context, leaf, words, synonyms));
  const compile = (relaxation: Relaxation, counted = everywhere): RelaxationStep => ({
    context,
    query,
    words,
    counted,
    readers,
    termQueries: expanders.map((expander) => expander.expand(relaxation)),
  });
  /** By word: finds out how many edits it may have. */
  const most = words.map(
    ({ text, isGram }) =>
      () =>
        query.typos && !isGram ? editsOf(context, text, readers) : 0,
  );
  let known: RelaxationStep | undefined;
  const whole = (): RelaxationStep => {
    known ??= compile({ wholeWords: true, edits: none });
    return known;
  };
  const isFinished = words.some((word) => !word.isPrefix && !word.isGram);
  const typed = isFinished ? compile({ wholeWords: false, edits: none }) : whole();
  const suspects = query.typos ? suspectsOf(typed, whole, (word) => most[word]?.() ?? 0) : { strict: none, free: none };
  const withSuspects = (step: RelaxationStep, wholeWords: boolean, edits: readonly number[]) =>
    edits.some((count) => count > 0) ? compile({ wholeWords, edits }) : step;
  let last = withSuspects(typed, false, suspects.free);
  if (isFinished) {
    // Most long queries find nothing: what words as prefixes do not find, whole words need not be asked for.
    if (words.length < longQuery || finds(last)) {
      yield withSuspects(whole(), true, suspects.strict);
      yield last;
    }
  } else yield last;
  const edits = most.map((editsOfWord) => editsOfWord());
  const fuzzy = edits.map((allowed, word) =>
    allowed > 0 && !finds(typed, word) ? allowed : (suspects.free[word] as number),
  );
  if (fuzzy.some((allowed, word) => allowed > (suspects.free[word] as number))) {
    last = compile({ wholeWords: false, edits: fuzzy });
    yield last;
  }
  if (words.length === 1) return undefined;
  if (words.length <= maxWordsAllFuzzy && edits.some((allowed, word) => allowed > (fuzzy[word] as number)))
    yield compile({ wholeWords: false, edits }, context.points.ofNaming(query.fields));
  return last;
}

/** The query with each word as it was typed and whole; undefined where it has none. */
export function exactStep(
  context: SearchContext,
  query: Query,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
): RelaxationStep | undefined {
  const words = parseQuery(query.text).map((word) => ({ ...word, isPrefix: false }));
  if (words.length === 0) return undefined;
  const relaxation = { wholeWords: true, edits: words.map(() => 0) };
  const termQueries = readers.map(({ leaf }) => new Expander(context, leaf, words, synonyms).expand(relaxation));
  return { context, query, words, counted: context.points.of(query.fields), readers, termQueries };
}

/** How many edits a word may have: two only where one makes no term of it. */
function editsOf(context: SearchContext, text: string, readers: readonly LeafReader[]): number {
  const most = allowedEdits(text);
  return most > 1 && readers.some(({ leaf }) => findFuzzyMatches(context, leaf, text, 1).lows.length > 0) ? 1 : most;
}

/** By word: the points for holding it where not all words need match. */
export function idfsOf({ words, readers, termQueries }: RelaxationStep): number[] {
  const documents = readers.reduce((sum, { leaf }) => sum + leaf.documents.externalIds.length, 0);
  return words.map((_, word) => {
    const cost = readers.reduce((sum, _, index) => sum + costOf(termQueries[index]?.[word] as TermQuery, true), 0);
    return inverseDocumentFrequency(cost, documents);
  });
}
