import { countAllowedEdits } from "../fuzzy/allowed-edits.ts";
import type { LevenshteinAutomaton } from "../fuzzy/levenshtein-automaton.ts";
import { GenerationCache } from "../generation-cache.ts";
import { isPhraseStart } from "./phrase-lookup.ts";
import type { PhraseSet } from "./phrase-set.ts";
import { findHeaviestOrdinal, PhraseStream } from "./phrase-stream.ts";

/** A possible correction of a text. */
export interface Correction {
  /** Words without case and accents. The last word may be incomplete. */
  readonly text: string;
  readonly edits: number;
  readonly weight: number;
}

/** Maximum number of phrases that are read from each range of phrases similar to a text, by descending weight. */
const phrasesPerRange = 3;
/** Maximum number of corrections that are tried for one word. */
const maxCorrectionsPerWord = 3;

/** Maximum number of misspelled words in a corrected text. For each of them, all phrases must be searched. */
const maxMisspelledWords = 3;
const maxTwoEditWords = 1;

/**
 * Corrects spelling by the phrases of one language of an index. Corrections are cached for each word, because the next
 * query repeats all words except the last. Texts without similar phrases are cached too, because longer texts have none
 * either.
 */
export class SpellingCorrector {
  readonly #phraseSets: readonly PhraseSet[];
  /** Corrections by word, maximum number of edits, and whether longer words are included. */
  readonly #corrections = new GenerationCache<readonly Correction[]>();
  /** Texts that are not the start of any phrase, even with edits. The key contains the number of edits. */
  readonly #unmatchedTexts = new GenerationCache<true>();

  constructor(phraseSets: readonly PhraseSet[]) {
    this.#phraseSets = phraseSets;
  }

  /**
   * Returns phrases whose beginning resembles the entire text. The words around a misspelled word are the best evidence
   * of its meaning. A text of several words may have one edit. For a single word, the number of edits depends on its
   * length.
   */
  correctText(automaton: LevenshteinAutomaton, typedText: string, count: number): readonly Correction[] {
    const edits = typedText.includes(" ") ? Math.min(1, countAllowedEdits(typedText)) : countAllowedEdits(typedText);
    return this.#findCorrections(automaton, typedText, edits, count, (key) => key);
  }

  /**
   * Creates a function that returns the corrections of single words, best first. With `isPrefix`, it includes longer
   * words that start with the correction. At most `maxTwoEditWords` words of a text may have two edits.
   */
  createWordCorrector(automaton: LevenshteinAutomaton): WordCorrector {
    const cachedCorrections = new Map<string, readonly Correction[]>();
    let twoEditWordsLeft = maxTwoEditWords;
    return (word, isPrefix) => {
      let corrections = cachedCorrections.get(word);
      if (corrections === undefined) {
        const maxEdits = countAllowedEdits(word);
        const edits = maxEdits > 1 && twoEditWordsLeft-- <= 0 ? 1 : maxEdits;
        corrections = this.#correctWord(automaton, word, edits, isPrefix);
        cachedCorrections.set(word, corrections);
      }
      return corrections;
    };
  }

  #correctWord(automaton: LevenshteinAutomaton, word: string, edits: number, isPrefix: boolean): readonly Correction[] {
    return this.#corrections.get(`${isPrefix ? "*" : "="}${edits}${word}`, weightOf, () =>
      this.#findCorrections(automaton, word, edits, maxCorrectionsPerWord, (key) => {
        const firstWordOfKey = firstWordOf(key);
        return isPrefix || countEdits(firstWordOfKey, word) <= edits ? firstWordOfKey : undefined;
      }),
    );
  }

  /**
   * Returns the corrections with the fewest edits, up to a maximum number of edits.
   * @param getCorrection returns the correction that a phrase contains, or undefined
   */
  #findCorrections(
    automaton: LevenshteinAutomaton,
    word: string,
    maxEdits: number,
    count: number,
    getCorrection: (key: string) => string | undefined,
  ): readonly Correction[] {
    for (let edits = 1; edits <= maxEdits; edits += 1) {
      const corrections = this.#findFuzzyCorrections(automaton, word, edits, count, getCorrection);
      if (corrections.length > 0) return corrections;
    }
    return [];
  }

  #findFuzzyCorrections(
    automaton: LevenshteinAutomaton,
    word: string,
    edits: number,
    count: number,
    getCorrection: (key: string) => string | undefined,
  ): readonly Correction[] {
    if (this.#isUnmatchedWord(word, edits)) return [];
    const ranges = this.#phraseSets.flatMap((set) =>
      automaton.findFuzzyRanges(set.phrases.keys, word, edits).map((range) => {
        const weight = set.phrases.weights[findHeaviestOrdinal(set.phrases, range.low, range.high)] as number;
        return { set, range, edits: range.edits, weight };
      }),
    );
    if (ranges.length === 0) this.#cacheWordIfUnmatched(word, edits);
    ranges.sort(compareCorrections);
    const corrections = new Map<string, Correction>();
    for (const { set, range, edits: editCount } of ranges.slice(0, count * phrasesPerRange)) {
      const phrases = new PhraseStream();
      phrases.add(set, range);
      for (let attemptCount = 0; attemptCount < phrasesPerRange; attemptCount += 1) {
        const phrase = phrases.next();
        if (phrase === undefined) break;
        const text = getCorrection(phrase.key);
        if (text !== undefined && !corrections.has(text))
          corrections.set(text, { text, edits: editCount, weight: phrase.weight });
      }
    }
    return [...corrections.values()].sort(compareCorrections).slice(0, count);
  }

  #isUnmatchedWord(word: string, edits: number): boolean {
    if (this.#unmatchedTexts.find(`${edits}${word}`)) return true;
    if (!this.#unmatchedTexts.find(`${edits}${word.slice(0, -1)}`)) return false;
    this.#cacheUnmatchedWord(word, edits);
    return true;
  }

  #cacheWordIfUnmatched(word: string, edits: number): void {
    // The automaton omits phrases that start with the word itself.
    if (!isPhraseStart(this.#phraseSets, word, true)) this.#cacheUnmatchedWord(word, edits);
  }

  #cacheUnmatchedWord(word: string, edits: number): void {
    this.#unmatchedTexts.get(`${edits}${word}`, weightOf, () => true);
  }
}

/** Returns corrections of a word, best first (see `SpellingCorrector.createWordCorrector`). */
export type WordCorrector = (word: string, isPrefix: boolean) => readonly Correction[];

function weightOf(): number {
  return 4;
}

/**
 * Returns corrections of several words, best first.
 * @param knownWordFlags whether each word is correct and remains as typed
 */
export function correctWords(
  wordCorrector: WordCorrector,
  words: readonly string[],
  knownWordFlags: readonly boolean[],
  count: number,
): Correction[] {
  const misspelledCount = knownWordFlags.filter((isKnownWord) => !isKnownWord).length;
  if (misspelledCount === 0 || misspelledCount > maxMisspelledWords) return [];
  let corrections: Correction[] = [{ text: "", edits: 0, weight: Number.POSITIVE_INFINITY }];
  for (const [index, word] of words.entries()) {
    const wordCandidates = knownWordFlags[index]
      ? [{ text: word, edits: 0, weight: Number.POSITIVE_INFINITY }]
      : wordCorrector(word, index === words.length - 1);
    corrections = corrections
      .flatMap((previousCorrection) =>
        wordCandidates.map(({ text, edits, weight }) => ({
          text: previousCorrection.text === "" ? text : `${previousCorrection.text} ${text}`,
          edits: previousCorrection.edits + edits,
          weight: Math.min(previousCorrection.weight, weight),
        })),
      )
      .sort(compareCorrections)
      .slice(0, count);
  }
  return corrections;
}

/** Compares corrections by ascending edits, then by descending weight. */
function compareCorrections(
  a: { readonly edits: number; readonly weight: number },
  b: { readonly edits: number; readonly weight: number },
): number {
  return a.edits - b.edits || b.weight - a.weight;
}

function firstWordOf(key: string): string {
  const spaceIndex = key.indexOf(" ");
  return spaceIndex < 0 ? key : key.slice(0, spaceIndex);
}

/** Returns the edit distance of two texts: the number of inserted, deleted, replaced or swapped neighboring letters. */
export function countEdits(a: string, b: string): number {
  let secondLastRow: number[] = [];
  let previousRow = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const currentRow = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSameLetter = a[row - 1] === b[column - 1];
      let edits = Math.min(
        (previousRow[column - 1] as number) + (isSameLetter ? 0 : 1),
        (previousRow[column] as number) + 1,
      );
      edits = Math.min(edits, (currentRow[column - 1] as number) + 1);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        edits = Math.min(edits, (secondLastRow[column - 2] as number) + 1);
      currentRow.push(edits);
    }
    secondLastRow = previousRow;
    previousRow = currentRow;
  }
  return previousRow[b.length] as number;
}
