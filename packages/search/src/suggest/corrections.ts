import { allowedEdits, type LevenshteinAutomaton } from "../fuzzy/levenshtein-automaton.ts";
import { GenerationCache } from "../generation-cache.ts";
import { textAt } from "../terms/dictionary.ts";
import { beginsPhrase, HeaviestFirst, heaviestIn, type PhraseSet } from "./phrase-lookup.ts";

/** A possible correction of a text. */
export interface Correction {
  /** Folded words. The last one may be incomplete. */
  readonly text: string;
  readonly edits: number;
  readonly weight: number;
}

/** Maximum number of phrases that are tried in each range of phrases near a word, heaviest first. */
const triedPerRange = 3;
/** Maximum number of corrections that are tried for one word. */
const perWord = 3;

/** Maximum number of misspelled words in a corrected text. Each of them requires a traversal of all phrases. */
const maxMisspelled = 3;
const maxWithTwoEdits = 1;

/**
 * Corrects spelling by the phrases of one language of an index. Results per word are cached, because all words except
 * the last repeat with each typed letter. Texts without similar phrases are cached too, because longer texts have none
 * either.
 */
export class Spellings {
  readonly #sets: readonly PhraseSet[];
  /** Corrections by word, edits and completeness. */
  readonly #corrections = new GenerationCache<readonly Correction[]>();
  /** Texts that are not near the prefix of any phrase, each with its number of edits. */
  readonly #farFromAll = new GenerationCache<true>();

  constructor(sets: readonly PhraseSet[]) {
    this.#sets = sets;
  }

  /**
   * Returns phrases that start with nearly the entire text. The words around a misspelled word are the best evidence of
   * its meaning. A text of several words may have one edit, and a single word its allowed number.
   */
  ofWhole(automaton: LevenshteinAutomaton, typed: string, count: number): readonly Correction[] {
    const edits = typed.includes(" ") ? Math.min(1, allowedEdits(typed)) : allowedEdits(typed);
    return this.#nearest(automaton, typed, edits, count, (key) => key);
  }

  /**
   * Creates a function that returns the corrections of single words, best first. With `isPrefix`, it includes longer
   * words that start with the correction. Few long words of a text may have two edits.
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
   * Returns corrections with one edit, or if there are none, with more edits up to the maximum.
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

/** Returns corrections of a word, best first (see `SpellingCorrector.createWordCorrector`). */
export type WordSpellings = (word: string, isBeginning: boolean) => readonly Correction[];

/** A cached text is about as large as its key. */
function weightOf(): number {
  return 4;
}

/** Returns corrections of several words, best first.  @param isKnown whether each word remains as typed */
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

/** Compares corrections by ascending edits, then by descending weight. */
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

/** Returns the edit distance of two texts: the number of inserted, deleted, replaced or swapped neighboring letters. */
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
