import type { CompletionSources } from "./completion-sources.ts";
import { generateCorrections } from "./generate-corrections.ts";
import type { SampledWord } from "./leaf-sample.ts";
import {
  findLongerPhrase,
  findPhrasesWithPrefix,
  hasPhraseWithPrefix,
  keepTypedAccents,
  spellLastWord,
  spellWords,
} from "./phrase-lookup.ts";
import type { Phrase, PhraseSet } from "./phrase-set.ts";
import { parseTypedText, type TypedText } from "./phrases.ts";
import type { TextSample } from "./text-sample.ts";

/** Maximum number of searches per completion request. */
const maxSearches = 8;
/**
 * Number of searches that are reserved for other kinds of completions, so that completions of the last words do not use
 * all of them.
 */
const reservedSearchCount = 4;
/**
 * Maximum number of phrases with the same beginning that are tried. It is greater than the number of completions,
 * because different spellings of a phrase count as one completion.
 */
const maxTriedPhrases = 40;
/** Maximum number of phrases that are tried for each correction of a misspelled text. */
const phrasesPerCorrection = 4;
/**
 * Maximum number of completions that combine the typed first words with a phrase for the last words. The limit is low,
 * because it is possible that no document contains the combination.
 */
const maxEndingPhrases = 3;
/** Maximum number of phrases that are tried for each ending of a text: the last word, the last two words, and so on. */
const phrasesPerEnding = 8;
/**
 * Minimum weight of a phrase that is suggested instead of its beginning, like "extra virgin olive oil" instead of
 * "extra virgin olive".
 */
const minLongerPhraseWeight = 4;
/**
 * Number of completions that is sufficient. If fewer phrases match, words of matching documents and the typed text
 * itself are added.
 */
const minCompletionCount = 4;

/**
 * Returns the completions of a typed text (see `complete`).
 * @param isFullWord whether a space follows the text, so that its last word is complete
 */
export function completePhrases(
  typedText: TypedText,
  isFullWord: boolean,
  limit: number,
  sources: CompletionSources,
): string[] {
  const completer = new Completer(limit, sources);
  if (isFullWord) completer.addNextWords(typedText);
  const hasResults = completer.count > 0 || completer.addPrefixMatches(typedText);
  // If a text has no results, no continuation of it has results either. The text may be misspelled.
  if (completer.count === 0 && !hasResults) completer.addCorrections(typedText);
  return completer.listResults(typedText);
}

/** Collects completions of one text. */
class Completer {
  readonly #limit: number;
  readonly #sources: CompletionSources;
  readonly #sets: readonly PhraseSet[];
  /** Completions in order of rank. Their keys are unique. */
  readonly #completions: Pick<Phrase, "text" | "key">[] = [];
  /** Texts that differ from a completion only by the singular or plural of the last word. They come last, if at all. */
  readonly #variantTexts = new Set<string>();
  #remainingSearches = maxSearches;
  #cachedSample: { readonly text: TypedText; readonly sample: TextSample } | undefined;

  constructor(limit: number, sources: CompletionSources) {
    this.#limit = limit;
    this.#sources = sources;
    this.#sets = [sources.popularPhrases, ...sources.catalogPhrases];
  }

  get count(): number {
    return this.#completions.length;
  }

  listResults(typedText: TypedText): string[] {
    const resultCount = Math.max(this.count, Math.min(minCompletionCount, this.#limit));
    const texts = this.#completions.map((completion) => keepTypedAccents(this.#sets, typedText, completion));
    return [...texts, ...this.#variantTexts].slice(0, resultCount);
  }

  /**
   * Adds completions that start with the text: popular queries, the text with its last word completed, and phrases of
   * the documents.
   * @returns whether a search for the text has exact results
   */
  addPrefixMatches(text: TypedText): boolean {
    const { popularPhrases, catalogPhrases } = this.#sources;
    this.#addPhrases([popularPhrases], text.key, maxTriedPhrases);
    if (text.words.length > 1) return this.#completeLastWord(text);
    this.#addPhrases(catalogPhrases, text.key, maxTriedPhrases);
    return this.count >= minCompletionCount || this.#completeLastWord(text);
  }

  /** Adds completions that continue the text with another word. */
  addNextWords(text: TypedText): void {
    const { popularPhrases, catalogPhrases } = this.#sources;
    this.#addPhrases([popularPhrases], `${text.key} `, maxTriedPhrases);
    const precedingText = `${text.getTextBefore(text.words.length)} `;
    this.#addPhrases(catalogPhrases, `${text.key} `, minCompletionCount);
    if (this.count < minCompletionCount)
      this.#addWords(precedingText, text.words, `${text.key} `, this.#getSample(text).sampleNextWords());
    this.#addPhrases(catalogPhrases, `${text.key} `, maxTriedPhrases);
  }

  /** Corrects a misspelled text, and adds completions of the corrected text. */
  addCorrections(typedText: TypedText): void {
    for (const key of generateCorrections(typedText, this.#sets, this.#sources)) {
      this.#addPhrases(this.#sets, key, phrasesPerCorrection);
      if (this.count === 0 && this.#hasSearchHit(key, false)) {
        const text = spellWords(this.#sets, key.split(" "));
        const correctedText = parseTypedText(text);
        const words = correctedText?.words ?? [];
        if (correctedText !== undefined && words.length > 1) this.#completeLastWord(correctedText);
        if (this.count === 0 && this.#sources.isWord(words.at(-1) ?? "", false))
          this.#add({ text, key, isMatchCertain: false });
      }
      if (this.#isFull || this.#remainingSearches <= 0) break;
    }
  }

  /**
   * Returns sample documents for a text. The last sample is cached, because a text with a space at its end needs it
   * twice.
   */
  #getSample(text: TypedText): TextSample {
    if (this.#cachedSample?.text !== text) this.#cachedSample = { text, sample: this.#sources.sample(text) };
    return this.#cachedSample.sample;
  }

  get #isFull(): boolean {
    return this.count >= this.#limit;
  }

  #hasSearchHit(text: string, isFullWord: boolean): boolean {
    return this.#remainingSearches-- > 0 && this.#sources.hasMatch(text, isFullWord);
  }

  #addPhrases(phraseSets: readonly PhraseSet[], text: string, maxCount: number): void {
    const phrases = findPhrasesWithPrefix(phraseSets, text);
    for (let remainingCompletions = maxCount; remainingCompletions > 0 && !this.#isFull; remainingCompletions -= 1) {
      const phrase = phrases?.next();
      if (phrase === undefined) return;
      this.#add(phrase);
    }
  }

  /**
   * Completes the last word, or the last words as a phrase, from documents that contain the preceding words.
   * @returns whether a search for the text has exact results
   */
  #completeLastWord(text: TypedText): boolean {
    if (this.#isFull) return true;
    if (this.#sources.isKnownWithoutMatch(text.key)) {
      this.#remainingSearches -= 1;
      return false;
    }
    let sample = this.#getSample(text);
    let endings = sample.sampleLastWords();
    if (endings.length === 0) {
      if (sample.isEmpty && !this.#hasSearchHit(text.key, false)) return false;
      sample = this.#sources.sampleWithBodies(text);
      endings = sample.sampleLastWords();
    }
    const lastIndex = text.words.length - 1;
    const precedingText = text.getTextBefore(lastIndex);
    const previousWords = text.words.slice(0, lastIndex);
    this.#addWords(precedingText, previousWords, text.key, endings);
    if (lastIndex > 0) {
      this.#addPhrases(this.#sources.catalogPhrases, text.key, maxTriedPhrases);
      this.#addEndingPhrases(text, sample);
    }
    if (this.count >= minCompletionCount) return true;
    const lastWord = text.words[lastIndex] ?? "";
    // Without completions, the typed text itself is offered even if its last word is not a word of the index, because
    // the text has results: with a split or joined word, a plural, or words in descriptions.
    const isFullWord = this.count === 0 || (!/^[0-9]/.test(lastWord) && this.#sources.isWord(lastWord, false));
    if (isFullWord && !this.#containsWord(previousWords, lastWord))
      this.#addTypedText(text, text.getTextBefore(lastIndex + 1), sample);
    return true;
  }

  /**
   * Adds the typed text as a completion if it has results. No search is needed if one of the documents that were
   * already read contains all its words.
   */
  #addTypedText({ key, words }: TypedText, text: string, sample: TextSample): void {
    const canTestMatch =
      this.#remainingSearches > 0 && !this.#isDuplicate(key) && !this.#sources.mayBeHidden(text, key);
    const isMatchCertain = canTestMatch && sample.containsWords(words);
    if (isMatchCertain) this.#remainingSearches -= 1;
    this.#add({ text, key, isMatchCertain });
  }

  /** Returns whether a list contains a word in singular or plural. */
  #containsWord(words: readonly string[], word: string): boolean {
    return words.some((otherWord) => otherWord === word || this.#sources.areInflections(otherWord, word));
  }

  /**
   * Adds completions that consist of the previous words and one of the sampled words.
   * @param textPrefix text, without case and accents, with which the completions usually start
   */
  #addWords(
    precedingText: string,
    previousWords: readonly string[],
    textPrefix: string,
    words: readonly SampledWord[],
  ): void {
    const prefix = previousWords.length === 0 ? "" : `${previousWords.join(" ")} `;
    let mayStartPhrase: boolean | undefined;
    for (const { key, text } of words) {
      if (this.#isFull) return;
      if (this.#containsWord(previousWords, key)) continue;
      const fullText = prefix + key;
      // Usually no phrase starts with the typed text. In this case, longer phrases are not looked up.
      mayStartPhrase ??= hasPhraseWithPrefix(this.#sets, textPrefix);
      const longerPhrase =
        mayStartPhrase || !fullText.startsWith(textPrefix)
          ? findLongerPhrase(this.#sets, this.#sources.catalogPhrases, fullText)
          : undefined;
      // A word that occurs only within a longer phrase is completed to that phrase: "extra virgin olive" to "extra
      // virgin olive oil".
      const isPartOfPhrase = longerPhrase !== undefined && longerPhrase.weight >= minLongerPhraseWeight;
      const word = (mayStartPhrase ? spellLastWord(this.#sets, fullText, key, longerPhrase) : undefined) ?? text;
      this.#add(isPartOfPhrase ? longerPhrase : { text: precedingText + word, key: fullText, isMatchCertain: true });
    }
  }

  /** Completes the last words with a phrase that starts with them. The words before them remain as typed. */
  #addEndingPhrases({ words, getTextBefore }: TypedText, sample: TextSample): void {
    const maxCount = Math.min(this.#limit, this.count + maxEndingPhrases);
    for (let start = 1; start < words.length; start += 1) {
      const phrases = findPhrasesWithPrefix(this.#sets, words.slice(start).join(" "));
      if (phrases === undefined) continue;
      const previousWords = words.slice(0, start);
      for (
        let remainingCompletions = phrasesPerEnding;
        remainingCompletions > 0 && this.count < maxCount;
        remainingCompletions -= 1
      ) {
        const phrase = phrases.next();
        if (phrase === undefined) break;
        if (phrase.words.some((word) => previousWords.includes(word))) continue;
        const isMatchCertain = sample.containsWords(phrase.words);
        const isSearchAllowed = this.count < minCompletionCount && this.#remainingSearches > reservedSearchCount;
        // If the sample contains all documents with the words, a search would rarely find further documents.
        const shouldSearch =
          isSearchAllowed && (this.count === 0 || !sample.isComplete || sample.containsInflectedForm(phrase.words));
        if (!isMatchCertain && !shouldSearch) continue;
        this.#add({
          text: getTextBefore(start) + phrase.text,
          key: `${previousWords.join(" ")} ${phrase.key}`,
          isMatchCertain,
        });
      }
    }
  }

  #add({ text, key, isMatchCertain }: Pick<Phrase, "text" | "key" | "isMatchCertain">): void {
    if (this.#isDuplicate(key)) return;
    if (!((isMatchCertain && !this.#sources.mayBeHidden(text, key)) || this.#hasSearchHit(text, true))) return;
    if (this.#isVariant(key)) this.#variantTexts.add(text);
    else this.#completions.push({ text, key });
  }

  #isDuplicate(key: string): boolean {
    return this.#completions.some((completion) => completion.key === key);
  }

  /** Returns whether the text differs from another completion only by the singular or plural of its last word. */
  #isVariant(key: string): boolean {
    for (const { key: otherKey } of this.#completions) {
      const stemLength = Math.min(otherKey.length, key.length) - maxEndingLetters;
      if (Math.max(otherKey.length, key.length) > stemLength + maxEndingLetters * 2) continue;
      // Fast path: most pairs of texts differ in the last letter before the possible endings, so they need no
      // comparison of inflected forms.
      if (stemLength > 0 && otherKey.charCodeAt(stemLength - 1) !== key.charCodeAt(stemLength - 1)) continue;
      const start = key.lastIndexOf(" ") + 1;
      if (!otherKey.startsWith(key.slice(0, Math.max(start, stemLength))) || otherKey.includes(" ", start)) continue;
      if (this.#sources.areInflections(key.slice(start), otherKey.slice(start))) return true;
    }
    return false;
  }
}

/** Maximum number of letters in which the singular and plural of a word differ. */
const maxEndingLetters = 2;
