import type { CompletionSources } from "./completion-sources.ts";
import { correctWords } from "./corrections.ts";
import { isPhraseStart } from "./phrase-lookup.ts";
import type { PhraseSet } from "./phrase-set.ts";
import type { TypedText } from "./phrases.ts";

/** Maximum number of corrections that are tried for a misspelled text. */
const maxCorrections = 6;

/** Yields the corrections of a text without results, most likely first. */
export function* generateCorrections(
  { key, words }: TypedText,
  phraseSets: readonly PhraseSet[],
  { automaton, spellingCorrector, isWord }: Pick<CompletionSources, "automaton" | "spellingCorrector" | "isWord">,
): Generator<string, void> {
  for (const { text } of spellingCorrector.correctText(automaton, key, maxCorrections)) yield text;
  const isLastWord = (index: number): boolean => index === words.length - 1;
  const phraseStartFlags = words.map((word, index) => isPhraseStart(phraseSets, word, isLastWord(index)));
  const knownWordFlags = words.map(
    (word, index) => phraseStartFlags[index] === true || isWord(word, isLastWord(index)),
  );
  if (words.length === 1) return;
  // Words that occur only in descriptions are first treated as correct, then as misspelled, because descriptions may
  // contain misspellings too.
  const wordCorrector = spellingCorrector.createWordCorrector(automaton);
  for (const correctWordFlags of [knownWordFlags, phraseStartFlags])
    for (const { text } of correctWords(wordCorrector, words, correctWordFlags, maxCorrections)) yield text;
}
