import { isDigit } from "../analysis/chunks.ts";
import { collectWords } from "../analysis/languages/registry.ts";
import { endsInUnit } from "../analysis/units.ts";
import type { GenerationCache } from "../generation-cache.ts";
import type { Leaf } from "../index/leaf.ts";
import { type ForwardIndex, fieldMaskOf, firstNotBelow, phraseEnd, positionOf, purposeBit } from "../index/postings.ts";
import type { DisplayedTerm } from "../leaf-cache.ts";
import { maxPrimaryFields, type Schema } from "../schema.ts";
import { type Dictionary, findText, prefixRange, type Range, textAt, textCount } from "../terms/dictionary.ts";
import { type Phrase, termsOf } from "./phrase-lookup.ts";

/** A word that sampled documents contain. */
export interface SampledWord {
  /** The folded word. */
  readonly key: string;
  /** The word as displayed. */
  readonly text: string;
  /** Sum of the word's points over the documents that contain it (see `wordPoints`). */
  readonly weight: number;
}

/** Points of a word in one document, which are highest if the word names the product. */
const points = { phraseEnd: 4, primary: 2, other: 1 } as const;
/** Maximum number of words that are checked, heaviest first. */
const maxSampledWords = 16;

/** A sample of the documents of a leaf. */
export class LeafSample {
  readonly #leaf: Leaf;
  readonly #docIds: readonly number[];
  readonly #schema: Schema;
  readonly #shownTerms: GenerationCache<DisplayedTerm, number>;
  #pointsByField: Uint8Array | undefined;

  /** @param displayedTerms cache of displayed terms, by term of the leaf */
  constructor(
    leaf: Leaf,
    docIds: readonly number[],
    schema: Schema,
    shownTerms: GenerationCache<DisplayedTerm, number>,
  ) {
    this.#leaf = leaf;
    this.#docIds = docIds;
    this.#schema = schema;
    this.#shownTerms = shownTerms;
  }

  get isEmpty(): boolean {
    return this.#docIds.length === 0;
  }

  /** Returns the words that start with a text, heaviest first. */
  lastWords(beginning: string): SampledWord[] {
    const range = prefixRange(this.#leaf.terms, beginning);
    const counts = new Map<number, Count>();
    for (let at = 0; at < this.#docIds.length; at += 1) {
      const docId = this.#docIds[at] as number;
      this.#countPrimary(counts, docId, range);
      this.#countBody(counts, docId, range);
    }
    return this.#heaviest(counts);
  }

  /** Returns words that end a phrase of a title, after all given words. */
  nextWords(words: readonly string[]): SampledWord[] {
    const { terms } = this.#leaf;
    const before = words.map((word) => findText(terms, word));
    const counts = new Map<number, Count>();
    for (const docId of this.#docIds) {
      const positions = before.map((term) => this.#positionOf(docId, term));
      const last = positions.reduce((most, position) => Math.max(most, position), -1);
      if (positions.includes(-1)) continue;
      this.#eachPrimary(docId, { low: 0, high: textCount(terms) }, (term, payload) => {
        if ((payload & phraseEnd) > 0 && positionOf(payload) > last) count(counts, term, docId, points.phraseEnd);
      });
    }
    for (const [term, { docId }] of counts) if (this.#isBehindNumber(term, docId)) counts.delete(term);
    return this.#heaviest(counts);
  }

  /** Returns whether a document contains all words of a list. */
  holds(words: readonly string[]): boolean {
    return !this.isEmpty && this.#holdsTerms(termsOf(this.#leaf, words));
  }

  /** Returns whether a document contains all words of a phrase. */
  holdsPhrase(phrase: Phrase): boolean {
    return !this.isEmpty && this.#holdsTerms(phrase.termsIn(this.#leaf));
  }

  /** Returns whether a document contains a phrase with its last word in another form. */
  holdsForm(phrase: Phrase, locale: string): boolean {
    return !this.isEmpty && phrase.formsIn(this.#leaf, locale).some((terms) => this.#holdsTerms(terms));
  }

  #holdsTerms(terms: readonly number[] | undefined): boolean {
    if (terms === undefined) return false;
    for (let at = 0; at < this.#docIds.length; at += 1) {
      // Fewer documents contain the last words, which were not typed yet.
      let word = terms.length - 1;
      while (word >= 0 && this.#holdsTerm(this.#docIds[at] as number, terms[word] as number)) word -= 1;
      if (word < 0) return true;
    }
    return false;
  }

  #eachPrimary(docId: number, { low, high }: Range, take: (term: number, payload: number) => void): void {
    const { starts, terms, payloads } = this.#leaf.primary.forward;
    const end = starts[docId + 1] as number;
    for (let at = firstNotBelow(terms, starts[docId] as number, end, low); at < end; at += 1) {
      if ((terms[at] as number) >= high) return;
      take(terms[at] as number, payloads[at] as number);
    }
  }

  /** Adds up the terms of a range in a document's primary fields. */
  #countPrimary(counts: Map<number, Count>, docId: number, { low, high }: Range): void {
    const { starts, terms, payloads } = this.#leaf.primary.forward;
    const end = starts[docId + 1] as number;
    for (let at = firstNotBelow(terms, starts[docId] as number, end, low); at < end; at += 1) {
      const term = terms[at] as number;
      if (term >= high) return;
      const payload = payloads[at] as number;
      count(counts, term, docId, (payload & phraseEnd) > 0 ? points.phraseEnd : this.#pointsOf(payload));
    }
  }

  #countBody(counts: Map<number, Count>, docId: number, { low, high }: Range): void {
    const { starts, terms } = this.#leaf.body.forward;
    const end = starts[docId + 1] as number;
    for (let at = firstNotBelow(terms, starts[docId] as number, end, low); at < end; at += 1) {
      if ((terms[at] as number) >= high) return;
      count(counts, terms[at] as number, docId, points.other);
    }
  }

  /** Returns the position of a term in a document's primary fields, or -1. */
  #positionOf(docId: number, term: number): number {
    let position = -1;
    this.#eachPrimary(docId, { low: term, high: term + 1 }, (_, payload) => {
      position = positionOf(payload);
    });
    return position;
  }

  #holdsTerm(docId: number, term: number): boolean {
    const { primary, body } = this.#leaf;
    return holdsIn(primary.forward, docId, term) || holdsIn(body.forward, docId, term);
  }

  #pointsOf(payload: number): number {
    this.#pointsByField ??= pointsByField(this.#schema);
    const mask = fieldMaskOf(payload);
    let best = 0;
    for (let bit = 0; mask >> bit > 0; bit += 1)
      if ((mask & (1 << bit)) > 0) best = Math.max(best, this.#pointsByField[bit] as number);
    return best;
  }

  /** Returns the heaviest words that completions may display. */
  #heaviest(counts: ReadonlyMap<number, Count>): SampledWord[] {
    const sorted = [...counts].sort(([, one], [, other]) => other.points - one.points).slice(0, maxSampledWords);
    return sorted.flatMap(([term, { points: weight, docId }]) => {
      const { key, phrase } = this.#shownTerms.get(term, weightOfShown, () => this.#readTerm(term));
      const text = phrase ?? this.#shown(key, docId);
      return text === undefined ? [] : [{ key, text, weight }];
    });
  }

  #readTerm(term: number): DisplayedTerm {
    const { phrases, terms } = this.#leaf;
    const key = textAt(terms, term);
    const phrase = findText(phrases.keys, key);
    return { key, phrase: phrase < 0 ? undefined : textAt(phrases.texts, phrase) };
  }

  /**
   * Returns the display form of a term that is not a phrase. Returns undefined for terms that completions must not end
   * with: a filler, a letter, a part of a quantity, or a joined word.
   * @param docId a document that contains the term
   */
  #shown(key: string, docId: number): string | undefined {
    if (key.length < 2 || fillers.has(key) || isIndexOnly(key)) return undefined;
    return this.#isOfQuantity(key, docId) || this.#isJoined(key, docId) ? undefined : key;
  }

  /** Returns whether a term follows a number in a document, like the unit "dpi" in "1200 dpi". */
  #isBehindNumber(term: number, docId: number): boolean {
    const { units, starts } = this.#leaf.terms;
    const before = this.#positionOf(docId, term) - 1;
    let isBehind = false;
    this.#eachPrimary(docId, { low: 0, high: textCount(this.#leaf.terms) }, (other, payload) => {
      if (positionOf(payload) === before && isDigit(units[starts[other] as number] as number)) isBehind = true;
    });
    return isBehind;
  }

  /**
   * Returns whether a word is a quantity, or the number of a quantity in a document: "5" in "5 kg", "90" in "90 x 200".
   */
  #isOfQuantity(key: string, docId: number): boolean {
    if (!/^[0-9]/.test(key)) return false;
    let isFound = endsInUnit(key);
    // A number and the word after it are an additional term.
    this.#eachPrimary(docId, prefixRange(this.#leaf.terms, key), (term) => {
      const text = textAt(this.#leaf.terms, term);
      if (endsInUnit(text) || text === `${key}x`) isFound = true;
    });
    return isFound;
  }

  /** Returns whether a document also contains a word in two parts, like "tshirt" as "t shirt". */
  #isJoined(key: string, docId: number): boolean {
    const { terms } = this.#leaf;
    let isJoined = false;
    this.#eachPrimary(docId, { low: 0, high: textCount(terms) }, (first) => {
      const length = beginningOf(terms, first, key);
      if (isJoined || length === 0) return;
      const rest = findText(terms, key.slice(length));
      isJoined = rest >= 0 && this.#positionOf(docId, rest) >= 0;
    });
    return isJoined;
  }
}

/**
 * Returns whether titles may lack a term as it is written: "0.625" for "5/8", "#8", "4x8*", "4ftx8ft". Phrases complete
 * dimensions that titles contain.
 */
function isIndexOnly(key: string): boolean {
  return /[*.#]|^[0-9]+[a-z]*x[0-9]/.test(key);
}

function weightOfShown({ key }: DisplayedTerm): number {
  return key.length;
}

function holdsIn({ starts, terms }: ForwardIndex, docId: number, term: number): boolean {
  const end = starts[docId + 1] as number;
  const at = firstNotBelow(terms, starts[docId] as number, end, term);
  return at < end && terms[at] === term;
}

/** Returns the length of a term that is a prefix of a longer text, or 0. */
function beginningOf({ units, starts }: Dictionary, term: number, text: string): number {
  const start = starts[term] as number;
  const length = (starts[term + 1] as number) - start;
  if (length >= text.length) return 0;
  for (let at = 0; at < length; at += 1) if (units[start + at] !== text.charCodeAt(at)) return 0;
  return length;
}

interface Count {
  points: number;
  /** Last document in which the term was counted. */
  docId: number;
}

function count(counts: Map<number, Count>, term: number, docId: number, more: number): void {
  if (more === 0) return;
  const known = counts.get(term);
  if (known === undefined) counts.set(term, { points: more, docId });
  else {
    known.points += more;
    known.docId = docId;
  }
}

const fillers = collectWords((language) => language.fillers);

/** Computes the points of a word by field and purpose bit. */
function pointsByField({ fields }: Schema): Uint8Array {
  const found = new Uint8Array(maxPrimaryFields + 1);
  fields.forEach(({ kind }, field) => {
    if (kind === "title" || kind === "phrase") found[field] = points.primary;
    if (kind === "text") found[field] = points.other;
  });
  found[purposeBit] = points.primary;
  return found;
}
