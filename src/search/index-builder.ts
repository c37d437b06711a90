import { maxJoinedParts, maxTermLength } from "./analysis.ts";
import { ChunkReader } from "./chunk-reader.ts";
import { addCompounds } from "./compounds.ts";
import { pairJoins } from "./joining.ts";
import type { Part } from "./part.ts";
import { type DocumentLog, packPart } from "./part-packing.ts";
import { createPhraseCounter } from "./phrases.ts";
import { alsoDescribed, bodyField, fieldCount, mark, phraseEnd, purposeField } from "./postings.ts";
import { maxQuantityParts, quantity } from "./quantities.ts";
import { fields } from "./ranking.ts";
import type { SearchDocument } from "./search-index.ts";
import type { Segment } from "./segments.ts";
import { Uint32List } from "./shared-arrays.ts";
import { TermTable, textOfUnits, widened } from "./term-table.ts";
import { isLink, isPurpose, longestLink } from "./title-phrases.ts";

export interface SegmentBuilder {
  /** @throws Error where numbers of one locale do not ascend */
  add(document: SearchDocument): void;
  finish(): Segment;
}

/** UTF-16 units of one field that are indexed. */
const maxFieldLength = 20_000;
/** Positions left free between fields: words of different fields are never neighbours. */
export const fieldGap = 3;

/** Makes a segment of documents in ascending order of their numbers; those of several locales are kept apart.
 *  @param defaultLocale whose documents stand in where another locale has none of that number */
export function createSegmentBuilder(defaultLocale: string): SegmentBuilder {
  const parts = new Map<string, PartBuilder>();
  return {
    add(document) {
      let part = parts.get(document.locale);
      if (part === undefined) {
        part = new PartBuilder(document.locale);
        parts.set(document.locale, part);
      }
      part.add(document);
    },
    finish: () => ({ defaultLocale, parts: [...parts.values()].map((part) => part.finish()) }),
  };
}

class PartBuilder {
  readonly #locale: string;
  readonly #terms = new TermTable();
  readonly #log: DocumentLog = {
    numbers: new Uint32List(),
    ranks: new Uint32List(),
    titleLengths: new Uint32List(),
    head: { starts: new Uint32List(), terms: new Uint32List(), marks: new Uint32List() },
    body: { starts: new Uint32List(), terms: new Uint32List() },
  };
  readonly #phrases = createPhraseCounter();
  readonly #reader = new ChunkReader();
  /** By term: the last document that held it in its head, and one; where in the log; the same of bodies. */
  #lastInHead = new Uint32Array(1 << 12);
  #lastEntry = new Uint32Array(1 << 12);
  #lastInBody = new Uint32Array(1 << 12);
  #field = 0;
  #position = 0;
  /** The last word of the chunk before, in units; none: empty. */
  readonly #before = new Uint16Array(maxTermLength * 2);
  #beforeLength = 0;
  /** Reading what the title says the thing is for. */
  #isPurpose = false;
  /** The last word of the title so far, in the log; -1: none, or one of a purpose. */
  #titleEntry = -1;
  readonly #onChunk = () => this.#addChunk();

  constructor(locale: string) {
    this.#locale = locale;
  }

  add(document: SearchDocument): void {
    const { numbers, ranks, titleLengths, head, body } = this.#log;
    if (numbers.length > 0 && numbers.get(numbers.length - 1) >= document.number)
      throw new Error(
        `document ${document.number} (${this.#locale}) comes after document ${numbers.get(numbers.length - 1)}`,
      );
    head.starts.push(head.terms.length);
    body.starts.push(body.terms.length);
    numbers.push(document.number);
    ranks.push(staticRank(document));
    this.#position = 0;
    let titleLength = 0;
    // In the order of their numbers: a term's first position then lies in its heaviest field; descriptions come last.
    const sorted = [...document.fields].sort(([one], [other]) => orderOf(one) - orderOf(other));
    sorted.forEach(([name, text], index) => {
      this.#field = Math.min(name, bodyField);
      const cut = text.length > maxFieldLength ? text.slice(0, maxFieldLength) : text;
      if (document.phrases !== undefined) this.#phrases.add(this.#field, cut, document.phrases);
      this.#beforeLength = 0;
      this.#isPurpose = false;
      this.#titleEntry = -1;
      this.#reader.read(isCode(this.#field) ? closed(cut) : cut, this.#onChunk);
      this.#endPhrase();
      if (index === 0 && this.#field === fields.title) titleLength = Math.min(this.#position, 255);
      this.#position += fieldGap;
    });
    titleLengths.push(titleLength);
  }

  finish(): Part {
    this.#log.head.starts.push(this.#log.head.terms.length);
    this.#log.body.starts.push(this.#log.body.terms.length);
    const log = addCompounds(this.#log, this.#terms, this.#locale);
    return packPart(this.#locale, log, this.#terms, this.#phrases.finish());
  }

  #addChunk(): void {
    const { units, ends, parts, isGrams, hasDigit } = this.#reader;
    if (this.#field === fields.title) this.#beginPhrase();
    let start = 0;
    for (let part = 0; part < parts; part += 1) {
      const end = ends[part] as number;
      const term = this.#add(units, start, end, this.#position + part);
      start = end;
      if (this.#field === fields.title) this.#titleEntry = this.#isPurpose ? -1 : (this.#lastEntry[term] as number);
    }
    const isNaming = this.#field !== bodyField;
    if (!isGrams) {
      if (isNaming) this.#joinWithBefore();
      if (parts > 1 && parts <= maxJoinedParts) {
        this.#addJoined(0, 0);
        for (let part = 1; hasDigit && part < parts - 1; part += 1) this.#addJoined(ends[part - 1] as number, part);
      }
      if (hasDigit && isNaming && parts <= maxQuantityParts) this.#addQuantity();
    }
    this.#keepLast(isGrams);
    this.#position += parts;
  }

  /** Notes where a phrase of the title ends, and where it begins to say what the thing is for. */
  #beginPhrase(): void {
    const { units, ends, parts, isAfterBreak } = this.#reader;
    const first = units[0] as number;
    const length = ends[0] as number;
    const word = parts === 1 && length <= longestLink ? textOfUnits(units, 0, length) : "";
    if (isAfterBreak || (first >= 48 && first <= 57) || (word !== "" && isLink(word))) this.#endPhrase();
    if (isAfterBreak) this.#isPurpose = false;
    else if (this.#position > 0 && isPurpose(word)) this.#isPurpose = true;
  }

  #endPhrase(): void {
    const { marks } = this.#log.head;
    if (this.#titleEntry >= 0) marks.set(this.#titleEntry, marks.get(this.#titleEntry) | phraseEnd);
  }

  /** The joined form of the parts from `part` on. */
  #addJoined(from: number, part: number): void {
    const { units, ends, parts } = this.#reader;
    const to = Math.min(ends[parts - 1] as number, from + maxTermLength);
    this.#add(units, from, to, this.#position + part);
  }

  /** `t shirt` is known as `tshirt` too, `27 inch` as `27inch`. */
  #joinWithBefore(): void {
    const length = this.#reader.ends[0] as number;
    const before = this.#beforeLength;
    if (before === 0 || !pairJoins(this.#before, before, this.#reader.units, length)) return;
    const to = Math.min(before + length, maxTermLength);
    this.#before.set(this.#reader.units.subarray(0, to - before), before);
    this.#add(this.#before, 0, to, this.#position - 1);
    if (!mayBeQuantity(this.#before[0] as number, this.#before[to - 1] as number)) return;
    const said = quantity([textOfUnits(this.#before, 0, before), textOfUnits(this.#before, before, to)]);
    if (said !== undefined) this.#addText(said, this.#position - 1);
  }

  #addQuantity(): void {
    const { units, ends, parts } = this.#reader;
    if (!mayBeQuantity(units[0] as number, units[(ends[parts - 1] as number) - 1] as number)) return;
    const words: string[] = [];
    for (let part = 0; part < parts; part += 1)
      words.push(textOfUnits(units, part === 0 ? 0 : (ends[part - 1] as number), ends[part] as number));
    const said = quantity(words);
    if (said !== undefined) this.#addText(said, this.#position);
  }

  #keepLast(isGrams: boolean): void {
    const { units, ends, parts } = this.#reader;
    const start = parts === 1 ? 0 : (ends[parts - 2] as number);
    this.#beforeLength = isGrams ? 0 : (ends[parts - 1] as number) - start;
    for (let index = 0; index < this.#beforeLength; index += 1) this.#before[index] = units[start + index] as number;
  }

  #addText(said: string, position: number): void {
    this.#addTerm(this.#terms.addText(said), position);
  }

  /** @returns the term */
  #add(units: Uint16Array, from: number, to: number, position: number): number {
    const term = this.#terms.add(units, from, to);
    this.#addTerm(term, position);
    return term;
  }

  #addTerm(term: number, position: number): void {
    if (term >= this.#lastInHead.length) {
      this.#lastInHead = widened(this.#lastInHead);
      this.#lastEntry = widened(this.#lastEntry);
      this.#lastInBody = widened(this.#lastInBody);
    }
    const document = this.#log.numbers.length;
    const { head, body } = this.#log;
    const field = this.#isPurpose ? purposeField : this.#field;
    const isInHead = this.#lastInHead[term] === document;
    if (this.#field === bodyField) {
      if (isInHead) {
        const entry = this.#lastEntry[term] as number;
        head.marks.set(entry, head.marks.get(entry) | alsoDescribed);
      }
      if (isInHead || this.#lastInBody[term] === document) return;
      this.#lastInBody[term] = document;
      body.terms.push(term);
    } else if (isInHead) {
      const entry = this.#lastEntry[term] as number;
      head.marks.set(entry, head.marks.get(entry) | mark(1 << field, 0));
    } else {
      this.#lastInHead[term] = document;
      this.#lastEntry[term] = head.terms.length;
      head.terms.push(term);
      head.marks.push(mark(1 << field, position));
    }
  }
}

function orderOf(field: number): number {
  return field === bodyField ? fieldCount : field;
}

/** Type, then in stock, then popularity, in one number that ascends as documents get worse. */
function staticRank({ type, available, popularity }: SearchDocument): number {
  const units = Number.isFinite(popularity) ? Math.round(Math.min(1, Math.max(0, popularity)) * 0xffff) : 0;
  return ((type & 15) << 17) | ((available ? 0 : 1) << 16) | (0xffff - units);
}

function isCode(field: number): boolean {
  return field === fields.sku || field === fields.barcode;
}

/** A code is one word, however it is spaced: "4 006381 333931". */
export function closed(code: string): string {
  return code.trim().replace(/\s+/g, "-");
}

/** Whether letters may be a number and its unit: most are not, and need no closer look. */
function mayBeQuantity(first: number, last: number): boolean {
  return first >= 48 && first <= 57 && last >= 97 && last <= 122;
}
