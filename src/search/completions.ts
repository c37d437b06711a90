import { cutQuery } from "./analysis.ts";
import { completePhrases } from "./completing.ts";
import { findText, prefixRange } from "./dictionary.ts";
import { isDead, placeOf, type View } from "./part.ts";
import { mostFromOne } from "./phrase-counter.ts";
import { type Phrases, phraseKey } from "./phrases.ts";
import { firstNotBelow } from "./postings.ts";
import { findsAsTyped } from "./search.ts";
import type { OnlyFinding, Query } from "./search-index.ts";
import type { Synonyms } from "./synonyms.ts";

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
  views: readonly View[],
  synonyms: Synonyms,
  popular: Phrases,
): string[] {
  const typed = phraseKey(cutQuery(text));
  if (typed === "" || limit <= 0) return [];
  const asked = { locale, limits: new Map(), typos: false, unavailable: "show" } as const;
  const refused = only.refused ?? (() => noNumbers);
  const living = views.filter(({ part, dead }) => deadIn(dead).count < part.documents.numbers.length);
  return completePhrases(typed, limit, {
    popular: { phrases: popular, sureAbove: Number.POSITIVE_INFINITY },
    // A phrase comes from documents, which it finds unless each of them was changed or deleted since.
    catalogue: living.map((view) => ({
      phrases: view.part.phrases,
      sureAbove: deadIn(view.dead).count * mostFromOne,
      isUntouched: (key) => isUntouched(view, key),
    })),
    finds: (shown) => {
      const numbers = refused(shown);
      const accept: Query["accept"] = (number, type) => !numbers.has(number) && only.accept?.(number, type) !== false;
      return findsAsTyped({ ...asked, text: shown, accept }, living, synonyms);
    },
    mayBeRefused: (shown, key) => {
      const numbers = refused(shown);
      return numbers.size > 0 && living.some((view) => mayHold(view, numbers, key));
    },
    isWord: (word, isPrefix) =>
      living.some(({ part: { terms } }) => {
        if (!isPrefix) return findText(terms, word) >= 0;
        const { low, high } = prefixRange(terms, word);
        return low < high;
      }),
  });
}

interface Dead {
  readonly count: number;
  /** Of so many that do not count as can be looked at in no time; of more: absent. */
  readonly places?: readonly number[];
}

const fewDead = 64;
const noNumbers: ReadonlySet<number> = new Set();
const none: Dead = { count: 0, places: [] };
const known = new WeakMap<Uint32Array, Dead>();

/** The documents that do not count. */
function deadIn(dead: View["dead"]): Dead {
  if (dead === undefined) return none;
  let found = known.get(dead);
  if (found === undefined) {
    const places: number[] = [];
    let count = 0;
    for (let word = 0; word < dead.length; word += 1)
      for (let left = dead[word] as number; left !== 0; left &= left - 1) {
        count += 1;
        if (count <= fewDead) places.push(word * 32 + 31 - Math.clz32(left & -left));
      }
    found = count > fewDead ? { count } : { count, places };
    known.set(dead, found);
  }
  return found;
}

/** Whether no document that does not count holds all words of a phrase; false where that is not known. */
function isUntouched({ part, dead }: View, key: string): boolean {
  const { places } = deadIn(dead);
  return places !== undefined && areApart(part, places, key);
}

/** Whether one of some documents may hold all words of a phrase. */
function mayHold({ part, dead }: View, numbers: ReadonlySet<number>, key: string): boolean {
  if (numbers.size > fewDead) return true;
  const places = Array.from(numbers, (number) => placeOf(part.documents, number));
  const living = places.filter((place) => place >= 0 && !isDead(dead, place));
  return living.length > 0 && !areApart(part, living, key);
}

/** Whether none of some documents holds all words of a phrase; false where that is not known. */
function areApart(part: View["part"], places: readonly number[], key: string): boolean {
  const terms = key.split(" ").map((word) => findText(part.terms, word));
  if (terms.includes(-1)) return false;
  return !places.some((place) => terms.every((term) => holdsTerm(part, place, term)));
}

function holdsTerm({ head }: View["part"], place: number, term: number): boolean {
  const { starts, terms } = head.rows;
  const end = starts[place + 1] as number;
  const at = firstNotBelow(terms, starts[place] as number, end, term);
  return at < end && terms[at] === term;
}
