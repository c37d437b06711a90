import type { LevenshteinAutomaton } from "../fuzzy/levenshtein-automaton.ts";
import { type Spellings, wordCorrections } from "./corrections.ts";
import type { SampledWord } from "./leaf-sample.ts";
import { beginsPhrase, beginsSome, isPhrase, type Phrase, type PhraseSet, phrasesWithPrefix } from "./phrase-lookup.ts";
import { type TypedText, typedText } from "./phrases.ts";
import type { TextSample } from "./text-sample.ts";

/** Data and lookups from which completions are derived. */
export interface Completing {
  readonly automaton: LevenshteinAutomaton;
  /** Popular queries, which rank first. */
  readonly popular: PhraseSet;
  /** Phrases of the documents. */
  readonly catalogue: readonly PhraseSet[];
  readonly spellings: Spellings;
  /** Returns documents that contain all words of a text exactly, with the last word as a prefix. Requires a search. */
  readonly sample: (text: TypedText) => TextSample;
  /** Returns documents that contain all words of a text, including words in bodies. Requires a search. */
  readonly sampleBodies: (text: TypedText) => TextSample;
  /**
   * Returns whether a text has exact results, with the last word as a prefix unless it is complete. Requires a search.
   */
  readonly finds: (text: string, isFullWord: boolean) => boolean;
  /** Returns whether a text is known to have no exact results. */
  readonly isLost: (text: string) => boolean;
  /** Returns whether the search for a phrase may hide a document with all words of the phrase. */
  readonly mayBeHidden: (text: string, key: string) => boolean;
  /** Returns whether any document contains a word, or with `isPrefix` a word that starts with the text. */
  readonly isWord: (word: string, isPrefix: boolean) => boolean;
  /** Returns whether two words are the singular and plural of one word. */
  readonly areForms: (one: string, other: string) => boolean;
}

/** Maximum number of searches per completion request. */
const maxFinds = 8;
/** Number of searches reserved for completions other than phrases for the last words. */
const reservedFinds = 4;
/**
 * Maximum number of phrases that are tried for each requested completion, because several phrases may have the same
 * key.
 */
const triedPerPhrase = 4;
/**
 * Maximum number of completions that combine the typed first words with a phrase for the last words. Such words may not
 * occur together.
 */
const maxEndings = 3;
/** Maximum number of phrases that are tried for such an ending, of each group with a common prefix. */
const triedEndings = 8;
/** Minimum weight of a phrase that replaces words found only within the phrase. */
const pieceFrom = 4;
/** Maximum number of corrections that are tried for a misspelled text. */
const maxCorrections = 6;
/** Number of completions below which words without phrases and other forms of words are added. */
const sufficientCount = 4;

/**
 * Returns the completions of a text (see `complete`).
 * @param isFullWord whether a space follows the text, so that its last word is complete
 */
export function completePhrases(typed: TypedText, isFullWord: boolean, limit: number, from: Completing): string[] {
  const completer = new Completer(limit, from);
  if (isFullWord) completer.addNext(typed);
  const isFound = completer.count > 0 || completer.addBeginning(typed);
  // If a text has no results, longer texts have no results either.
  if (completer.count === 0 && !isFound) completer.addCorrected(typed);
  return completer.take();
}

/** Collects completions of one text. */
class Completer {
  readonly #limit: number;
  readonly #from: Completing;
  readonly #sets: readonly PhraseSet[];
  /** Completions in order of rank. Their keys are unique. */
  readonly #found: Pick<Phrase, "text" | "key">[] = [];
  /** Texts that differ from a completion only by the singular or plural of the last word. */
  readonly #variants = new Set<string>();
  #findsLeft = maxFinds;
  #sampled: { readonly text: TypedText; readonly sample: TextSample } | undefined;

  constructor(limit: number, from: Completing) {
    this.#limit = limit;
    this.#from = from;
    this.#sets = [from.popular, ...from.catalogue];
  }

  get count(): number {
    return this.#found.length;
  }

  take(): string[] {
    const room = Math.max(this.count, Math.min(sufficientCount, this.#limit));
    return [...this.#found.map(({ text }) => text), ...this.#variants].slice(0, room);
  }

  /**
   * Adds texts with this prefix: popular queries, the text with its last word completed, and phrases of the documents.
   * @returns whether a search for the text has exact results
   */
  addBeginning(text: TypedText): boolean {
    const { popular, catalogue } = this.#from;
    this.#addPhrases([popular], text.key, this.#limit * triedPerPhrase);
    if (text.words.length > 1) return this.#addEnding(text);
    this.#addPhrases(catalogue, text.key, this.#limit * triedPerPhrase);
    return this.count >= sufficientCount || this.#addEnding(text);
  }

  /** Adds texts that continue with another word. */
  addNext(text: TypedText): void {
    const { popular, catalogue } = this.#from;
    this.#addPhrases([popular], `${text.key} `, this.#limit * triedPerPhrase);
    const before = `${text.before(text.words.length)} `;
    this.#addPhrases(catalogue, `${text.key} `, sufficientCount);
    if (this.count < sufficientCount)
      this.#addWords(before, text.words, `${text.key} `, this.#sampleOf(text).nextWords());
    this.#addPhrases(catalogue, `${text.key} `, this.#limit * triedPerPhrase);
  }

  /** Adds completions of corrections of a misspelled text. */
  addCorrected(typed: TypedText): void {
    for (const text of correctionsOf(typed, this.#sets, this.#from)) {
      this.#addPhrases(this.#sets, text, triedPerPhrase);
      const corrected = typedText(text);
      if (this.count === 0 && corrected !== undefined && this.#finds(text, false)) {
        if (corrected.words.length > 1) this.#addEnding(corrected);
        const last = corrected.words.at(-1) ?? "";
        if (this.count === 0 && this.#from.isWord(last, false)) this.#add({ text, key: text, isSure: false });
      }
      if (this.#isFull || this.#findsLeft <= 0) break;
    }
  }

  /**
   * Returns the sample of a text. The last sample is cached, because a text with a space at its end requests it twice.
   */
  #sampleOf(text: TypedText): TextSample {
    if (this.#sampled?.text !== text) this.#sampled = { text, sample: this.#from.sample(text) };
    return this.#sampled.sample;
  }

  get #isFull(): boolean {
    return this.count >= this.#limit;
  }

  #finds(text: string, isFullWord: boolean): boolean {
    return this.#findsLeft-- > 0 && this.#from.finds(text, isFullWord);
  }

  #addPhrases(some: readonly PhraseSet[], text: string, maxCount: number): void {
    const phrases = phrasesWithPrefix(some, text);
    for (let left = maxCount; left > 0 && !this.#isFull; left -= 1) {
      const phrase = phrases?.next();
      if (phrase === undefined) return;
      this.#add(phrase);
    }
  }

  /**
   * Completes the last word, or the last words as a phrase, from documents that contain the words before.
   * @returns whether a search for the text has exact results
   */
  #addEnding(text: TypedText): boolean {
    if (this.#isFull) return true;
    if (this.#from.isLost(text.key)) {
      this.#findsLeft -= 1;
      return false;
    }
    let sample = this.#sampleOf(text);
    let endings = sample.lastWords();
    if (endings.length === 0) {
      if (sample.isEmpty && !this.#finds(text.key, false)) return false;
      sample = this.#from.sampleBodies(text);
      endings = sample.lastWords();
    }
    const last = text.words.length - 1;
    const before = text.before(last);
    const wordsBefore = text.words.slice(0, last);
    this.#addWords(before, wordsBefore, text.key, endings);
    if (last > 0) {
      this.#addPhrases(this.#from.catalogue, text.key, this.#limit * triedPerPhrase);
      this.#addEndingPhrases(text, sample);
    }
    const typed = text.words[last] ?? "";
    // The text matches in another way: a split or joined word, a plural, or words in descriptions.
    const isFullWord = this.count === 0 || (!/^[0-9]/.test(typed) && this.#from.isWord(typed, false));
    if (this.count < sufficientCount && isFullWord && !this.#isSaid(wordsBefore, typed))
      this.#addTyped(text, text.before(last + 1), sample);
    return true;
  }

  /** Adds the typed text itself. If a document of its sample contains all words exactly, no search is needed. */
  #addTyped({ key, words }: TypedText, text: string, sample: TextSample): void {
    const mayBeSure = this.#findsLeft > 0 && !this.#isFound(key) && !this.#from.mayBeHidden(text, key);
    const isSure = mayBeSure && sample.holds(words);
    if (isSure) this.#findsLeft -= 1;
    this.#add({ text, key, isSure });
  }

  /** Returns whether the words contain a word in singular or plural. */
  #isSaid(words: readonly string[], word: string): boolean {
    return words.some((one) => one === word || this.#from.areForms(one, word));
  }

  /**
   * Completes a text by words after the complete typed words.
   * @param textPrefix common prefix of all texts with one of the words
   */
  #addWords(before: string, wordsBefore: readonly string[], beginning: string, words: readonly SampledWord[]): void {
    const prefix = wordsBefore.length === 0 ? "" : `${wordsBefore.join(" ")} `;
    let mayBePhrase: boolean | undefined;
    for (const { key, text } of words) {
      if (this.#isFull) return;
      if (this.#isSaid(wordsBefore, key)) continue;
      const fullText = prefix + key;
      // Usually no phrase starts with the typed text, so that no word needs a lookup.
      mayBePhrase ??= beginsSome(this.#sets, beginning);
      const longer = mayBePhrase || !fullText.startsWith(beginning) ? this.#longerThan(fullText) : undefined;
      // Words that occur only within a longer phrase are a part of it, like "extra virgin olive" of "extra virgin olive
      // oil".
      // oil".
      const isPiece = longer !== undefined && longer.weight >= pieceFrom;
      this.#add(isPiece ? longer : { text: before + text, key: fullText, isSure: true });
    }
  }

  /**
   * Returns the heaviest catalog phrase that continues a text with another word, unless the text is a phrase itself.
   */
  #longerThan(text: string): Phrase | undefined {
    return isPhrase(this.#sets, text) ? undefined : phrasesWithPrefix(this.#from.catalogue, `${text} `)?.next();
  }

  /** Completes the last words with a phrase that starts with them. The words before remain as typed. */
  #addEndingPhrases({ words, before }: TypedText, sample: TextSample): void {
    const maxCount = Math.min(this.#limit, this.count + maxEndings);
    for (let at = 1; at < words.length; at += 1) {
      const phrases = phrasesWithPrefix(this.#sets, words.slice(at).join(" "));
      if (phrases === undefined) continue;
      const wordsBefore = words.slice(0, at);
      for (let left = triedEndings; left > 0 && this.count < maxCount; left -= 1) {
        const phrase = phrases.next();
        if (phrase === undefined) break;
        if (phrase.words.some((word) => wordsBefore.includes(word))) continue;
        const isSure = sample.holdsPhrase(phrase);
        const maySearch = this.count < sufficientCount && this.#findsLeft > reservedFinds;
        // If the sample contains all documents with the words, a search would rarely find others.
        const isSought = maySearch && (this.count === 0 || !sample.isComplete || sample.holdsForm(phrase));
        if (!isSure && !isSought) continue;
        this.#add({ text: before(at) + phrase.text, key: `${wordsBefore.join(" ")} ${phrase.key}`, isSure });
      }
    }
  }

  #add({ text, key, isSure }: Pick<Phrase, "text" | "key" | "isSure">): void {
    if (this.#isFound(key)) return;
    if (!((isSure && !this.#from.mayBeHidden(text, key)) || this.#finds(text, true))) return;
    if (this.#isVariant(key)) this.#variants.add(text);
    else this.#found.push({ text, key });
  }

  #isFound(key: string): boolean {
    return this.#found.some((known) => known.key === key);
  }

  /** Returns whether a completion differs only by the singular or plural of its last word. */
  #isVariant(key: string): boolean {
    for (const { key: known } of this.#found) {
      const stem = Math.min(known.length, key.length) - longestEnding;
      if (Math.max(known.length, key.length) > stem + longestEnding * 2) continue;
      // Fast path: most pairs of texts differ here, so their forms are not needed.
      if (stem > 0 && known.charCodeAt(stem - 1) !== key.charCodeAt(stem - 1)) continue;
      const start = key.lastIndexOf(" ") + 1;
      if (!known.startsWith(key.slice(0, Math.max(start, stem))) || known.includes(" ", start)) continue;
      if (this.#from.areForms(key.slice(start), known.slice(start))) return true;
    }
    return false;
  }
}

/** Maximum number of letters in which the singular and plural of a word differ. */
const longestEnding = 2;

/** Yields the corrections of a text without results, most likely first. */
function* correctionsOf(
  { key, words }: TypedText,
  sets: readonly PhraseSet[],
  { automaton, spellings, isWord }: Pick<Completing, "automaton" | "spellings" | "isWord">,
): Generator<string, void> {
  for (const { text } of spellings.ofWhole(automaton, key, maxCorrections)) yield text;
  const isLast = (at: number): boolean => at === words.length - 1;
  const begins = words.map((word, at) => beginsPhrase(sets, word, isLast(at)));
  const stands = words.map((word, at) => begins[at] === true || isWord(word, isLast(at)));
  if (words.length === 1) return;
  // A word that is only in bodies is probably correct. If it has no completions, it may be misspelled there too.
  const ofWord = spellings.ofWords(automaton);
  for (const isKnown of [stands, begins])
    for (const { text } of wordCorrections(ofWord, words, isKnown, maxCorrections)) yield text;
}
