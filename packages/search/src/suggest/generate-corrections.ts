import type { CompletionSources } from "./completion-sources.ts";
import { correctWords } from "./corrections.ts";
import { type PhraseSet, startsPhrase } from "./phrase-lookup.ts";
import type { TypedText } from "./phrases.ts";

/** Maximum number of corrections that are tried for a misspelled text. */
const maxCorrections = 6;

/** Yields the corrections of a text without results, most likely first. */
export function* generateCorrections(
  { key, words }: TypedText,
  sets: readonly PhraseSet[],
  { automaton, spellingCorrector, isWord }: Pick<CompletionSources, "automaton" | "spellingCorrector" | "isWord">,
): Generator<string, void> {
  for (const { text } of spellingCorrector.correctText(automaton, key, maxCorrections)) yield text;
  const isLastWord = (index: number): boolean => index === words.length - 1;
  const startsPhrases = words.map((word, index) => startsPhrase(sets, word, isLastWord(index)));
  const isKnownWord = words.map((word, index) => startsPhrases[index] === true || isWord(word, isLastWord(index)));
  if (words.length === 1) return;
  // A word that is only in descriptions is probably correct. If it has no completions, it may be misspelled there too.
  const correctWord = spellingCorrector.createWordCorrector(automaton);
  for (const isKnown of [isKnownWord, startsPhrases])
    for (const { text } of correctWords(correctWord, words, isKnown, maxCorrections)) yield text;
}
