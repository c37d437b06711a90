import type { LevenshteinAutomaton } from "../fuzzy/levenshtein-automaton.ts";
import { type Spellings, wordCorrections } from "./corrections.ts";
import type { SampledWord } from "./leaf-sample.ts";
import { beginsPhrase, beginsSome, isPhrase, type Phrase, type PhraseSet, phrasesWithPrefix } from "./phrase-lookup.ts";
import type { TextSample } from "./text-sample.ts";
import { type TypedText, typedText } from "./typed-text.ts";

/** What completions are made of. */
export interface Completing {
  readonly automaton: LevenshteinAutomaton;
  /** Popular queries, which come first. */
  readonly popular: PhraseSet;
  /** Phrases of the documents. */
  readonly catalogue: readonly PhraseSet[];
  readonly spellings: Spellings;
  /** Documents that hold all words of a text as they are, the last one as a beginning. Costs a search. */
  readonly sample: (text: TypedText) => TextSample;
  /** The same where some words may stand in bodies. */
  readonly sampleBodies: (text: TypedText) => TextSample;
  /** Whether a text finds something as it is: all its words, none misspelt; with `isWhole` the last one is no beginning. Costs a search. */
  readonly finds: (text: string, isWhole: boolean) => boolean;
  /** Whether it is known already that a text finds nothing as it is, its last word a beginning. */
  readonly isLost: (text: string) => boolean;
  /** Whether a document with all words of a phrase may be one that the search for the phrase does not show. */
  readonly mayBeRefused: (text: string, key: string) => boolean;
  /** Whether a document that may be found holds a word; with `isPrefix`, one that begins so. */
  readonly isWord: (word: string, isPrefix: boolean) => boolean;
  /** Whether two words are singular and plural of one. */
  readonly areForms: (one: string, other: string) => boolean;
}

/** Searches for one completion, at most. */
const mostFinds = 8;
/** Searches that are left for other completions than phrases for the last words. */
const keptFinds = 4;
/** Phrases that are tried for each that is wanted: several may have one key. */
const triedPerPhrase = 4;
/** Completions made of the first words as typed and a phrase for the last ones, at most: nobody may ever have said so. */
const mostEndings = 3;
/** Phrases that are tried as such endings, of each that begin alike. */
const triedEndings = 8;
/** Weight from which a phrase stands for words that are said within it alone. */
const pieceFrom = 4;
/** Corrections of a misspelt text that are tried. */
const maxCorrections = 6;
/** Completions up to which words that no phrase has are looked for, and singulars and plurals of others are added. */
const enough = 4;

/** @param isWhole a blank was typed behind the text: its last word is finished  @see complete */
export function completePhrases(typed: TypedText, isWhole: boolean, limit: number, from: Completing): string[] {
  const completer = new Completer(limit, from);
  if (isWhole) completer.addNext(typed);
  const isFound = completer.count > 0 || completer.addBeginning(typed);
  // A text that finds nothing finds nothing with more letters either.
  if (completer.count === 0 && !isFound) completer.addCorrected(typed);
  return completer.take();
}

/** Gathers completions of one text. */
class Completer {
  readonly #limit: number;
  readonly #from: Completing;
  readonly #sets: readonly PhraseSet[];
  /** No two with one key. */
  readonly #found: Pick<Phrase, "text" | "key">[] = [];
  /** Texts that say what one of those says, in singular or plural. */
  readonly #variants = new Set<string>();
  #findsLeft = mostFinds;
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
    const room = Math.max(this.count, Math.min(enough, this.#limit));
    return [...this.#found.map(({ text }) => text), ...this.#variants].slice(0, room);
  }

  /** Adds texts with this prefix: popular queries, the text with its last word completed, and phrases of the documents.
   *  @returns whether a search for the text itself finds a document with all its words as typed */
  addBeginning(text: TypedText): boolean {
    const { popular, catalogue } = this.#from;
    this.#addPhrases([popular], text.key, this.#limit * triedPerPhrase);
    if (text.words.length > 1) return this.#addEnding(text);
    this.#addPhrases(catalogue, text.key, this.#limit * triedPerPhrase);
    return this.count >= enough || this.#addEnding(text);
  }

  /** Texts that go on with another word. */
  addNext(text: TypedText): void {
    const { popular, catalogue } = this.#from;
    this.#addPhrases([popular], `${text.key} `, this.#limit * triedPerPhrase);
    const before = `${text.before(text.words.length)} `;
    this.#addPhrases(catalogue, `${text.key} `, enough);
    if (this.count < enough) this.#addWords(before, text.words, `${text.key} `, this.#sampleOf(text).nextWords());
    this.#addPhrases(catalogue, `${text.key} `, this.#limit * triedPerPhrase);
  }

  /** Completes what a misspelt text was likely meant to be. */
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

  /** The sample of the text that was asked for last is kept: a blank behind a word asks twice. */
  #sampleOf(text: TypedText): TextSample {
    if (this.#sampled?.text !== text) this.#sampled = { text, sample: this.#from.sample(text) };
    return this.#sampled.sample;
  }

  get #isFull(): boolean {
    return this.count >= this.#limit;
  }

  #finds(text: string, isWhole: boolean): boolean {
    return this.#findsLeft-- > 0 && this.#from.finds(text, isWhole);
  }

  #addPhrases(some: readonly PhraseSet[], text: string, most: number): void {
    const phrases = phrasesWithPrefix(some, text);
    for (let left = most; left > 0 && !this.#isFull; left -= 1) {
      const phrase = phrases?.next();
      if (phrase === undefined) return;
      this.#add(phrase);
    }
  }

  /** Completes the last word, or the last words as a phrase, by documents that hold the words before.
   *  @returns whether a search for the text itself finds a document with all its words as typed */
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
    // Found in other words: two that are one there, a plural, words of which some stand in descriptions.
    const isWhole = this.count === 0 || (!/^[0-9]/.test(typed) && this.#from.isWord(typed, false));
    if (this.count < enough && isWhole && !this.#isSaid(wordsBefore, typed))
      this.#addTyped(text, text.before(last + 1), sample);
    return true;
  }

  /** Adds the text itself; where a document of its sample holds all its words whole, it is found without a search. */
  #addTyped({ key, words }: TypedText, text: string, sample: TextSample): void {
    const mayBeSure = this.#findsLeft > 0 && !this.#isFound(key) && !this.#from.mayBeRefused(text, key);
    const isSure = mayBeSure && sample.holds(words);
    if (isSure) this.#findsLeft -= 1;
    this.#add({ text, key, isSure });
  }

  /** Whether a word is among others, in singular or plural. */
  #isSaid(words: readonly string[], word: string): boolean {
    return words.some((one) => one === word || this.#from.areForms(one, word));
  }

  /** Completes a text by words behind those that are typed whole. @param beginning what all texts with one of the words begin with */
  #addWords(before: string, wordsBefore: readonly string[], beginning: string, words: readonly SampledWord[]): void {
    const said = wordsBefore.length === 0 ? "" : `${wordsBefore.join(" ")} `;
    let mayBePhrase: boolean | undefined;
    for (const { key, text } of words) {
      if (this.#isFull) return;
      if (this.#isSaid(wordsBefore, key)) continue;
      const whole = said + key;
      // Mostly no phrase begins with all that is typed: none needs to be looked for word by word.
      mayBePhrase ??= beginsSome(this.#sets, beginning);
      const longer = mayBePhrase || !whole.startsWith(beginning) ? this.#longerThan(whole) : undefined;
      // Words that the catalogue says only within a longer phrase are a piece of that: "extra virgin olive" of "extra virgin olive oil".
      const isPiece = longer !== undefined && longer.weight >= pieceFrom;
      this.#add(isPiece ? longer : { text: before + text, key: whole, isSure: true });
    }
  }

  /** The heaviest phrase of the catalogue that goes on with another word behind a text that is no phrase itself. */
  #longerThan(text: string): Phrase | undefined {
    return isPhrase(this.#sets, text) ? undefined : phrasesWithPrefix(this.#from.catalogue, `${text} `)?.next();
  }

  /** Completes the last words, as many of them as begin a phrase; the words before them stay as typed. */
  #addEndingPhrases({ words, before }: TypedText, sample: TextSample): void {
    const most = Math.min(this.#limit, this.count + mostEndings);
    for (let at = 1; at < words.length; at += 1) {
      const phrases = phrasesWithPrefix(this.#sets, words.slice(at).join(" "));
      if (phrases === undefined) continue;
      const wordsBefore = words.slice(0, at);
      for (let left = triedEndings; left > 0 && this.count < most; left -= 1) {
        const phrase = phrases.next();
        if (phrase === undefined) break;
        if (phrase.words.some((word) => wordsBefore.includes(word))) continue;
        const isSure = sample.holdsPhrase(phrase);
        const maySearch = this.count < enough && this.#findsLeft > keptFinds;
        // Of a sample of all documents with the words, a search would hardly find others.
        const isSought = maySearch && (this.count === 0 || !sample.isWhole || sample.holdsForm(phrase));
        if (!isSure && !isSought) continue;
        this.#add({ text: before(at) + phrase.text, key: `${wordsBefore.join(" ")} ${phrase.key}`, isSure });
      }
    }
  }

  #add({ text, key, isSure }: Pick<Phrase, "text" | "key" | "isSure">): void {
    if (this.#isFound(key)) return;
    if (!((isSure && !this.#from.mayBeRefused(text, key)) || this.#finds(text, true))) return;
    if (this.#isVariant(key)) this.#variants.add(text);
    else this.#found.push({ text, key });
  }

  #isFound(key: string): boolean {
    return this.#found.some((known) => known.key === key);
  }

  /** Whether the same was found with its last word in singular or plural. */
  #isVariant(key: string): boolean {
    for (const { key: known } of this.#found) {
      const stem = Math.min(known.length, key.length) - longestEnding;
      if (Math.max(known.length, key.length) > stem + longestEnding * 2) continue;
      // Most pairs differ here: their forms need not be made.
      if (stem > 0 && known.charCodeAt(stem - 1) !== key.charCodeAt(stem - 1)) continue;
      const start = key.lastIndexOf(" ") + 1;
      if (!known.startsWith(key.slice(0, Math.max(start, stem))) || known.includes(" ", start)) continue;
      if (this.#from.areForms(key.slice(start), known.slice(start))) return true;
    }
    return false;
  }
}

/** Letters in which singular and plural of a word differ, at most. */
const longestEnding = 2;

/** Corrections of a text that finds nothing, likeliest first. */
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
  // A word in bodies alone is likely right; if that leads to nothing, it may be misspelt there as well.
  const ofWord = spellings.ofWords(automaton);
  for (const isKnown of [stands, begins])
    for (const { text } of wordCorrections(ofWord, words, isKnown, maxCorrections)) yield text;
}
