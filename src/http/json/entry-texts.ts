import { hash } from "node:crypto";
import type { RowPlace } from "../../catalog/catalog.ts";
import type { LiveStock, StockMark } from "../../catalog/live/live-stock.ts";
import type { ByteWriter } from "../wire/byte-writer.ts";

/** Texts of a catalogue's entries as bytes, each with its digest; those asked for lately are remembered, in memory that the collector of garbage does not look into.
 *
 *      record   | length, 4 bytes | digest, 16 bytes | text as UTF-8 |
 *
 *  Records lie one after the other in two generations. When the younger is full it becomes the older, and what was the older is written over; a record of
 *  the older that is asked for is copied to the younger. */
export class EntryTexts {
  readonly #generationBytes: number;
  #young: Generation;
  #old: Generation | undefined;

  /** @param maxBytes of both generations; their memory is taken as it fills */
  constructor(maxBytes: number) {
    this.#generationBytes = Math.floor(maxBytes / 2);
    this.#young = createGeneration(this.#generationBytes);
  }

  /** Appends the text of an entry.
   *  @param stock where what is left of products changes what their texts say  @param make called where the text is not known as it is now; undefined: there
   *  is none  @returns whether there was one */
  append(
    { at, locale }: EntryName,
    stock: Pick<LiveStock, "holds">,
    make: () => EntryText | undefined,
    to: Destination,
  ): boolean {
    const young = recordsIn(this.#young, at.rows, locale);
    const known = young.starts.get(at.place);
    if (known !== undefined && isCurrent(young, at.place, stock)) {
      appendRecord(this.#young.bytes, known, to);
      return true;
    }
    if (known === undefined && this.#old !== undefined) {
      const old = recordsIn(this.#old, at.rows, locale);
      const start = old.starts.get(at.place);
      if (start !== undefined && isCurrent(old, at.place, stock)) {
        const { bytes } = this.#old;
        appendRecord(bytes, start, to);
        const record = bytes.subarray(start, start + HEAD + bytes.readUInt32LE(start));
        this.#keep({ at, locale }, record, old.marks.get(at.place));
        return true;
      }
    }
    const made = make();
    if (made === undefined) return false;
    const record = recordOf(made.text);
    appendRecord(record, 0, to);
    this.#keep({ at, locale }, record, made.stock);
    return true;
  }

  #keep({ at, locale }: EntryName, record: Uint8Array, mark: StockMark | undefined): void {
    if (record.length > this.#generationBytes / LEAST_RECORDS) return;
    if (this.#young.end + record.length > this.#generationBytes) {
      const { bytes } = this.#old ?? createGeneration(this.#generationBytes);
      this.#old = this.#young;
      this.#young = { bytes, end: 0, records: new Map() };
      // The record may lie in what is written over from now on: it is made anew when it is asked for again.
      return;
    }
    const { bytes, end } = this.#young;
    bytes.set(record, end);
    const { starts, marks } = recordsIn(this.#young, at.rows, locale);
    starts.set(at.place, end);
    if (mark !== undefined && (mark.places.length > 0 || mark.version !== 0)) marks.set(at.place, mark);
    this.#young.end = end + record.length;
  }
}

/** An entry's row and the language of its text. */
export interface EntryName {
  readonly at: RowPlace;
  readonly locale: string;
}

export interface EntryText {
  readonly text: string;
  /** Of a product: how its stock was. */
  readonly stock?: StockMark;
}

/** Where texts go. */
export interface Destination {
  readonly texts: ByteWriter;
  /** Those of the texts, in their order. */
  readonly digests: ByteWriter;
  /** Stands before the text. */
  readonly separator: string;
}

/** Bytes of a digest: enough that nobody finds two texts with the same one. */
const DIGEST = 16;
/** Bytes before a record's text. */
const HEAD = 4 + DIGEST;
/** A generation holds as many records: what is longer than so is not remembered. */
const LEAST_RECORDS = 16;

interface Generation {
  readonly bytes: Buffer;
  /** Of the last record. */
  end: number;
  /** By locale and rows. */
  readonly records: Map<string, WeakMap<object, Records>>;
}

/** By place. */
interface Records {
  readonly starts: Map<number, number>;
  /** Of products whose text depends on their stock. */
  readonly marks: Map<number, StockMark>;
}

function createGeneration(bytes: number): Generation {
  return { bytes: Buffer.allocUnsafeSlow(bytes), end: 0, records: new Map() };
}

function recordsIn({ records }: Generation, rows: object, locale: string): Records {
  let byRows = records.get(locale);
  if (byRows === undefined) {
    byRows = new WeakMap();
    records.set(locale, byRows);
  }
  let found = byRows.get(rows);
  if (found === undefined) {
    found = { starts: new Map(), marks: new Map() };
    byRows.set(rows, found);
  }
  return found;
}

function isCurrent({ marks }: Records, place: number, stock: Pick<LiveStock, "holds">): boolean {
  const mark = marks.get(place);
  return mark === undefined || stock.holds(mark);
}

function recordOf(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const record = Buffer.allocUnsafe(HEAD + length);
  record.writeUInt32LE(length);
  record.write(text, HEAD);
  hash("sha256", record.subarray(HEAD), "buffer").copy(record, 4, 0, DIGEST);
  return record;
}

function appendRecord(bytes: Buffer, at: number, { texts, digests, separator }: Destination): void {
  texts.text(separator);
  texts.bytes(bytes, at + HEAD, at + HEAD + bytes.readUInt32LE(at));
  digests.bytes(bytes, at + 4, at + HEAD);
}
