import { isDigit } from "../analysis/chunks.ts";
import { spellFinalLetters } from "../analysis/fold.ts";
import { listForms } from "../analysis/inflections.ts";
import { isFiller } from "../analysis/particles.ts";
import { endsInUnit } from "../analysis/units.ts";
import type { GenerationCache } from "../generation-cache.ts";
import type { Leaf } from "../index/leaf.ts";
import { containsTerm, fieldMaskOf, lowerBound, phraseEndBit, positionOf, purposeBitIndex } from "../index/postings.ts";
import type { DisplayedTerm } from "../leaf-cache.ts";
import { maxPrimaryFields, type Schema } from "../schema.ts";
import { countTexts, findPrefix, findText, getPrefixLength, getText, type Range } from "../terms/dictionary.ts";
import { findTerms } from "./phrase-lookup.ts";

/** A word of the sampled documents, with which a completion can end. */
export interface SampledWord {
  /** The word without case and accents. */
  readonly key: string;
  /** The word as displayed. */
  readonly text: string;
  /** Sum of the word's points (see `wordScore`) over the sampled documents that contain the word. */
  readonly weight: number;
}

/** Points of a word in one document, which are highest if the word names the product. */
const wordScore = { phraseEnd: 4, primary: 2, other: 1 } as const;
/** Factor of the points of a word that directly follows the word before, as "lọc" follows "máy" in "máy lọc nước". */
const nextWordFactor = 2;
/** Maximum distance of two words that are completed together: at most one word of the title is between them. */
const maxWordDistance = 2;
/** Maximum number of words of a sample that are checked, heaviest first. */
const maxSampledWords = 16;

/** A sample of the documents of a leaf, which contains the documents of one language in a segment. */
export class DocumentSample {
  readonly #leaf: Leaf;
  readonly #docIds: readonly number[];
  readonly #schema: Schema;
  readonly #displayedTerms: GenerationCache<DisplayedTerm, number>;
  #fieldScores: Uint8Array | undefined;

  /** @param displayedTerms cache of the text that is displayed for each term, by term number */
  constructor(
    leaf: Leaf,
    docIds: readonly number[],
    schema: Schema,
    displayedTerms: GenerationCache<DisplayedTerm, number>,
  ) {
    this.#leaf = leaf;
    this.#docIds = docIds;
    this.#schema = schema;
    this.#displayedTerms = displayedTerms;
  }

  get isEmpty(): boolean {
    return this.#docIds.length === 0;
  }

  /**
   * Returns the words that start with a text, heaviest first.
   * @param previousWord word before the text. If set, words must end a phrase of a title or be close to this word in a
   * title, because a completion with unrelated words such as "shower hewitt" makes no sense.
   */
  sampleLastWords(prefix: string, previousWord: string | undefined): SampledWord[] {
    const range = findPrefix(this.#leaf.terms, prefix);
    const counts = new Map<number, TermCount>();
    const previousTerm = previousWord === undefined ? -1 : findText(this.#leaf.terms, previousWord);
    const letterTerm = previousTerm >= 0 && /^\p{L}$/u.test(prefix) ? findText(this.#leaf.terms, prefix) : -1;
    for (let index = 0; index < this.#docIds.length; index += 1) {
      const docId = this.#docIds[index] as number;
      const previousPosition = this.#findPosition(docId, previousTerm);
      this.#forEachPrimaryTerm(docId, range, (term, payload) => {
        const isNextWord = previousPosition >= 0 && positionOf(payload) === previousPosition + 1;
        // A typed letter that follows the word before it is a complete word, as in "vitamin c".
        const isLetterAfterWord = term === letterTerm && isNextWord;
        if (term === letterTerm && !isLetterAfterWord) return;
        const isPhraseEnd = isLetterAfterWord || (payload & phraseEndBit) > 0;
        const distance = previousPosition < 0 ? Infinity : Math.abs(positionOf(payload) - previousPosition);
        if (previousWord !== undefined && distance > maxWordDistance && !isPhraseEnd) return;
        const score = isPhraseEnd ? wordScore.phraseEnd : this.#computeScore(payload);
        addScore(counts, term, docId, isNextWord ? score * nextWordFactor : score);
      });
      if (previousWord === undefined) this.#countBodyTerms(counts, docId, range);
    }
    return this.#findHeaviestWords(counts, letterTerm);
  }

  /** Returns words that end a phrase of a title and follow all given words in this title. */
  sampleNextWords(words: readonly string[]): SampledWord[] {
    const { terms } = this.#leaf;
    const wordTerms = words.map((word) => findText(terms, word));
    const counts = new Map<number, TermCount>();
    for (const docId of this.#docIds) {
      const positions = wordTerms.map((term) => this.#findPosition(docId, term));
      const lastPosition = positions.reduce((maxPosition, position) => Math.max(maxPosition, position), -1);
      if (positions.includes(-1)) continue;
      this.#forEachPrimaryTerm(docId, { low: 0, high: countTexts(terms) }, (term, payload) => {
        if ((payload & phraseEndBit) > 0 && positionOf(payload) > lastPosition)
          addScore(counts, term, docId, wordScore.phraseEnd);
      });
    }
    for (const [term, { docId }] of counts) if (this.#isTermAfterNumber(term, docId)) counts.delete(term);
    return this.#findHeaviestWords(counts);
  }

  /** Returns whether a sampled document contains all words of a list. */
  containsWords(words: readonly string[]): boolean {
    return !this.isEmpty && this.#containsTerms(findTerms(this.#leaf, words));
  }

  /** Returns whether a sampled document contains the words with another form of the last one, such as the plural. */
  containsInflectedForm(words: readonly string[], locale: string): boolean {
    const previousTerms = this.isEmpty ? undefined : findTerms(this.#leaf, words.slice(0, -1));
    if (previousTerms === undefined) return false;
    return listForms({ text: words.at(-1) ?? "", isGram: false }, locale).some((form) => {
      const term = findText(this.#leaf.terms, form);
      return term >= 0 && this.#containsTerms([...previousTerms, term]);
    });
  }

  #containsTerms(terms: readonly number[] | undefined): boolean {
    if (terms === undefined) return false;
    for (let index = 0; index < this.#docIds.length; index += 1) {
      // Start with the last words. They are not part of the typed text, which all sampled documents contain, so fewer
      // documents contain them.
      let word = terms.length - 1;
      while (word >= 0 && this.#containsTerm(this.#docIds[index] as number, terms[word] as number)) word -= 1;
      if (word < 0) return true;
    }
    return false;
  }

  #forEachPrimaryTerm(docId: number, { low, high }: Range, visit: (term: number, payload: number) => void): void {
    const { starts, terms, payloads } = this.#leaf.primary.forward;
    const end = starts[docId + 1] as number;
    for (let entry = lowerBound(terms, starts[docId] as number, end, low); entry < end; entry += 1) {
      if ((terms[entry] as number) >= high) return;
      visit(terms[entry] as number, payloads[entry] as number);
    }
  }

  #countBodyTerms(counts: Map<number, TermCount>, docId: number, { low, high }: Range): void {
    const { starts, terms } = this.#leaf.body.forward;
    const end = starts[docId + 1] as number;
    for (let entry = lowerBound(terms, starts[docId] as number, end, low); entry < end; entry += 1) {
      if ((terms[entry] as number) >= high) return;
      addScore(counts, terms[entry] as number, docId, wordScore.other);
    }
  }

  /** Returns the position of a term in a document's fields except the body, or -1. */
  #findPosition(docId: number, term: number): number {
    let position = -1;
    this.#forEachPrimaryTerm(docId, { low: term, high: term + 1 }, (_, payload) => {
      position = positionOf(payload);
    });
    return position;
  }

  #containsTerm(docId: number, term: number): boolean {
    const { primary, body } = this.#leaf;
    return containsTerm(primary.forward, docId, term) || containsTerm(body.forward, docId, term);
  }

  #computeScore(payload: number): number {
    this.#fieldScores ??= computeFieldScores(this.#schema);
    const fieldBits = fieldMaskOf(payload);
    let bestScore = 0;
    for (let bit = 0; fieldBits >> bit > 0; bit += 1)
      if ((fieldBits & (1 << bit)) > 0) bestScore = Math.max(bestScore, this.#fieldScores[bit] as number);
    return bestScore;
  }

  /** Returns the heaviest words that completions may display.  @param letterTerm letter that may be displayed, or -1 */
  #findHeaviestWords(counts: ReadonlyMap<number, TermCount>, letterTerm = -1): SampledWord[] {
    const sortedCounts = [...counts].sort(([, a], [, b]) => b.points - a.points).slice(0, maxSampledWords);
    return sortedCounts.flatMap(([term, { points: weight, docId }]) => {
      const { key, phrase } = this.#displayedTerms.get(term, weightOf, () => this.#createDisplayedTerm(term));
      const text = phrase ?? this.#getDisplayText(key, docId, term === letterTerm);
      return text === undefined ? [] : [{ key, text, weight }];
    });
  }

  #createDisplayedTerm(term: number): DisplayedTerm {
    const { phrases, terms } = this.#leaf;
    const key = getText(terms, term);
    const phrase = findText(phrases.keys, key);
    return { key, phrase: phrase < 0 ? undefined : getText(phrases.texts, phrase) };
  }

  /**
   * Returns the display form of a term that is not a phrase. Returns undefined for terms that completions must not end
   * with: a word such as "the", a letter, a part of a quantity, or a joined word.
   * @param docId a document that contains the term
   */
  #getDisplayText(key: string, docId: number, isLetterShown: boolean): string | undefined {
    if ((key.length < 2 && !isLetterShown) || isFiller(key, this.#leaf.locale) || isIndexOnlyTerm(key))
      return undefined;
    return this.#isPartOfQuantity(key, docId) || this.#isJoinedWord(key, docId) ? undefined : spellFinalLetters(key);
  }

  /** Returns whether a term follows a number in a document, like the unit "dpi" in "1200 dpi". */
  #isTermAfterNumber(term: number, docId: number): boolean {
    const { units, starts } = this.#leaf.terms;
    const previousPosition = this.#findPosition(docId, term) - 1;
    let hasNumberBefore = false;
    this.#forEachPrimaryTerm(docId, { low: 0, high: countTexts(this.#leaf.terms) }, (otherTerm, payload) => {
      if (positionOf(payload) === previousPosition && isDigit(units[starts[otherTerm] as number] as number))
        hasNumberBefore = true;
    });
    return hasNumberBefore;
  }

  /**
   * Returns whether a word is a quantity, or the number of a quantity in a document: "5" in "5 kg", "90" in "90 x 200".
   */
  #isPartOfQuantity(key: string, docId: number): boolean {
    if (!/^[0-9]/.test(key)) return false;
    let isUnitFound = endsInUnit(key);
    // The index also contains each number joined with the word after it, like "5kg".
    this.#forEachPrimaryTerm(docId, findPrefix(this.#leaf.terms, key), (term) => {
      const text = getText(this.#leaf.terms, term);
      if (endsInUnit(text) || text === `${key}x`) isUnitFound = true;
    });
    return isUnitFound;
  }

  /** Returns whether a document also contains a word in parts, like "tshirt" as "t shirt". */
  #isJoinedWord(key: string, docId: number): boolean {
    const { terms } = this.#leaf;
    /** Numbers of letters at the start of the word that consist of other words of the document. */
    const prefixLengths = new Set([0]);
    for (const prefixLength of prefixLengths) {
      const remainder = key.slice(prefixLength);
      const remainingTerm = prefixLength === 0 ? -1 : findText(terms, remainder);
      if (remainingTerm >= 0 && this.#findPosition(docId, remainingTerm) >= 0) return true;
      this.#forEachPrimaryTerm(docId, { low: 0, high: countTexts(terms) }, (term) => {
        prefixLengths.add(prefixLength + getPrefixLength(terms, term, remainder));
      });
    }
    return false;
  }
}

/**
 * Returns whether a term is a normal form that titles may not contain: "0.625" for "5/8", "#8", "@8", "4x8*" or
 * "4ftx8ft". Dimensions that titles contain are completed as phrases.
 */
function isIndexOnlyTerm(key: string): boolean {
  return /[*.#@]|^[0-9]+[a-z]*x[0-9]/.test(key);
}

function weightOf({ key }: DisplayedTerm): number {
  return key.length;
}

interface TermCount {
  points: number;
  /** Last document in which the term was counted. */
  docId: number;
}

function addScore(counts: Map<number, TermCount>, term: number, docId: number, addedScore: number): void {
  if (addedScore === 0) return;
  const existingCount = counts.get(term);
  if (existingCount === undefined) counts.set(term, { points: addedScore, docId });
  else {
    existingCount.points += addedScore;
    existingCount.docId = docId;
  }
}

/** Computes the points of a word for each bit of a field mask. */
function computeFieldScores({ fields }: Schema): Uint8Array {
  const fieldScores = new Uint8Array(maxPrimaryFields + 1);
  fields.forEach(({ kind }, field) => {
    if (kind === "title" || kind === "phrase") fieldScores[field] = wordScore.primary;
    if (kind === "text") fieldScores[field] = wordScore.other;
  });
  fieldScores[purposeBitIndex] = wordScore.primary;
  return fieldScores;
}
