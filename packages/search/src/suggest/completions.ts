import { truncateQuery } from "../analysis/chunks.ts";
import { areWordForms, listForms } from "../analysis/inflections.ts";
import { isNegation } from "../analysis/particles.ts";
import { listSpellings } from "../analysis/spellings.ts";
import { docIdOf, isDeleted, type LeafReader } from "../index/leaf.ts";
import { containsTerm } from "../index/postings.ts";
import { WordExpander } from "../query/expand.ts";
import { maxWords } from "../query/parse.ts";
import { computeRarities } from "../query/query-boosts.ts";
import type { RelaxationStep } from "../query/relaxation-step.ts";
import type { Synonyms } from "../query/synonyms.ts";
import type { SearchContext } from "../search-context.ts";
import type { CompletionRestriction, Query } from "../search-index.ts";
import { findPrefix, findText } from "../terms/dictionary.ts";
import { completePhrases } from "./complete-phrases.ts";
import type { CompletionSources } from "./completion-sources.ts";
import { SpellingCorrector } from "./corrections.ts";
import { MatchCache } from "./match-cache.ts";
import { maxWeightPerDocument } from "./phrase-counter.ts";
import { spellWords } from "./phrase-lookup.ts";
import { PhraseSet } from "./phrase-set.ts";
import { type Phrases, parseTypedText, type TypedText } from "./phrases.ts";
import { takeBodySample, takePrimarySample } from "./text-sample.ts";

export interface CompletionQuery {
  /** The text as typed. */
  readonly text: string;
  readonly locale: string;
  readonly limit: number;
  readonly restriction: CompletionRestriction;
}

/** Data for the completions in one language of an index, with caches. */
export class CompletionSource {
  /** Readers of the segments in which at least one document is not deleted. */
  readonly readers: readonly LeafReader[];
  readonly synonyms: Synonyms;
  readonly popularPhrases: PhraseSet;
  readonly catalogPhrases: readonly PhraseSet[];
  readonly matchCache: MatchCache;
  readonly spellingCorrector: SpellingCorrector;

  /** @param popularPhrases popular queries of the language */
  constructor(readers: readonly LeafReader[], synonyms: Synonyms, popularPhrases: Phrases) {
    this.readers = readers.filter(({ leaf, deletedCount }) => deletedCount < leaf.documents.externalIds.length);
    this.synonyms = synonyms;
    this.popularPhrases = new PhraseSet(popularPhrases, { maxUncertainWeight: Number.POSITIVE_INFINITY });
    // A phrase is certainly in a document that is not deleted if its weight exceeds the total weight that the deleted
    // documents can add: at most `maxWeightPerDocument` each.
    this.catalogPhrases = this.readers.map((reader) => {
      const maxUncertainWeight = reader.deletedCount * maxWeightPerDocument;
      return new PhraseSet(reader.leaf.phrases, {
        maxUncertainWeight,
        hasNoDeletedMatch: (key) => hasNoDeletedMatch(reader, key),
      });
    });
    this.matchCache = new MatchCache(this.readers, synonyms);
    this.spellingCorrector = new SpellingCorrector([this.popularPhrases, ...this.catalogPhrases]);
  }
}

/**
 * Returns phrases that complete a typed text, best first: popular queries, then phrases of the documents. If no phrase
 * starts with the entire text, its last words are completed. If the text has no completions and no results, its words
 * are corrected.
 * @returns at most `limit` texts in lower case, without `<>"`; each has a result
 */
export function suggestTexts(
  context: SearchContext,
  { text, locale, limit, restriction }: CompletionQuery,
  source: CompletionSource,
): string[] {
  const typedText = parseTypedText(truncateQuery(text));
  if (typedText === undefined || limit <= 0) return [];
  const { readers, synonyms, popularPhrases, catalogPhrases, matchCache, spellingCorrector } = source;
  const isWord = (word: string, isPrefix: boolean): boolean =>
    readers.some(({ leaf: { terms } }) => {
      if (!isPrefix) return findText(terms, word) >= 0;
      const { low, high } = findPrefix(terms, word);
      return low < high;
    });
  const parsedText = respell(typedText, source, isWord, (word) => listSpellings({ text: word, isGram: false }, locale));
  const createQuery = (candidateText: string): Query => {
    const hiddenIds = restriction.hidden?.(candidateText);
    const acceptsHit: Query["accept"] = (externalId, type, isAvailable) =>
      hiddenIds?.has(externalId) !== true && restriction.accept?.(externalId, type, isAvailable) !== false;
    return { text: candidateText, locale, limits: new Map(), typos: false, unavailable: "show", accept: acceptsHit };
  };
  const compileCandidate = (candidateText: TypedText) =>
    compileExactWords(context, createQuery(candidateText.key), candidateText.words, readers, synonyms);
  const sources: CompletionSources = {
    automaton: context.automaton,
    popularPhrases,
    catalogPhrases,
    spellingCorrector,
    sample: (candidateText) => takePrimarySample(compileCandidate(candidateText)),
    sampleWithBodies: (candidateText) => takeBodySample(compileCandidate(candidateText)),
    hasMatch: (candidateText, isComplete) => matchCache.hasMatch(context, createQuery(candidateText), isComplete),
    isKnownWithoutMatch: (candidateText) => matchCache.isKnownUnmatched(candidateText),
    mayBeHidden: (candidateText, key) => {
      const externalIds = restriction.hidden?.(candidateText);
      if (externalIds === undefined || externalIds.size === 0) return false;
      return readers.some((reader) => mayContainPhrase(reader, externalIds, key));
    },
    isWord,
    areInflections: (word, otherWord) => areWordForms(word, otherWord, locale),
  };
  const isFullWord = /\s$/u.test(text);
  let completions = completePhrases(parsedText, isFullWord, limit, sources);
  // The typed text is the only completion if no document contains its words in this form: "lamps" for "lamp".
  if (completions.length === 1) {
    const inflectedText = respell(parsedText, source, isWord, (word) =>
      listForms({ text: word, isGram: false }, locale),
    );
    if (inflectedText !== parsedText) completions = completePhrases(inflectedText, isFullWord, limit, sources);
  }
  // A document with the words of "biscuits without sugar" may be one with sugar and without milk.
  return parsedText.words.some((word) => isNegation(word, locale))
    ? completions.filter((completion) => matchCache.hasMatch(context, createQuery(completion), true))
    : completions;
}

/**
 * Replaces the words of a text that no document contains by another spelling that documents contain: "oel" by "öl".
 * @param listOthers returns the other spellings of a word
 */
function respell(
  text: TypedText,
  { popularPhrases, catalogPhrases }: CompletionSource,
  isWord: (word: string, isPrefix: boolean) => boolean,
  listOthers: (word: string) => readonly string[],
): TypedText {
  let newWords: string[] | undefined;
  for (let index = 0; index < text.words.length; index += 1) {
    const word = text.words[index] as string;
    const others = listOthers(word);
    const isLastWord = index === text.words.length - 1;
    if (others.length === 0 || isWord(word, isLastWord)) continue;
    const knownWord = others.find((other) => isWord(other, false)) ?? others.find((other) => isWord(other, isLastWord));
    if (knownWord !== undefined) newWords = (newWords ?? [...text.words]).with(index, knownWord);
  }
  if (newWords === undefined) return text;
  return parseTypedText(spellWords([popularPhrases, ...catalogPhrases], newWords)) ?? text;
}

/**
 * Creates the search attempt (relaxation step) that matches the exact words of a text, without joining and splitting
 * words. The last word is a prefix.
 */
function compileExactWords(
  context: SearchContext,
  query: Query,
  texts: readonly string[],
  readers: readonly LeafReader[],
  synonyms: Synonyms,
): RelaxationStep {
  const words = texts.slice(0, maxWords).map((text, chunk) => ({
    text,
    chunk,
    isGram: false,
    isPrefix: chunk === texts.length - 1,
  }));
  const termQueries = readers.map(({ leaf }) =>
    words.flatMap((word) =>
      new WordExpander(context, leaf, [word], synonyms).expand({ needsCompleteWords: true, edits: [0] }),
    ),
  );
  const rarities = computeRarities(readers, termQueries);
  return {
    context,
    query,
    tier: "typed",
    words,
    fieldScores: context.points.getScoresForFields(),
    readers,
    termQueries,
    rarities,
  };
}

/** Maximum number of documents that are tested individually for a phrase. */
const maxTestedDocuments = 64;

/** Returns true if it is known that no deleted document contains all words of a phrase. */
function hasNoDeletedMatch({ leaf, fewDeletedDocIds }: LeafReader, key: string): boolean {
  return fewDeletedDocIds !== undefined && isInNoDocument(leaf, fewDeletedDocIds, key);
}

/** Returns whether one of the documents may contain all words of a phrase. */
function mayContainPhrase({ leaf, deleted }: LeafReader, externalIds: ReadonlySet<number>, key: string): boolean {
  if (externalIds.size > maxTestedDocuments) return true;
  const docIds = Array.from(externalIds, (externalId) => docIdOf(leaf.documents, externalId));
  const currentDocIds = docIds.filter((docId) => docId >= 0 && !isDeleted(deleted, docId));
  return currentDocIds.length > 0 && !isInNoDocument(leaf, currentDocIds, key);
}

/** Returns true if it is known that no document of a list contains all words of a phrase. */
function isInNoDocument(leaf: LeafReader["leaf"], docIds: readonly number[], key: string): boolean {
  const terms = key.split(" ").map((word) => findText(leaf.terms, word));
  if (terms.includes(-1)) return false;
  return !docIds.some((docId) => terms.every((term) => containsTerm(leaf.primary.forward, docId, term)));
}
