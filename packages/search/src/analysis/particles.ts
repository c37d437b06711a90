import { isEmoji } from "./emoji.ts";
import { fold } from "./fold.ts";
import { languageOf, languages, wordsOfAll } from "./languages/registry.ts";

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

/** Whether a folded word is an article, a preposition or a conjunction of a language, or an emoji: beside others it tells nothing of what is sought.
 *  @param locale the language of the word */
export function isFunctionWord(word: string, locale: string): boolean {
  return functionWords.get(languageOf(locale)?.code ?? "")?.has(word) === true || isEmoji(word);
}
