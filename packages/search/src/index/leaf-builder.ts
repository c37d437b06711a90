import { findLastWords } from "../analysis/compounds.ts";
import { Tokenizer } from "../analysis/tokenizer.ts";
import { doubleCapacity, Uint16List, Uint32List } from "../arrays/shared-arrays.ts";
import { checkSchema, type Field, type Schema } from "../schema.ts";
import { SchemaPoints } from "../scoring/field-points.ts";
import type { SearchDocument } from "../search-index.ts";
import { createPhraseCounter } from "../suggest/phrases.ts";
import { TermTable } from "../terms/term-table.ts";
import { CategoryLog, categoryKey } from "./categories.ts";
import { type FieldLengths, packLengths } from "./doc-values.ts";
import type { Leaf } from "./leaf.ts";
import { type DocumentLog, packLeaf } from "./pack-leaf.ts";
import { alsoInBody, fieldMaskOf, lastPosition, packPayload, phraseEnd, purposeBit } from "./postings.ts";
import { PrimaryRow } from "./primary-row.ts";
import { RepeatedTexts } from "./repeated-texts.ts";
import type { Segment } from "./segment.ts";
import { atPhraseEnd, inPurpose, positionShift, TextReader } from "./text-reader.ts";

/** Builds a leaf from documents in ascending order of their external ids. */
export class LeafBuilder {
  readonly #schema: Schema;
  readonly #locale: string;
  readonly #terms = new TermTable();
  readonly #log: DocumentLog = {
    externalIds: new Uint32List(),
    ranks: new Uint32List(),
    lengths: new Uint32List(),
    categories: new CategoryLog(),
    primary: { starts: new Uint32List(), terms: new Uint32List(), payloads: new Uint16List() },
    body: { starts: new Uint32List(), terms: new Uint32List() },
  };
  readonly #phrases = createPhraseCounter();
  readonly #reader: TextReader;
  readonly #repeated = new RepeatedTexts();
  readonly #row = new PrimaryRow();
  /**
   * By term, two values that are read together: the last document that contained it, from 1; its entry in the row, or
   * `inBody`.
   */
  #held = new Uint32Array(1 << 12);
  #document = 0;
  /** Number of the current field. */
  #field = 0;
  /** Position of the current text in the document. */
  #position = 0;

  /** @param tokenizer may be shared by builders of one thread */
  constructor(schema: Schema, locale: string, tokenizer: Tokenizer) {
    this.#schema = schema;
    this.#locale = locale;
    this.#reader = new TextReader(tokenizer, this.#terms);
  }

  add(document: SearchDocument): void {
    const { externalIds, ranks, lengths, primary, body } = this.#log;
    if (externalIds.length > 0 && externalIds.get(externalIds.length - 1) >= document.externalId)
      throw new Error(
        `document ${document.externalId} (${this.#locale}) comes after document ${externalIds.get(externalIds.length - 1)}`,
      );
    primary.starts.push(primary.terms.length);
    body.starts.push(body.terms.length);
    externalIds.push(document.externalId);
    ranks.push(staticRank(document));
    this.#document = externalIds.length;
    this.#position = 0;
    const fieldLengths: FieldLengths = { title: 0, phrase: 0, text: 0 };
    const { fields, category } = this.#schema;
    const texts = inOrder(document.fields);
    let ofCategory = 0;
    for (let index = 0; index < texts.length; index += 1) {
      const [name, text] = texts[index] as SearchDocument["fields"][number];
      this.#field = Math.min(name, fields.length - 1);
      const { kind } = fields[this.#field] as Field;
      const cut = text.length > maxFieldLength ? text.slice(0, maxFieldLength) : text;
      const number = this.#repeated.numberOf(cut, kind);
      const length = this.#addText(cut, kind, number);
      if (document.phrases !== undefined) this.#phrases.add(kind, cut, document.phrases, this.#reader, number);
      if (this.#field === category && ofCategory === 0)
        ofCategory = number < 0 ? categoryKey(this.#reader.tokenizer) : this.#repeated.categories.get(number);
      if (kind === "phrase" || kind === "text") fieldLengths[kind] += length;
      else if (index === 0 && kind === "title") fieldLengths.title = length;
      this.#position += length + fieldGap;
    }
    lengths.push(packLengths(fieldLengths));
    this.#log.categories.add(ofCategory);
    this.#row.moveTo(primary);
  }

  finish(): Leaf {
    this.#log.primary.starts.push(this.#log.primary.terms.length);
    this.#log.body.starts.push(this.#log.body.terms.length);
    const log = addCompoundTerms(this.#log, this.#terms, this.#locale);
    return packLeaf(this.#locale, log, this.#terms, this.#phrases.finish(), new SchemaPoints(this.#schema));
  }

  /** Adds a text to the document. @param number see `RepeatedTexts`  @returns how long it is, in words */
  #addText(text: string, kind: Field["kind"], number: number): number {
    const reader = this.#reader;
    const repeated = this.#repeated;
    if (number < 0 || number === repeated.count) {
      reader.read(kind === "code" ? inOneChunk(text) : text, kind, this.#position === 0);
      if (number >= 0) repeated.add(reader);
      this.#makeRoom();
      if (kind === "body") {
        this.#addToBody(reader.ofTokens, reader.length);
        this.#addToBody(reader.terms, reader.count);
      } else if (kind === "title") this.#addTitle(reader.terms, reader.places, reader.count);
      else this.#addToField(reader.terms, reader.places, 0, reader.count);
      return reader.length;
    }
    const { starts, terms, places, lengths } = repeated;
    this.#addToField(terms, places, starts.get(number), starts.get(number + 1));
    return lengths.get(number);
  }

  #addTitle(terms: Uint32Array, places: Uint32Array, count: number): void {
    for (let index = 0; index < count; index += 1) {
      const place = places[index] as number;
      const position = this.#position + (place >>> positionShift);
      const isPurpose = (place & inPurpose) > 0;
      const bit = isPurpose ? purposeBit : this.#field;
      const known = this.#row.length;
      const entry = this.#entryOf(terms[index] as number, bit, position);
      if (entry < known) this.#row.addInTitle(entry, position, isPurpose);
      if ((place & atPhraseEnd) > 0) this.#row.add(entry, phraseEnd);
    }
  }

  #addToField(terms: Uint32Array, places: Uint32Array, from: number, end: number): void {
    const value = packPayload(1 << this.#field, 0);
    for (let index = from; index < end; index += 1) {
      const known = this.#row.length;
      const position = this.#position + ((places[index] as number) >>> positionShift);
      const entry = this.#entryOf(terms[index] as number, this.#field, position);
      if (entry < known) this.#row.add(entry, value);
    }
  }

  /** Entry of a term in the row, created at its first occurrence in the document. */
  #entryOf(term: number, bit: number, position: number): number {
    const occurrences = this.#held;
    if (occurrences[term * 2] === this.#document) return occurrences[term * 2 + 1] as number;
    occurrences[term * 2] = this.#document;
    occurrences[term * 2 + 1] = this.#row.length;
    return this.#row.push(term, packPayload(1 << bit, position));
  }

  /** The body is last, so the document's primary fields are known. */
  #addToBody(terms: Uint32Array, count: number): void {
    const occurrences = this.#held;
    for (let index = 0; index < count; index += 1) {
      const term = terms[index] as number;
      const entry = occurrences[term * 2 + 1] as number;
      if (occurrences[term * 2] !== this.#document) {
        occurrences[term * 2] = this.#document;
        occurrences[term * 2 + 1] = inBody;
        this.#log.body.terms.push(term);
      } else if (entry !== inBody) this.#row.add(entry, alsoInBody);
    }
  }

  #makeRoom(): void {
    while (this.#terms.size * 2 > this.#held.length) this.#held = doubleCapacity(this.#held);
  }
}

const inBody = 0xffffffff;

/** Positions between two fields, so that words of different fields are never neighbours. */
export const fieldGap = 3;

/** UTF-16 units of one field that are indexed. */
export const maxFieldLength = 20_000;

/** Texts in field order, the body last, so that a term's first position is in the earliest field. */
export function inOrder(texts: SearchDocument["fields"]): SearchDocument["fields"] {
  for (let index = 1; index < texts.length; index += 1)
    if ((texts[index - 1]?.[0] ?? 0) > (texts[index]?.[0] ?? 0))
      return [...texts].sort(([one], [other]) => one - other);
  return texts;
}

/** Returns a code as a single chunk, without spaces: "4 006381 333931". */
export function inOneChunk(code: string): string {
  if (!/\s/.test(code)) return code;
  return code.trim().replace(/\s+/g, "-");
}

/**
 * Adds the last word of each compound to the documents that contain the compound, in the same fields and at the last
 * position, so that it does not count as the start of a title. Documents that contain the word do not change.
 */
export function addCompoundTerms(log: DocumentLog, terms: TermTable, locale: string): DocumentLog {
  const lasts = findLastWords(terms.texts(), locale);
  if (lasts.size === 0) return log;
  const primary = { starts: new Uint32List(), terms: new Uint32List(), payloads: new Uint16List() };
  const present = new Set<number>();
  for (let document = 0; document + 1 < log.primary.starts.length; document += 1) {
    primary.starts.push(primary.terms.length);
    present.clear();
    const from = log.primary.starts.get(document);
    const end = log.primary.starts.get(document + 1);
    for (let entry = from; entry < end; entry += 1) {
      present.add(log.primary.terms.get(entry));
      primary.terms.push(log.primary.terms.get(entry));
      primary.payloads.push(log.primary.payloads.get(entry));
    }
    for (let entry = from; entry < end; entry += 1) {
      const last = lasts.get(log.primary.terms.get(entry));
      if (last === undefined || present.has(last)) continue;
      present.add(last);
      primary.terms.push(last);
      primary.payloads.push(packPayload(fieldMaskOf(log.primary.payloads.get(entry)), lastPosition));
    }
  }
  primary.starts.push(primary.terms.length);
  return { ...log, primary };
}

/** Collects the documents of a segment. */
export interface SegmentBuilder {
  /** @throws Error if the ids of one locale do not ascend */
  add(document: SearchDocument): void;
  /** Builds the segment; the builder cannot be used afterwards. */
  finish(): Segment;
}

/** Creates a builder of a segment: an immutable piece of an index.
 *  @param defaultLocale the locale whose documents are found where a searched locale has no document of that id
 *  @throws Error if the schema is invalid */
export function createSegmentBuilder(schema: Schema, defaultLocale: string): SegmentBuilder {
  checkSchema(schema);
  const tokenizer = new Tokenizer();
  const leaves = new Map<string, LeafBuilder>();
  return {
    add(document) {
      let leaf = leaves.get(document.locale);
      if (leaf === undefined) {
        leaf = new LeafBuilder(schema, document.locale, tokenizer);
        leaves.set(document.locale, leaf);
      }
      leaf.add(document);
    },
    finish: () => ({ defaultLocale, leaves: [...leaves.values()].map((leaf) => leaf.finish()) }),
  };
}

/** Type, then availability, then popularity in one number that ascends as documents get worse. */
export function staticRank({ type = 0, available = true, popularity = 0 }: SearchDocument): number {
  const units = Number.isFinite(popularity) ? Math.round(Math.min(1, Math.max(0, popularity)) * 0xffff) : 0;
  return ((type & 15) << 17) | ((available ? 0 : 1) << 16) | (0xffff - units);
}
