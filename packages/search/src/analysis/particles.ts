import { isEmoji } from "./emoji.ts";
import { fold } from "./fold.ts";
import { languageOf, languages, wordsOfAll } from "./languages/registry.ts";

const phraseBreaks = wordsOfAll((language) => language.phraseBreaks);
const purposes = wordsOfAll((language) => language.purposes);

/** Returns whether a folded word ends the phrase of a title before it. */
export function isPhraseBreak(word: string): boolean {
  return phraseBreaks.has(word);
}

/** Returns whether the purpose of the product follows a folded word in a title. */
export function isPurpose(word: string): boolean {
  return purposes.has(word);
}

const functionWords: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  languages.map((language) => {
    const {
      code,
      articles = [],
      fillers = [],
      phraseBreaks = [],
      purposes = [],
      functionWords: others = [],
    } = language;
    return [code, new Set([...articles, ...fillers.map(fold), ...phraseBreaks, ...purposes, ...others])];
  }),
);

/**
 * Returns whether a folded word is an article, a preposition or a conjunction of a language, or an emoji: next to other
 * words it does not describe what is searched.
 * @param locale language of the word
 */
export function isFunctionWord(word: string, locale: string): boolean {
  return functionWords.get(languageOf(locale)?.code ?? "")?.has(word) === true || isEmoji(word);
}
