import { allowedEdits, type LevenshteinAutomaton } from "../fuzzy/levenshtein-automaton.ts";
import { GenerationCache } from "../generation-cache.ts";
import { textAt } from "../terms/dictionary.ts";
import { beginsPhrase, HeaviestFirst, heaviestIn, type PhraseSet } from "./phrase-lookup.ts";

/** A possible correction of a text. */
export interface Correction {
  /** Folded words, the last of which may be incomplete. */
  readonly text: string;
  readonly edits: number;
  readonly weight: number;
}

/** Heaviest phrases that are tried of each range of phrases near a word. */
const triedPerRange = 3;
/** Corrections of one word that are tried. */
const perWord = 3;

/**
 * Maximum misspelled words of a corrected text, and of those with two edits: each takes a walk through all phrases, ten
 * times as long with two edits.
 */
const maxMisspelled = 3;
const maxWithTwoEdits = 1;

/**
 * Corrections by the phrases of one language of an index. Results per word are cached, since all words except the last
 * repeat with each letter; so are texts far from all phrases, which stay far with more letters.
 */
export class Spellings {
  readonly #sets: readonly PhraseSet[];
  /** By word and options. */
  readonly #corrections = new GenerationCache<readonly Correction[]>();
  /** Numbers of edits, each with a text that is not a prefix of any phrase within this distance. */
  readonly #farFromAll = new GenerationCache<true>();

  constructor(sets: readonly PhraseSet[]) {
    this.#sets = sets;
  }

  /**
   * Phrases that start with nearly the entire text: words around a misspelled one are the best evidence of its meaning.
   * Several words may have one edit each, a single one the allowed number.
   */
  ofWhole(automaton: LevenshteinAutomaton, typed: string, count: number): readonly Correction[] {
    const edits = typed.includes(" ") ? Math.min(1, allowedEdits(typed)) : allowedEdits(typed);
    return this.#nearest(automaton, typed, edits, count, (key) => key);
  }

  /**
   * Corrections of single words, best first: complete words, or with `isBeginning` also longer words with the
   * correction as prefix. Long words of a text may have two edits if there are few of them.
   */
  ofWords(automaton: LevenshteinAutomaton): WordSpellings {
    const known = new Map<string, readonly Correction[]>();
    let twoEditsLeft = maxWithTwoEdits;
    return (word, isBeginning) => {
      let found = known.get(word);
      if (found === undefined) {
        const allowed = allowedEdits(word);
        const edits = allowed > 1 && twoEditsLeft-- <= 0 ? 1 : allowed;
        found = this.#ofWord(automaton, word, edits, isBeginning);
        known.set(word, found);
      }
      return found;
    };
  }

  #ofWord(automaton: LevenshteinAutomaton, word: string, edits: number, isBeginning: boolean): readonly Correction[] {
    return this.#corrections.get(`${isBeginning ? "*" : "="}${edits}${word}`, weightOf, () =>
      this.#nearest(automaton, word, edits, perWord, (key) => {
        const first = firstWord(key);
        return isBeginning || editsBetween(first, word) <= edits ? first : undefined;
      }),
    );
  }

  /**
   * Corrections by one edit, or if there are none by the maximum.
   * @param read returns the correction in a phrase, or undefined
   */
  #nearest(
    automaton: LevenshteinAutomaton,
    word: string,
    mostEdits: number,
    count: number,
    read: (key: string) => string | undefined,
  ): readonly Correction[] {
    for (let edits = 1; edits <= mostEdits; edits += 1) {
      const found = this.#within(automaton, word, edits, count, read);
      if (found.length > 0) return found;
    }
    return [];
  }

  #within(
    automaton: LevenshteinAutomaton,
    word: string,
    edits: number,
    count: number,
    read: (key: string) => string | undefined,
  ): readonly Correction[] {
    if (this.#isFarFromAll(word, edits)) return [];
    const runs = this.#sets.flatMap(({ phrases }) =>
      automaton.fuzzyRuns(phrases.keys, word, edits).map((run) => {
        const weight = phrases.weights[heaviestIn(phrases, run.low, run.high)] as number;
        return { phrases, low: run.low, high: run.high, edits: run.edits, weight };
      }),
    );
    if (runs.length === 0) this.#noteFar(word, edits);
    runs.sort(byLikelihood);
    const found = new Map<string, Correction>();
    for (const { phrases, low, high, edits: needed } of runs.slice(0, count * triedPerRange)) {
      const ordinals = new HeaviestFirst(phrases, { low, high });
      for (let looked = 0; looked < triedPerRange; looked += 1) {
        const ordinal = ordinals.next();
        if (ordinal < 0) break;
        const text = read(textAt(phrases.keys, ordinal));
        const weight = phrases.weights[ordinal] as number;
        if (text !== undefined && !found.has(text)) found.set(text, { text, edits: needed, weight });
      }
    }
    return [...found.values()].sort(byLikelihood).slice(0, count);
  }

  #isFarFromAll(word: string, edits: number): boolean {
    if (this.#farFromAll.find(`${edits}${word}`)) return true;
    if (!this.#farFromAll.find(`${edits}${word.slice(0, -1)}`)) return false;
    this.#note(word, edits);
    return true;
  }

  #noteFar(word: string, edits: number): void {
    // The automaton omits phrases that start with the word itself.
    if (!beginsPhrase(this.#sets, word, true)) this.#note(word, edits);
  }

  #note(word: string, edits: number): void {
    this.#farFromAll.get(`${edits}${word}`, weightOf, () => true);
  }
}

/** Corrections of a word, best first; see `Spellings.ofWords`. */
export type WordSpellings = (word: string, isBeginning: boolean) => readonly Correction[];

/** A cached text weighs about as much as its key. */
function weightOf(): number {
  return 4;
}

/** Corrections of several words, best first.
 *  @param isKnown by word: whether it stays as typed */
export function wordCorrections(
  spellings: WordSpellings,
  words: readonly string[],
  isKnown: readonly boolean[],
  count: number,
): Correction[] {
  const misspelt = isKnown.filter((known) => !known).length;
  if (misspelt === 0 || misspelt > maxMisspelled) return [];
  let found: Correction[] = [{ text: "", edits: 0, weight: Number.POSITIVE_INFINITY }];
  for (const [at, word] of words.entries()) {
    const choices = isKnown[at]
      ? [{ text: word, edits: 0, weight: Number.POSITIVE_INFINITY }]
      : spellings(word, at === words.length - 1);
    found = found
      .flatMap((before) =>
        choices.map(({ text, edits, weight }) => ({
          text: before.text === "" ? text : `${before.text} ${text}`,
          edits: before.edits + edits,
          weight: Math.min(before.weight, weight),
        })),
      )
      .sort(byLikelihood)
      .slice(0, count);
  }
  return found;
}

/** By edits, then by weight. */
function byLikelihood(
  one: { readonly edits: number; readonly weight: number },
  other: { readonly edits: number; readonly weight: number },
): number {
  return one.edits - other.edits || other.weight - one.weight;
}

function firstWord(key: string): string {
  const blank = key.indexOf(" ");
  return blank < 0 ? key : key.slice(0, blank);
}

/** The edit distance of two texts: letters inserted, deleted, replaced, or swapped with their neighbour. */
export function editsBetween(one: string, other: string): number {
  let twoBefore: number[] = [];
  let before = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const now = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      let edits = Math.min((before[column - 1] as number) + (isSame ? 0 : 1), (before[column] as number) + 1);
      edits = Math.min(edits, (now[column - 1] as number) + 1);
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        edits = Math.min(edits, (twoBefore[column - 2] as number) + 1);
      now.push(edits);
    }
    twoBefore = before;
    before = now;
  }
  return before[other.length] as number;
}
