import { wordsOfAll } from "./languages/registry.ts";

const phraseBreaks = wordsOfAll((language) => language.phraseBreaks);
const purposes = wordsOfAll((language) => language.purposes);

/** Whether a folded word ends the phrase of a title before it. */
export function isPhraseBreak(word: string): boolean {
  return phraseBreaks.has(word);
}

/** Whether what follows a folded word in a title is what the thing is for. */
export function isPurpose(word: string): boolean {
  return purposes.has(word);
}
