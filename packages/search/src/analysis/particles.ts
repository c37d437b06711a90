import { isEmoji } from "./emoji.ts";
import { foldText } from "./fold.ts";
import { collectWords, languageOf, languages } from "./languages/registry.ts";

const phraseBreakWords = collectWords((language) => language.phraseBreaks);
const purposeParticles = collectWords((language) => language.purposes);
const additionParticles = collectWords((language) => language.additions);
const fillerWords = collectWords((language) => language.fillers);

/**
 * Returns whether a word separates two phrases of a title, such as "with".
 * @param locale language of the title
 */
export function isPhraseBreak(word: string, locale: string): boolean {
  return phraseBreakWords.has(word) || isLocalPurpose(word, locale);
}

/**
 * Returns whether a word introduces the purpose of a product in a title, such as "for" in "case for iPhone".
 * @param locale language of the title. Default: only words that have this meaning in titles of any language
 */
export function introducesPurpose(word: string, locale = ""): boolean {
  return purposeParticles.has(word) || isLocalPurpose(word, locale);
}

/**
 * Returns whether search completions never start or end with a word, such as "the".
 * @param word in lower case with accents
 * @param locale language of the title
 */
export function isFiller(word: string, locale: string): boolean {
  return fillerWords.has(word) || isLocalPurpose(word, locale);
}

function isLocalPurpose(word: string, locale: string): boolean {
  return languageOf(locale)?.localPurposes?.includes(word) === true;
}

/**
 * Returns whether a word introduces a part or an ingredient of a product in a title, or what the product lacks, such as
 * "with" in "pot with lid".
 */
export function introducesAddition(word: string): boolean {
  return additionParticles.has(word);
}

/** Returns whether the last word of a search in a language names the product, as in "laser printer". */
export function endsWithNoun(locale: string): boolean {
  return languageOf(locale)?.endsWithNoun === true;
}

/** Returns whether the first word of a title in a language usually names the product, as in "lámpara LED blanca". */
export function startsWithNoun(locale: string): boolean {
  return languageOf(locale)?.startsWithNoun === true;
}

/** Returns whether a word negates the next word, as "without" does. */
export function isNegation(word: string, locale: string): boolean {
  return languageOf(locale)?.negations?.includes(word) === true;
}

const functionWords: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  languages.map((language) => {
    const {
      code,
      articles = [],
      fillers = [],
      phraseBreaks = [],
      purposes = [],
      functionWords: otherWords = [],
    } = language;
    return [code, new Set([...articles, ...fillers.map(foldText), ...phraseBreaks, ...purposes, ...otherWords])];
  }),
);

/**
 * Returns whether a word is an emoji, or an article, preposition or conjunction of a language. Such words do not
 * describe a product.
 * @param locale language of the word
 */
export function isFunctionWord(word: string, locale: string): boolean {
  return functionWords.get(languageOf(locale)?.code ?? "")?.has(word) === true || isEmoji(word);
}
