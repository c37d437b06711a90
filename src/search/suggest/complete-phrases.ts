import type { LevenshteinAutomaton } from "../fuzzy/levenshtein-automaton.ts";
import { createSpellings, wholeCorrections, wordCorrections } from "./corrections.ts";
import { beginsPhrase, type Phrase, type PhraseSet, phrasesWithPrefix } from "./phrase-lookup.ts";

/** What completions are made of. */
export interface Completing {
  readonly automaton: LevenshteinAutomaton;
  /** What shoppers searched; comes first. */
  readonly popular: PhraseSet;
  /** What the catalogue calls its things. */
  readonly catalogue: readonly PhraseSet[];
  /** Whether a text finds something as it is: all its words, none misspelt. Costs a search. */
  readonly finds: (text: string) => boolean;
  /** Whether a document with all words of a phrase may be one that the search for the phrase does not show. */
  readonly mayBeRefused: (text: string, key: string) => boolean;
  /** Whether a document that may be found holds a word; with `isPrefix`, one that begins so. */
  readonly isWord: (word: string, isPrefix: boolean) => boolean;
}

/** Searches for one completion, at most. */
const mostFinds = 8;
/** Phrases that are tried for each that is wanted: several may have one key. */
const triedPerPhrase = 4;
/** Completions made of the first words as typed and a phrase for the last ones, at most: nobody may ever have said so. */
const mostEndings = 3;
/** Corrections of a misspelt text that are tried. */
const maxCorrections = 6;

/** @param typed a folded text, not empty  @see complete */
export function completePhrases(typed: string, limit: number, from: Completing): string[] {
  const { popular, catalogue } = from;
  const sets = [popular, ...catalogue];
  const found = new Map<string, string>();
  let findsLeft = mostFinds;
  const finds = (text: string): boolean => findsLeft-- > 0 && from.finds(text);
  const take = ({ text, key, isSure }: Pick<Phrase, "text" | "key" | "isSure">): void => {
    if (found.has(key)) return;
    if ((isSure && !from.mayBeRefused(text, key)) || finds(text)) found.set(key, text);
  };
  const takeBeginning = (some: readonly PhraseSet[], text: string, most: number): void => {
    let looked = 0;
    for (const phrase of phrasesWithPrefix(some, text)) {
      if (found.size >= limit || looked === most) return;
      looked += 1;
      take(phrase);
    }
  };
  /** Completes the last words, as many of them as begin a phrase; the words before them stay as typed. */
  const takeEnding = (text: string): void => {
    const words = text.split(" ");
    for (let at = 1; at < words.length; at += 1) {
      const before = words.slice(0, at);
      for (const phrase of phrasesWithPrefix(sets, words.slice(at).join(" "))) {
        if (found.size >= Math.min(limit, mostEndings) || findsLeft <= 0) return;
        if (phrase.key.split(" ").some((word) => before.includes(word))) continue;
        const start = before.join(" ");
        take({ text: `${start} ${phrase.text}`, key: `${start} ${phrase.key}`, isSure: false });
      }
    }
  };

  takeBeginning([popular], typed, limit * triedPerPhrase);
  takeBeginning(catalogue, typed, limit * triedPerPhrase);
  if (found.size > 0) return [...found.values()];
  // A text that finds nothing finds nothing with more letters either.
  if (from.finds(typed)) takeEnding(typed);
  else
    for (const text of correctionsOf(typed, sets, from)) {
      takeBeginning(sets, text, triedPerPhrase);
      if (found.size === 0 && finds(text)) {
        takeEnding(text);
        const last = text.slice(text.lastIndexOf(" ") + 1);
        if (found.size === 0 && from.isWord(last, false)) take({ text, key: text, isSure: true });
      }
      if (found.size >= limit || findsLeft <= 0) break;
    }
  return [...found.values()];
}

/** Corrections of a text that finds nothing, likeliest first. */
function* correctionsOf(
  typed: string,
  sets: readonly PhraseSet[],
  { automaton, isWord }: Pick<Completing, "automaton" | "isWord">,
): Generator<string, void> {
  for (const { text } of wholeCorrections(automaton, sets, typed, maxCorrections)) yield text;
  const words = typed.split(" ");
  const isLast = (at: number): boolean => at === words.length - 1;
  const begins = words.map((word, at) => beginsPhrase(sets, word, isLast(at)));
  const stands = words.map((word, at) => begins[at] === true || isWord(word, isLast(at)));
  if (words.length === 1) return;
  // A word in bodies alone is likely right; if that leads to nothing, it may be misspelt there as well.
  const spellings = createSpellings(automaton, sets);
  for (const isKnown of [stands, begins])
    for (const { text } of wordCorrections(spellings, words, isKnown, maxCorrections)) yield text;
}
