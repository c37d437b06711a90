import { isDigit, maxJoinedTokens, maxTermLength } from "../analysis/chunks.ts";
import { isPhraseBreak, isPurpose } from "../analysis/particles.ts";
import { QuantityReader } from "../analysis/quantities.ts";
import { isShingled } from "../analysis/shingles.ts";
import { afterBreak, ofGrams, type Tokenizer, withDigit } from "../analysis/tokenizer.ts";
import { isMeasureWord } from "../analysis/units.ts";
import { Uint16List, Uint32List, widened } from "../arrays/shared-arrays.ts";
import type { Field, Schema } from "../schema.ts";
import { SchemaPoints } from "../scoring/field-points.ts";
import type { SearchDocument } from "../search-index.ts";
import { createPhraseCounter } from "../suggest/phrases.ts";
import { TermTable, textOfUnits } from "../terms/term-table.ts";
import { CategoryLog, categoryKey } from "./categories.ts";
import { addCompoundTerms } from "./compound-terms.ts";
import { type FieldLengths, packLengths } from "./doc-values.ts";
import { inOneChunk, inOrder, maxFieldLength } from "./field-texts.ts";
import type { Leaf } from "./leaf.ts";
import { NamingRow } from "./naming-row.ts";
import { type DocumentLog, packLeaf } from "./pack-leaf.ts";
import { alsoDescribed, packPayload, phraseEnd, purposeBit } from "./postings.ts";
import { staticRank } from "./static-rank.ts";

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
    naming: { starts: new Uint32List(), terms: new Uint32List(), payloads: new Uint16List() },
    body: { starts: new Uint32List(), terms: new Uint32List() },
  };
  readonly #phrases = createPhraseCounter();
  readonly #tokenizer: Tokenizer;
  readonly #quantities: QuantityReader;
  /** The text that is read has numbers, and `#quantities` read it. */
  #isMeasured = false;
  /** The first of the quantities that are not added yet. */
  #nextQuantity = 0;
  /** The token behind the quantities that are. */
  #quantityEnd = 0;
  /** By token of the text that was read: its term. */
  #read = new Uint32Array(1 << 8);
  readonly #row = new NamingRow();
  /** By term, two values that are read together: the last document that held it, from 1; its entry in the row, or `inBody`. */
  #held = new Uint32Array(1 << 12);
  /** By term: its `roles`; 0: not known yet. */
  #roles = new Uint8Array(1 << 11);
  /** By term: the text of a word that means something beside a number. */
  readonly #measureWords = new Map<number, string>();
  #document = 0;
  /** Number and kind of the field that is read. */
  #field = 0;
  #kind: Field["kind"] = "title";
  #position = 0;
  /** The last word of the chunk before, in the tokenizer's units; the two are equal where there is none. */
  #beforeFrom = 0;
  #beforeTo = 0;
  /** Scratch for two words in one. */
  readonly #joined = new Uint16Array(maxTermLength * 2);
  /** The title is at what the thing is for. */
  #isPurpose = false;
  /** Entry of the last word of the title so far; -1: none, or one of the purpose. */
  #titleEntry = -1;

  /** @param tokenizer may be shared by builders of one thread */
  constructor(schema: Schema, locale: string, tokenizer: Tokenizer) {
    this.#schema = schema;
    this.#locale = locale;
    this.#tokenizer = tokenizer;
    this.#quantities = new QuantityReader(tokenizer, (token) => this.#measureWordAt(token), false);
  }

  add(document: SearchDocument): void {
    const { externalIds, ranks, lengths, naming, body } = this.#log;
    if (externalIds.length > 0 && externalIds.get(externalIds.length - 1) >= document.externalId)
      throw new Error(
        `document ${document.externalId} (${this.#locale}) comes after document ${externalIds.get(externalIds.length - 1)}`,
      );
    naming.starts.push(naming.terms.length);
    body.starts.push(body.terms.length);
    externalIds.push(document.externalId);
    ranks.push(staticRank(document));
    this.#document = externalIds.length;
    this.#position = 0;
    const fieldLengths: FieldLengths = { title: 0, phrase: 0, text: 0 };
    const { fields: schemaFields, category } = this.#schema;
    const texts = inOrder(document.fields);
    let ofCategory = 0;
    for (let index = 0; index < texts.length; index += 1) {
      const [name, text] = texts[index] as SearchDocument["fields"][number];
      this.#field = Math.min(name, schemaFields.length - 1);
      this.#kind = (schemaFields[this.#field] as Field).kind;
      const cut = text.length > maxFieldLength ? text.slice(0, maxFieldLength) : text;
      if (document.phrases !== undefined) this.#phrases.add(this.#kind, cut, document.phrases);
      this.#beforeTo = this.#beforeFrom;
      this.#isPurpose = false;
      this.#titleEntry = -1;
      const from = this.#position;
      this.#addText(this.#kind === "code" ? inOneChunk(cut) : cut);
      if (this.#field === category && ofCategory === 0) ofCategory = categoryKey(this.#tokenizer);
      this.#endPhrase();
      if (this.#kind === "phrase" || this.#kind === "text") fieldLengths[this.#kind] += this.#position - from;
      else if (index === 0 && this.#kind === "title") fieldLengths.title = this.#position;
      this.#position += fieldGap;
    }
    lengths.push(packLengths(fieldLengths));
    this.#log.categories.add(ofCategory);
    this.#row.moveTo(naming);
  }

  finish(): Leaf {
    this.#log.naming.starts.push(this.#log.naming.terms.length);
    this.#log.body.starts.push(this.#log.body.terms.length);
    const log = addCompoundTerms(this.#log, this.#terms, this.#locale);
    return packLeaf(this.#locale, log, this.#terms, this.#phrases.finish(), new SchemaPoints(this.#schema));
  }

  #addText(text: string): void {
    const tokenizer = this.#tokenizer;
    tokenizer.read(text);
    while (tokenizer.tokens > this.#read.length) this.#read = widened(this.#read);
    this.#terms.addAll(tokenizer.units, tokenizer.starts, tokenizer.ends, tokenizer.tokens, this.#read);
    this.#makeRoom();
    this.#nextQuantity = 0;
    this.#quantityEnd = 0;
    // The numbers of a code count nothing.
    this.#isMeasured = tokenizer.numberCount > 0 && this.#kind !== "code";
    if (this.#isMeasured && this.#kind === "body") this.#quantities.readNumbers();
    else if (this.#isMeasured) this.#quantities.read();
    for (let chunk = 0; chunk < tokenizer.chunks; chunk += 1) this.#addChunk(chunk);
  }

  #addChunk(chunk: number): void {
    const { starts, ends, firstTokens, flags } = this.#tokenizer;
    const first = firstTokens[chunk] as number;
    const end = firstTokens[chunk + 1] as number;
    const isTitle = this.#kind === "title";
    if (isTitle) this.#beginPhrase(chunk);
    let entry = -1;
    for (let token = first; token < end; token += 1)
      entry = this.#addTerm(this.#read[token] as number, this.#position + token - first);
    if (isTitle) this.#titleEntry = this.#isPurpose || this.#isInQuantity(first) ? -1 : entry;
    const tokens = end - first;
    const last = end - 1;
    const isGrams = ((flags[chunk] as number) & ofGrams) > 0;
    const hasDigit = ((flags[chunk] as number) & withDigit) > 0;
    if (!isGrams) {
      const isNaming = this.#kind !== "body";
      if (isNaming && this.#beforeTo > this.#beforeFrom) this.#joinWithBefore(first);
      if (tokens > 1 && tokens <= maxJoinedTokens) {
        const from = hasDigit && this.#isMeasured ? this.#firstJoined(first, last) : first;
        if (from === first) this.#addJoined(first, last, 0);
        for (let token = Math.max(from, first + 1); hasDigit && token < last; token += 1)
          this.#addJoined(token, last, token - first);
      }
      if (hasDigit && isNaming && this.#isMeasured) this.#addQuantities(first, end);
    }
    this.#beforeFrom = starts[last] as number;
    this.#beforeTo = isGrams ? this.#beforeFrom : (ends[last] as number);
    this.#position += tokens;
  }

  /** Notes where a phrase of the title ends, and where the purpose begins. */
  #beginPhrase(chunk: number): void {
    const { units, starts, firstTokens, flags } = this.#tokenizer;
    const first = firstTokens[chunk] as number;
    const isAfterBreak = ((flags[chunk] as number) & afterBreak) > 0;
    const role = firstTokens[chunk + 1] === first + 1 ? this.#rolesOf(first) : 0;
    if (isAfterBreak || isDigit(units[starts[first] as number] as number) || (role & roles.phraseBreak) > 0)
      this.#endPhrase();
    if (isAfterBreak) this.#isPurpose = false;
    else if (this.#position > 0 && (role & roles.purpose) > 0) this.#isPurpose = true;
  }

  #endPhrase(): void {
    if (this.#titleEntry >= 0) this.#row.add(this.#titleEntry, phraseEnd);
  }

  /** Adds tokens of a chunk as one term. @param offset position of the first in the chunk */
  #addJoined(first: number, last: number, offset: number): void {
    const { units, starts, ends } = this.#tokenizer;
    const from = starts[first] as number;
    const to = Math.min(ends[last] as number, from + maxTermLength);
    this.#addTerm(this.#termOf(units, from, to), this.#position + offset);
  }

  /** Adds two neighbours as one term: `t shirt` as `tshirt`, `27 inch` as `27inch`. @param token the first of the chunk */
  #joinWithBefore(token: number): void {
    const { units, starts, ends } = this.#tokenizer;
    const from = starts[token] as number;
    const before = this.#beforeTo - this.#beforeFrom;
    const after = (ends[token] as number) - from;
    if (!isShingled(units, this.#beforeFrom, before, from, after)) return;
    const length = Math.min(before + after, maxTermLength);
    const joined = this.#joined;
    for (let index = 0; index < before; index += 1) joined[index] = units[this.#beforeFrom + index] as number;
    for (let index = before; index < length; index += 1) joined[index] = units[from + index - before] as number;
    this.#addTerm(this.#termOf(joined, 0, length), this.#position - 1);
  }

  /** The first token from which on a chunk is also indexed as one term: behind the last number of several tokens. */
  #firstJoined(first: number, last: number): number {
    for (let token = last; token > first; token -= 1) if (this.#quantities.isInner(token)) return token + 1;
    return first;
  }

  /** Whether a token is part of a quantity: it does not say what the thing is. */
  #isInQuantity(token: number): boolean {
    if (!this.#isMeasured) return false;
    return token < this.#quantityEnd || this.#quantities.found[this.#nextQuantity]?.from === token;
  }

  /** Adds the quantities that begin in tokens `first` up to, not including, `end`. */
  #addQuantities(first: number, end: number): void {
    const { found } = this.#quantities;
    for (; this.#nextQuantity < found.length; this.#nextQuantity += 1) {
      const { term, from, to } = found[this.#nextQuantity] as (typeof found)[number];
      if (from >= end) return;
      this.#quantityEnd = Math.max(this.#quantityEnd, to);
      const known = this.#terms.addText(term);
      this.#makeRoom();
      this.#addTerm(known, this.#position + from - first);
    }
  }

  #measureWordAt(token: number): string {
    if ((this.#rolesOf(token) & roles.measure) === 0) return "";
    return this.#measureWords.get(this.#read[token] as number) ?? "";
  }

  #rolesOf(token: number): number {
    const term = this.#read[token] as number;
    const known = this.#roles[term] as number;
    if (known > 0) return known;
    const { units, starts, ends } = this.#tokenizer;
    const from = starts[token] as number;
    const to = ends[token] as number;
    let found: number = roles.known;
    // Most tokens that end in a digit are met once: they are not looked up, unless they may be "m2".
    if (!isDigit(units[to - 1] as number) || (to - from <= 3 && !isDigit(units[from] as number))) {
      const text = textOfUnits(units, from, to);
      if (isPhraseBreak(text)) found |= roles.phraseBreak;
      if (isPurpose(text)) found |= roles.purpose;
      if (isMeasureWord(text)) {
        found |= roles.measure;
        this.#measureWords.set(term, text);
      }
    }
    this.#roles[term] = found;
    return found;
  }

  #termOf(units: Uint16Array, from: number, to: number): number {
    const term = this.#terms.add(units, from, to);
    this.#makeRoom();
    return term;
  }

  #makeRoom(): void {
    while (this.#terms.size > this.#roles.length) {
      this.#held = widened(this.#held);
      this.#roles = widened(this.#roles);
    }
  }

  /** @returns its entry in the row; -1: it is in the body */
  #addTerm(term: number, position: number): number {
    const held = this.#held;
    const isHeld = held[term * 2] === this.#document;
    const entry = held[term * 2 + 1] as number;
    // The body comes last, so the naming fields of the document are known.
    if (this.#kind === "body") {
      if (!isHeld) {
        held[term * 2] = this.#document;
        held[term * 2 + 1] = inBody;
        this.#log.body.terms.push(term);
      } else if (entry !== inBody) this.#row.add(entry, alsoDescribed);
      return -1;
    }
    if (isHeld) {
      if (this.#kind === "title") this.#row.addInTitle(entry, position, this.#isPurpose);
      else this.#row.add(entry, packPayload(1 << this.#field, 0));
      return entry;
    }
    held[term * 2] = this.#document;
    held[term * 2 + 1] = this.#row.length;
    return this.#row.push(term, packPayload(1 << (this.#isPurpose ? purposeBit : this.#field), position));
  }
}

const inBody = 0xffffffff;
/** What a word does in titles and quantities, as bits. */
const roles = { known: 1, phraseBreak: 2, purpose: 4, measure: 8 } as const;

/** Positions between two fields, so that words of different fields are never neighbours. */
export const fieldGap = 3;
