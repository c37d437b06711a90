import { spellFinalLetters } from "../analysis/fold.ts";
import type { Leaf } from "../index/leaf.ts";
import { findPrefix, findText, getText, isEmptyRange } from "../terms/dictionary.ts";
import type { Phrase, PhraseSet } from "./phrase-set.ts";
import { PhraseStream } from "./phrase-stream.ts";
import { computePhraseKey, type TypedText } from "./phrases.ts";

/** Returns the term numbers of words in a leaf, or undefined if a word is not a term of the leaf. */
export function findTerms({ terms }: Leaf, words: readonly string[]): readonly number[] | undefined {
  const termNumbers: number[] = [];
  for (let word = 0; word < words.length; word += 1) {
    const term = findText(terms, words[word] as string);
    if (term < 0) return undefined;
    termNumbers.push(term);
  }
  return termNumbers;
}

/** Returns the phrases that start with a text in lower case without accents, or undefined if there are none. */
export function findPhrasesWithPrefix(phraseSets: readonly PhraseSet[], prefix: string): PhraseStream | undefined {
  let stream: PhraseStream | undefined;
  for (const set of phraseSets) {
    const range = set.findRange(prefix);
    if (isEmptyRange(range)) continue;
    stream ??= new PhraseStream();
    stream.add(set, range);
  }
  return stream;
}

/** Returns whether any of the sets contains a phrase.  @param text the phrase in lower case without accents */
function isPhrase(phraseSets: readonly PhraseSet[], text: string): boolean {
  return phraseSets.some(({ phrases }) => findText(phrases.keys, text) >= 0);
}

/**
 * Returns the text of a completion. It is the typed text if both differ only in accents, and the completion has none or
 * a phrase has the typed ones: "bê" remains, even if "bé" is more frequent.
 */
export function keepTypedAccents(
  phraseSets: readonly PhraseSet[],
  { key, words, getTextBefore }: TypedText,
  completion: Pick<Phrase, "text" | "key">,
): string {
  const { text } = completion;
  const typedText = getTextBefore(words.length);
  if (completion.key !== key || typedText === text || typedText === key || !hasOnlyWords(typedText)) return text;
  const lastWord = typedText.slice(getTextBefore(words.length - 1).length);
  const isKnown = isSpelling(phraseSets, key, typedText) || isSpelling(phraseSets, words.at(-1) ?? "", lastWord);
  return text === spellFinalLetters(key) || isKnown ? typedText : text;
}

/** Returns whether a text contains no punctuation. */
function hasOnlyWords(text: string): boolean {
  return /^[\p{L}\p{M}\p{N} ]+$/u.test(text);
}

/** Returns whether a phrase with a key is displayed as a text. */
function isSpelling(phraseSets: readonly PhraseSet[], key: string, text: string): boolean {
  return phraseSets.some(({ phrases: { keys, texts } }) => {
    const { low, high } = findPrefix(keys, key);
    // The spellings of a phrase are neighbors, before longer phrases.
    for (let ordinal = low; ordinal < high && getText(keys, ordinal) === key; ordinal += 1)
      if (getText(texts, ordinal) === text) return true;
    return false;
  });
}

/**
 * Returns words as phrases display them, with accents.
 * @param words lower case without accents
 */
export function spellWords(phraseSets: readonly PhraseSet[], words: readonly string[]): string {
  return words.map((word) => findSpelling(phraseSets, word) ?? spellFinalLetters(word)).join(" ");
}

function findSpelling(phraseSets: readonly PhraseSet[], word: string): string | undefined {
  const text = findPhraseText(phraseSets, word);
  if (text !== undefined) return text;
  const firstWord = findPhrasesWithPrefix(phraseSets, `${word} `)?.next()?.text.split(" ", 1)[0];
  return firstWord !== undefined && computePhraseKey(firstWord) === word ? firstWord : undefined;
}

/** Returns the text of the first phrase with a key. */
function findPhraseText(phraseSets: readonly PhraseSet[], key: string): string | undefined {
  for (const { phrases } of phraseSets) {
    const ordinal = findText(phrases.keys, key);
    if (ordinal >= 0) return getText(phrases.texts, ordinal);
  }
  return undefined;
}

/**
 * Returns the last word of a text with the accents that it has in a phrase: "hồ" in "đồng hồ", although "hỗ" is more
 * frequent alone. Returns undefined if no phrase equals or continues the text.
 * @param key the text without case and accents
 * @param longerPhrase a phrase that continues the text, if the text is no phrase (see `findLongerPhrase`)
 */
export function spellLastWord(
  phraseSets: readonly PhraseSet[],
  key: string,
  lastWord: string,
  longerPhrase: Phrase | undefined,
): string | undefined {
  const text = longerPhrase?.text ?? findPhraseText(phraseSets, key);
  const spelling = text?.split(" ")[key.split(" ").length - 1];
  return spelling !== undefined && computePhraseKey(spelling) === lastWord ? spelling : undefined;
}

/**
 * Returns the heaviest catalog phrase that continues a text with another word, unless the text is a phrase itself.
 * @param text the text without case and accents
 */
export function findLongerPhrase(
  phraseSets: readonly PhraseSet[],
  catalogPhrases: readonly PhraseSet[],
  text: string,
): Phrase | undefined {
  return isPhrase(phraseSets, text) ? undefined : findPhrasesWithPrefix(catalogPhrases, `${text} `)?.next();
}

/** Returns whether any phrase starts with a text.  @param text lower case without accents; may end within a word */
export function hasPhraseWithPrefix(phraseSets: readonly PhraseSet[], text: string): boolean {
  return phraseSets.some((set) => !isEmptyRange(set.findRange(text)));
}

/** Returns whether a phrase starts with a word. With `isPrefix`, the word may be incomplete. */
export function isPhraseStart(phraseSets: readonly PhraseSet[], word: string, isPrefix: boolean): boolean {
  return (!isPrefix && isPhrase(phraseSets, word)) || hasPhraseWithPrefix(phraseSets, isPrefix ? word : `${word} `);
}
