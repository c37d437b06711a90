import { cutQuery } from "../analysis/chunks.ts";
import { docIdOf, isDeleted, type LeafReader } from "../index/leaf.ts";
import { firstNotBelow } from "../index/postings.ts";
import { findsAsTyped } from "../query/execute.ts";
import type { Synonyms } from "../query/synonyms.ts";
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
  { text, locale, limit, only }: CompletionQuery,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
  popular: Phrases,
): string[] {
  const typed = phraseKey(cutQuery(text));
  if (typed === "" || limit <= 0) return [];
  const asked = { locale, limits: new Map(), typos: false, unavailable: "show" } as const;
  const refused = only.refused ?? (() => noNumbers);
  const living = readers.filter(({ leaf, deleted }) => deletedIn(deleted).count < leaf.documents.externalIds.length);
  return completePhrases(typed, limit, {
    popular: { phrases: popular, sureAbove: Number.POSITIVE_INFINITY },
    // A phrase comes from documents, which it finds unless each of them was changed or deleted since.
    catalogue: living.map((reader) => ({
      phrases: reader.leaf.phrases,
      sureAbove: deletedIn(reader.deleted).count * mostFromOne,
      isUntouched: (key) => isUntouched(reader, key),
    })),
    finds: (shown) => {
      const externalIds = refused(shown);
      const accept: Query["accept"] = (number, type) =>
        !externalIds.has(number) && only.accept?.(number, type) !== false;
      return findsAsTyped({ ...asked, text: shown, accept }, living, synonyms);
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

interface Deleted {
  readonly count: number;
  /** Of so many that do not count as can be looked at in no time; of more: absent. */
  readonly docIds?: readonly number[];
}

const fewDeleted = 64;
const noNumbers: ReadonlySet<number> = new Set();
const none: Deleted = { count: 0, docIds: [] };
const known = new WeakMap<Uint32Array, Deleted>();

/** The documents that do not count. */
function deletedIn(deleted: LeafReader["deleted"]): Deleted {
  if (deleted === undefined) return none;
  let found = known.get(deleted);
  if (found === undefined) {
    const docIds: number[] = [];
    let count = 0;
    for (let word = 0; word < deleted.length; word += 1)
      for (let left = deleted[word] as number; left !== 0; left &= left - 1) {
        count += 1;
        if (count <= fewDeleted) docIds.push(word * 32 + 31 - Math.clz32(left & -left));
      }
    found = count > fewDeleted ? { count } : { count, docIds };
    known.set(deleted, found);
  }
  return found;
}

/** Whether no document that does not count holds all words of a phrase; false where that is not known. */
function isUntouched({ leaf, deleted }: LeafReader, key: string): boolean {
  const { docIds } = deletedIn(deleted);
  return docIds !== undefined && areApart(leaf, docIds, key);
}

/** Whether one of some documents may hold all words of a phrase. */
function mayHold({ leaf, deleted }: LeafReader, externalIds: ReadonlySet<number>, key: string): boolean {
  if (externalIds.size > fewDeleted) return true;
  const docIds = Array.from(externalIds, (number) => docIdOf(leaf.documents, number));
  const living = docIds.filter((docId) => docId >= 0 && !isDeleted(deleted, docId));
  return living.length > 0 && !areApart(leaf, living, key);
}

/** Whether none of some documents holds all words of a phrase; false where that is not known. */
function areApart(leaf: LeafReader["leaf"], docIds: readonly number[], key: string): boolean {
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
