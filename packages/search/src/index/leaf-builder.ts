import { findLastWords } from "../analysis/compounds.ts";
import { Tokenizer } from "../analysis/tokenizer.ts";
import { growArray, Uint16List, Uint32List } from "../arrays/shared-arrays.ts";
import { checkSchema, type Field, type Schema } from "../schema.ts";
import { SchemaScores } from "../scoring/field-scores.ts";
import type { SearchDocument } from "../search-index.ts";
import { createPhraseCounter, type PhraseCounter } from "../suggest/phrases.ts";
import { TermTable } from "../terms/term-table.ts";
import { CategoryLog, hashCategory } from "./categories.ts";
import { type FieldLengths, packLengths } from "./doc-values.ts";
import type { Leaf } from "./leaf.ts";
import { packLeaf, type TokenizedDocuments } from "./pack-leaf.ts";
import { bodyFieldBit, fieldMaskOf, maxPosition, packPayload, phraseEndBit, purposeBitIndex } from "./postings.ts";
import { PrimaryTerms } from "./primary-row.ts";
import { RepeatedTexts } from "./repeated-texts.ts";
import type { Segment } from "./segment.ts";
import { phraseEndFlag, positionShift, purposeWordFlag, TextReader } from "./text-reader.ts";

/** Builds the index of one language in a segment. Documents are added in ascending order of their external ids. */
export class LeafBuilder {
  readonly #schema: Schema;
  readonly #locale: string;
  readonly #terms = new TermTable();
  readonly #tokenizedDocuments: TokenizedDocuments = {
    externalIds: new Uint32List(),
    ranks: new Uint32List(),
    lengths: new Uint32List(),
    categories: new CategoryLog(),
    primary: { starts: new Uint32List(), terms: new Uint32List(), payloads: new Uint16List() },
    body: { starts: new Uint32List(), terms: new Uint32List() },
  };
  readonly #phrases: PhraseCounter;
  readonly #reader: TextReader;
  readonly #repeatedTexts = new RepeatedTexts();
  readonly #primaryTerms = new PrimaryTerms();
  /**
   * Two values for each term, stored together for speed: the number of the last document that contains the term,
   * starting at 1, and the index of the term in the term list of that document, or `bodyTermMarker`.
   */
  #occurrences = new Uint32Array(1 << 12);
  #documentNumber = 0;
  /** Number of the field that is being added. */
  #fieldIndex = 0;
  /** Position of the current text in the document, in words. */
  #position = 0;

  /** @param tokenizer tokenizer, which other builders of the thread may share */
  constructor(schema: Schema, locale: string, tokenizer: Tokenizer) {
    this.#schema = schema;
    this.#locale = locale;
    this.#phrases = createPhraseCounter(locale);
    this.#reader = new TextReader(tokenizer, this.#terms, locale);
  }

  add(document: SearchDocument): void {
    const { externalIds, ranks, lengths, primary, body } = this.#tokenizedDocuments;
    if (externalIds.length > 0 && externalIds.get(externalIds.length - 1) >= document.externalId)
      throw new Error(
        `document ${document.externalId} (${this.#locale}) comes after document ${externalIds.get(externalIds.length - 1)}`,
      );
    primary.starts.push(primary.terms.length);
    body.starts.push(body.terms.length);
    externalIds.push(document.externalId);
    ranks.push(computeStaticRank(document));
    this.#documentNumber = externalIds.length;
    this.#position = 0;
    const fieldLengths: FieldLengths = { title: 0, phrase: 0, text: 0 };
    const { fields, category } = this.#schema;
    const sortedTexts = sortByField(document.fields);
    let categoryKey = 0;
    for (let index = 0; index < sortedTexts.length; index += 1) {
      const [fieldNumber, text] = sortedTexts[index] as SearchDocument["fields"][number];
      this.#fieldIndex = Math.min(fieldNumber, fields.length - 1);
      const { kind } = fields[this.#fieldIndex] as Field;
      const truncatedText = text.length > maxFieldLength ? text.slice(0, maxFieldLength) : text;
      const number = this.#repeatedTexts.findOrAddText(truncatedText, kind);
      const length = this.#addText(truncatedText, kind, number);
      if (document.phrases !== undefined)
        this.#phrases.add(kind, truncatedText, document.phrases, this.#reader, number);
      if (this.#fieldIndex === category && categoryKey === 0)
        categoryKey = number < 0 ? hashCategory(this.#reader.tokenizer) : this.#repeatedTexts.categories.get(number);
      if (kind === "phrase" || kind === "text") fieldLengths[kind] += length;
      else if (index === 0 && kind === "title") fieldLengths.title = length;
      this.#position += length + fieldPositionGap;
    }
    lengths.push(packLengths(fieldLengths));
    this.#tokenizedDocuments.categories.add(categoryKey);
    this.#primaryTerms.moveTo(primary);
  }

  finish(): Leaf {
    this.#tokenizedDocuments.primary.starts.push(this.#tokenizedDocuments.primary.terms.length);
    this.#tokenizedDocuments.body.starts.push(this.#tokenizedDocuments.body.terms.length);
    const log = addCompoundTerms(this.#tokenizedDocuments, this.#terms, this.#locale);
    return packLeaf(this.#locale, log, this.#terms, this.#phrases.finish(), new SchemaScores(this.#schema));
  }

  /**
   * Adds a text to the document.
   * @param number number of the text in the cache of repeated texts; -1 if the text cannot be cached
   * @returns length of the text in words
   */
  #addText(text: string, kind: Field["kind"], number: number): number {
    const reader = this.#reader;
    const repeatedTexts = this.#repeatedTexts;
    if (number < 0 || number === repeatedTexts.count) {
      reader.read(kind === "code" ? hyphenateCode(text) : text, kind, this.#position === 0);
      if (number >= 0) repeatedTexts.add(reader);
      this.#ensureCapacity();
      if (kind === "body") {
        this.#addBodyTerms(reader.termsByToken, reader.length);
        this.#addBodyTerms(reader.terms, reader.count);
      } else if (kind === "title") this.#addTitle(reader.terms, reader.packedPositions, reader.count);
      else this.#addFieldTerms(reader.terms, reader.packedPositions, 0, reader.count);
      return reader.length;
    }
    const { starts, terms, packedPositions, lengths } = repeatedTexts;
    this.#addFieldTerms(terms, packedPositions, starts.get(number), starts.get(number + 1));
    return lengths.get(number);
  }

  #addTitle(terms: Uint32Array, packedPositions: Uint32Array, count: number): void {
    for (let index = 0; index < count; index += 1) {
      const packedPosition = packedPositions[index] as number;
      const position = this.#position + (packedPosition >>> positionShift);
      const statesPurpose = (packedPosition & purposeWordFlag) > 0;
      const fieldBit = statesPurpose ? purposeBitIndex : this.#fieldIndex;
      const rowLength = this.#primaryTerms.length;
      const entry = this.#findOrAddEntry(terms[index] as number, fieldBit, position);
      if (entry < rowLength) this.#primaryTerms.addTitleOccurrence(entry, position, statesPurpose);
      if ((packedPosition & phraseEndFlag) > 0) this.#primaryTerms.addBits(entry, phraseEndBit);
    }
  }

  #addFieldTerms(terms: Uint32Array, packedPositions: Uint32Array, from: number, end: number): void {
    const value = packPayload(1 << this.#fieldIndex, 0);
    const isMaker = this.#fieldIndex === this.#schema.maker;
    for (let index = from; index < end; index += 1) {
      const rowLength = this.#primaryTerms.length;
      const offset = (packedPositions[index] as number) >>> positionShift;
      const entry = this.#findOrAddEntry(terms[index] as number, this.#fieldIndex, this.#position + offset);
      if (entry === rowLength) continue;
      this.#primaryTerms.addBits(entry, value);
      if (isMaker) this.#primaryTerms.addMakerWord(entry, offset);
    }
  }

  /** Returns the index of a term in the document's term list. The term is added at its first occurrence. */
  #findOrAddEntry(term: number, fieldBit: number, position: number): number {
    const occurrences = this.#occurrences;
    if (occurrences[term * 2] === this.#documentNumber) return occurrences[term * 2 + 1] as number;
    occurrences[term * 2] = this.#documentNumber;
    occurrences[term * 2 + 1] = this.#primaryTerms.length;
    return this.#primaryTerms.push(term, packPayload(1 << fieldBit, position));
  }

  /** Adds terms of the body field. The body is the last field, so the terms of all other fields are already known. */
  #addBodyTerms(terms: Uint32Array, count: number): void {
    const occurrences = this.#occurrences;
    for (let index = 0; index < count; index += 1) {
      const term = terms[index] as number;
      const entry = occurrences[term * 2 + 1] as number;
      if (occurrences[term * 2] !== this.#documentNumber) {
        occurrences[term * 2] = this.#documentNumber;
        occurrences[term * 2 + 1] = bodyTermMarker;
        this.#tokenizedDocuments.body.terms.push(term);
      } else if (entry !== bodyTermMarker) this.#primaryTerms.addBits(entry, bodyFieldBit);
    }
  }

  #ensureCapacity(): void {
    while (this.#terms.size * 2 > this.#occurrences.length) this.#occurrences = growArray(this.#occurrences);
  }
}

const bodyTermMarker = 0xffffffff;

/** Number of positions between two fields, so that words of different fields are never neighbors. */
export const fieldPositionGap = 3;

/** Maximum number of UTF-16 units of a field that are indexed. */
export const maxFieldLength = 20_000;

/**
 * Returns texts in field order with the body field last, so that the first position of a term is in the earliest field.
 */
export function sortByField(sortedTexts: SearchDocument["fields"]): SearchDocument["fields"] {
  for (let index = 1; index < sortedTexts.length; index += 1)
    if ((sortedTexts[index - 1]?.[0] ?? 0) > (sortedTexts[index]?.[0] ?? 0))
      return [...sortedTexts].sort(([a], [b]) => a - b);
  return sortedTexts;
}

/** Replaces the spaces of a code by hyphens, so that the code is indexed as one word: "4 006381 333931". */
export function hyphenateCode(code: string): string {
  if (!/\s/.test(code)) return code;
  return code.trim().replace(/\s+/g, "-");
}

/**
 * Adds the last word of each compound to the documents that contain the compound. The word gets the fields of the
 * compound. Its position is the maximum position, so that it does not count as the start of a title. Documents that
 * already contain the word are not changed.
 */
export function addCompoundTerms(log: TokenizedDocuments, terms: TermTable, locale: string): TokenizedDocuments {
  const lastWordTerms = findLastWords(terms.listTexts(), locale);
  if (lastWordTerms.size === 0) return log;
  const primaryTermLists = { starts: new Uint32List(), terms: new Uint32List(), payloads: new Uint16List() };
  const documentTerms = new Set<number>();
  for (let document = 0; document + 1 < log.primary.starts.length; document += 1) {
    primaryTermLists.starts.push(primaryTermLists.terms.length);
    documentTerms.clear();
    const from = log.primary.starts.get(document);
    const end = log.primary.starts.get(document + 1);
    for (let entry = from; entry < end; entry += 1) {
      documentTerms.add(log.primary.terms.get(entry));
      primaryTermLists.terms.push(log.primary.terms.get(entry));
      primaryTermLists.payloads.push(log.primary.payloads.get(entry));
    }
    for (let entry = from; entry < end; entry += 1) {
      const lastWord = lastWordTerms.get(log.primary.terms.get(entry));
      if (lastWord === undefined || documentTerms.has(lastWord)) continue;
      documentTerms.add(lastWord);
      primaryTermLists.terms.push(lastWord);
      primaryTermLists.payloads.push(packPayload(fieldMaskOf(log.primary.payloads.get(entry)), maxPosition));
    }
  }
  primaryTermLists.starts.push(primaryTermLists.terms.length);
  return { ...log, primary: primaryTermLists };
}

/** Collects the documents of a segment. */
export interface SegmentBuilder {
  /** Adds a document to the segment.  @throws Error if the external ids of a locale are not in ascending order */
  add(document: SearchDocument): void;
  /** Builds the segment. The builder cannot be used afterwards. */
  finish(): Segment;
}

/**
 * Creates a builder of a segment, which is an immutable part of an index.
 * @param defaultLocale fallback locale; its documents are found if they have no version in the searched locale
 * @throws Error if the schema is invalid
 */
export function createSegmentBuilder(schema: Schema, defaultLocale: string): SegmentBuilder {
  checkSchema(schema);
  const tokenizer = new Tokenizer();
  const leaves = new Map<string, LeafBuilder>();
  return {
    add(document) {
      let leafBuilder = leaves.get(document.locale);
      if (leafBuilder === undefined) {
        leafBuilder = new LeafBuilder(schema, document.locale, tokenizer);
        leaves.set(document.locale, leafBuilder);
      }
      leafBuilder.add(document);
    },
    finish: () => ({ defaultLocale, leaves: [...leaves.values()].map((leafBuilder) => leafBuilder.finish()) }),
  };
}

/** Packs type, availability and popularity into one number. Better documents have a lower number. */
export function computeStaticRank({ type = 0, available = true, popularity = 0 }: SearchDocument): number {
  const scaledPopularity = Number.isFinite(popularity) ? Math.round(Math.min(1, Math.max(0, popularity)) * 0xffff) : 0;
  return ((type & 15) << 17) | ((available ? 0 : 1) << 16) | (0xffff - scaledPopularity);
}
