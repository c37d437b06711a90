import { truncateQuery } from "../analysis/chunks.ts";
import { areForms } from "../analysis/inflections.ts";
import { docIdOf, isDeleted, type LeafReader } from "../index/leaf.ts";
import { firstNotBelow } from "../index/postings.ts";
import { Expander } from "../query/expand.ts";
import { maxWords } from "../query/parse.ts";
import { computeRarities } from "../query/query-boosts.ts";
import type { RelaxationStep } from "../query/relaxation-step.ts";
import type { Synonyms } from "../query/synonyms.ts";
import type { SearchContext } from "../search-context.ts";
import type { OnlyFinding, Query } from "../search-index.ts";
import { findText, prefixRange } from "../terms/dictionary.ts";
import { completePhrases } from "./complete-phrases.ts";
import { Spellings } from "./corrections.ts";
import { MatchCache } from "./match-cache.ts";
import { maxFromOneDocument } from "./phrase-counter.ts";
import { PhraseSet } from "./phrase-lookup.ts";
import { type Phrases, type TypedText, typedText } from "./phrases.ts";
import { sampleBodies, samplePrimary } from "./text-sample.ts";

export interface CompletionQuery {
  /** The string as typed. */
  readonly text: string;
  readonly locale: string;
  readonly limit: number;
  readonly only: OnlyFinding;
}

/** Sources of completions for one language of an index, with caches. */
export class CompletionSource {
  /** Readers with a document that is not deleted. */
  readonly readers: readonly LeafReader[];
  readonly synonyms: Synonyms;
  readonly popular: PhraseSet;
  readonly catalogue: readonly PhraseSet[];
  readonly findings: MatchCache;
  readonly spellings: Spellings;

  /** @param popular popular queries */
  constructor(readers: readonly LeafReader[], synonyms: Synonyms, popular: Phrases) {
    this.readers = readers.filter(({ leaf, deletedCount }) => deletedCount < leaf.documents.externalIds.length);
    this.synonyms = synonyms;
    this.popular = new PhraseSet(popular, { sureAbove: Number.POSITIVE_INFINITY });
    // A phrase is found in the documents that it comes from, unless each of them is deleted.
    this.catalogue = this.readers.map((reader) => {
      const sureAbove = reader.deletedCount * maxFromOneDocument;
      return new PhraseSet(reader.leaf.phrases, { sureAbove, isUntouched: (key) => isUntouched(reader, key) });
    });
    this.findings = new MatchCache(this.readers, synonyms);
    this.spellings = new Spellings([this.popular, ...this.catalogue]);
  }
}

/** Phrases that complete what was typed, best first: popular queries, then phrases of the documents. If no phrase begins with the whole text, its last
 *  words are completed. A text that has no completions and finds nothing is corrected as misspelled, in any of its words.
 *  @returns at most `limit`, in lower case, without `<>"`; each finds a document */
export function complete(
  context: SearchContext,
  { text, locale, limit, only }: CompletionQuery,
  source: CompletionSource,
): string[] {
  const typed = typedText(truncateQuery(text));
  if (typed === undefined || limit <= 0) return [];
  const { readers, synonyms, popular, catalogue, findings, spellings } = source;
  const queryOf = (shown: string): Query => {
    const hiddenIds = only.hidden?.(shown);
    const accept: Query["accept"] = (externalId, type, isAvailable) =>
      hiddenIds?.has(externalId) !== true && only.accept?.(externalId, type, isAvailable) !== false;
    return { text: shown, locale, limits: new Map(), typos: false, unavailable: "show", accept };
  };
  const stepOf = (shown: TypedText) => stepByWord(context, queryOf(shown.key), shown.words, readers, synonyms);
  return completePhrases(typed, /\s$/u.test(text), limit, {
    automaton: context.automaton,
    popular,
    catalogue,
    spellings,
    sample: (shown) => samplePrimary(stepOf(shown)),
    sampleBodies: (shown) => sampleBodies(stepOf(shown)),
    finds: (shown, isWhole) => findings.finds(context, queryOf(shown), isWhole),
    isLost: (shown) => findings.isKnownUnmatched(shown),
    mayBeHidden: (shown, key) => {
      const externalIds = only.hidden?.(shown);
      if (externalIds === undefined || externalIds.size === 0) return false;
      return readers.some((reader) => mayHold(reader, externalIds, key));
    },
    isWord: (word, isPrefix) =>
      readers.some(({ leaf: { terms } }) => {
        if (!isPrefix) return findText(terms, word) >= 0;
        const { low, high } = prefixRange(terms, word);
        return low < high;
      }),
    areForms: (one, other) => areForms(one, other, locale),
  });
}

/** Exact words of a text without joins and splits; the last is a prefix. */
function stepByWord(
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
      new Expander(context, leaf, [word], synonyms).expand({ needsCompleteWords: true, edits: [0] }),
    ),
  );
  const rarities = computeRarities(readers, termQueries);
  return {
    context,
    query,
    tier: "typed",
    words,
    fieldPoints: context.points.forFields(),
    readers,
    termQueries,
    rarities,
  };
}

/** Maximum documents that are tested individually for a phrase. */
const maxLookedUp = 64;

/** Returns whether no deleted document contains all words of a phrase; false if unknown. */
function isUntouched({ leaf, fewDeleted }: LeafReader, key: string): boolean {
  return fewDeleted !== undefined && noneHolds(leaf, fewDeleted, key);
}

/** Returns whether one of some documents may contain all words of a phrase. */
function mayHold({ leaf, deleted }: LeafReader, externalIds: ReadonlySet<number>, key: string): boolean {
  if (externalIds.size > maxLookedUp) return true;
  const docIds = Array.from(externalIds, (externalId) => docIdOf(leaf.documents, externalId));
  const living = docIds.filter((docId) => docId >= 0 && !isDeleted(deleted, docId));
  return living.length > 0 && !noneHolds(leaf, living, key);
}

/** Returns whether none of some documents contains all words of a phrase; false if unknown. */
function noneHolds(leaf: LeafReader["leaf"], docIds: readonly number[], key: string): boolean {
  const terms = key.split(" ").map((word) => findText(leaf.terms, word));
  if (terms.includes(-1)) return false;
  return !docIds.some((docId) => terms.every((term) => holdsTerm(leaf, docId, term)));
}

function holdsTerm({ primary }: LeafReader["leaf"], docId: number, term: number): boolean {
  const { starts, terms } = primary.forward;
  const end = starts[docId + 1] as number;
  const at = firstNotBelow(terms, starts[docId] as number, end, term);
  return at < end && terms[at] === term;
}
