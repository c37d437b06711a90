import { cutQuery } from "../analysis/chunks.ts";
import { docIdOf, isDeleted, type LeafReader } from "../index/leaf.ts";
import { firstNotBelow } from "../index/postings.ts";
import { findsAsTyped } from "../query/execute.ts";
import type { Synonyms } from "../query/synonyms.ts";
import type { SearchContext } from "../search-context.ts";
import type { OnlyFinding, Query } from "../search-index.ts";
import { findText, prefixRange } from "../terms/dictionary.ts";
import { completePhrases } from "./complete-phrases.ts";
import { mostFromOne } from "./phrase-counter.ts";
import { type Phrases, phraseKey } from "./phrases.ts";

export interface CompletionQuery {
  /** As typed. */
  readonly text: string;
  readonly locale: string;
  readonly limit: number;
  readonly only: OnlyFinding;
}

/** Phrases that complete what was typed, best first: what shoppers searched, then what the catalogue calls its things; where no
 *  phrase begins with all that was typed, its last words are completed. What then has no completion and finds nothing as it
 *  stands is read as misspelt, in any of its words.
 *  @returns at most `limit`, lower case, none of `<>"`; each finds something as it stands */
export function complete(
  context: SearchContext,
  { text, locale, limit, only }: CompletionQuery,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
  popular: Phrases,
): string[] {
  const typed = phraseKey(cutQuery(text));
  if (typed === "" || limit <= 0) return [];
  const asked = { locale, limits: new Map(), typos: false, unavailable: "show" } as const;
  const noIds: ReadonlySet<number> = new Set();
  const refused = only.refused ?? (() => noIds);
  const living = readers.filter(({ leaf, deletedCount }) => deletedCount < leaf.documents.externalIds.length);
  return completePhrases(typed, limit, {
    automaton: context.automaton,
    popular: { phrases: popular, sureAbove: Number.POSITIVE_INFINITY },
    // A phrase comes from documents, which it finds unless each of them was changed or deleted since.
    catalogue: living.map((reader) => ({
      phrases: reader.leaf.phrases,
      sureAbove: reader.deletedCount * mostFromOne,
      isUntouched: (key) => isUntouched(reader, key),
    })),
    finds: (shown) => {
      const externalIds = refused(shown);
      const accept: Query["accept"] = (number, type) =>
        !externalIds.has(number) && only.accept?.(number, type) !== false;
      return findsAsTyped(context, { ...asked, text: shown, accept }, living, synonyms);
    },
    mayBeRefused: (shown, key) => {
      const externalIds = refused(shown);
      return externalIds.size > 0 && living.some((reader) => mayHold(reader, externalIds, key));
    },
    isWord: (word, isPrefix) =>
      living.some(({ leaf: { terms } }) => {
        if (!isPrefix) return findText(terms, word) >= 0;
        const { low, high } = prefixRange(terms, word);
        return low < high;
      }),
  });
}

/** Documents for which it is looked up one by one whether they hold a phrase, at most. */
const maxLookedUp = 64;

/** Whether no deleted document holds all words of a phrase; false where that is not known. */
function isUntouched({ leaf, fewDeleted }: LeafReader, key: string): boolean {
  return fewDeleted !== undefined && noneHolds(leaf, fewDeleted, key);
}

/** Whether one of some documents may hold all words of a phrase. */
function mayHold({ leaf, deleted }: LeafReader, externalIds: ReadonlySet<number>, key: string): boolean {
  if (externalIds.size > maxLookedUp) return true;
  const docIds = Array.from(externalIds, (number) => docIdOf(leaf.documents, number));
  const living = docIds.filter((docId) => docId >= 0 && !isDeleted(deleted, docId));
  return living.length > 0 && !noneHolds(leaf, living, key);
}

/** Whether none of some documents holds all words of a phrase; false where that is not known. */
function noneHolds(leaf: LeafReader["leaf"], docIds: readonly number[], key: string): boolean {
  const terms = key.split(" ").map((word) => findText(leaf.terms, word));
  if (terms.includes(-1)) return false;
  return !docIds.some((docId) => terms.every((term) => holdsTerm(leaf, docId, term)));
}

function holdsTerm({ naming }: LeafReader["leaf"], docId: number, term: number): boolean {
  const { starts, terms } = naming.forward;
  const end = starts[docId + 1] as number;
  const at = firstNotBelow(terms, starts[docId] as number, end, term);
  return at < end && terms[at] === term;
}
