import { hash } from "node:crypto";
import type { RowPlace } from "../../catalog/catalog.ts";
import type { LiveStock, StockMark } from "../../catalog/live/live-stock.ts";
import { countCache, perObject } from "../../runtime/cache.ts";
import type { ByteWriter } from "../wire/byte-string.ts";

/**
 * JSON of catalog entries as bytes, each with its digest.
 *
 *     record   | length, 4 bytes | digest, 16 bytes | JSON as UTF-8 |
 *
 * Records are stored in sequence in two generations. When the younger is full, it becomes the older, and the older is
 * overwritten; a record of the older that is read is copied to the younger.
 *
 * `runtime/cache.ts` would be slower and larger: ten entries, a suggestion, take 4 µs of processor time from here and
 * 11 µs from there, and a process with 20,000 entries of 1 KB has 117 MB here and 155 MB there (2026-11-24, both with
 * the digests that a response needs).
 */
export class EntryJsonCache {
  readonly #generationBytes: number;
  readonly #counts = countCache("entry_json", this);
  #young: Generation;
  #old: Generation | undefined;

  /** @param maxBytes of both generations; their memory is used as it fills */
  constructor(maxBytes: number) {
    this.#generationBytes = Math.floor(maxBytes / 2);
    this.#young = createGeneration(this.#generationBytes);
  }

  /** Bytes of the records. */
  get weight(): number {
    return this.#young.end + (this.#old?.end ?? 0);
  }

  /**
   * Appends the JSON of an entry.
   * @param stock decides whether JSON that shows stock is current
   * @param create called if the cache has no current JSON; undefined if the entry does not exist
   * @returns whether the entry exists
   */
  append(
    { at, locale }: EntryKey,
    stock: Pick<LiveStock, "holds">,
    create: () => EntryJson | undefined,
    to: EntryOutput,
  ): boolean {
    const young = recordsIn(this.#young, at.rows, locale);
    const known = young.starts.get(at.place);
    if (known !== undefined && isCurrent(young, at.place, stock)) {
      this.#counts.hits += 1;
      appendRecord(this.#young.bytes, known, to);
      return true;
    }
    if (known === undefined && this.#old !== undefined) {
      const old = recordsIn(this.#old, at.rows, locale);
      const start = old.starts.get(at.place);
      if (start !== undefined && isCurrent(old, at.place, stock)) {
        this.#counts.hits += 1;
        const { bytes } = this.#old;
        appendRecord(bytes, start, to);
        const record = bytes.subarray(start, start + HEAD + bytes.readUInt32LE(start));
        this.#store({ at, locale }, record, old.marks.get(at.place));
        return true;
      }
    }
    this.#counts.misses += 1;
    const created = create();
    if (created === undefined) return false;
    const record = recordOf(created.text);
    appendRecord(record, 0, to);
    this.#store({ at, locale }, record, created.stock);
    return true;
  }

  #store({ at, locale }: EntryKey, record: Uint8Array, mark: StockMark | undefined): void {
    if (record.length > this.#generationBytes / MIN_RECORDS) return;
    if (this.#young.end + record.length > this.#generationBytes) {
      const { bytes } = this.#old ?? createGeneration(this.#generationBytes);
      this.#old = this.#young;
      this.#young = { bytes, end: 0, records: new Map() };
      // The record may be in the memory that will be overwritten: it is not stored.
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

/** Key of the cache: the position of an entry's row, and the language of its JSON. */
export interface EntryKey {
  readonly at: RowPlace;
  readonly locale: string;
}

export interface EntryJson {
  readonly text: string;
  /** The stock that a product's JSON shows. */
  readonly stock?: StockMark;
}

export interface EntryOutput {
  readonly texts: ByteWriter;
  /** Digests of the texts, in the same order. */
  readonly digests: ByteWriter;
  /** Written before the text. */
  readonly separator: string;
}

/** Bytes of a digest. */
const DIGEST = 16;
/** Bytes before a record's JSON. */
const HEAD = 4 + DIGEST;
/** Minimum number of records that fit in a generation: longer records are not stored. */
const MIN_RECORDS = 16;

interface Generation {
  readonly bytes: Buffer;
  /** End of the last record. */
  end: number;
  /** By locale. */
  readonly records: Map<string, (rows: object) => Records>;
}

/** By index. */
interface Records {
  readonly starts: Map<number, number>;
  /** Stock of the products whose JSON depends on it. */
  readonly marks: Map<number, StockMark>;
}

function createGeneration(bytes: number): Generation {
  return { bytes: Buffer.allocUnsafeSlow(bytes), end: 0, records: new Map() };
}

function recordsIn({ records }: Generation, rows: object, locale: string): Records {
  let byRows = records.get(locale);
  if (byRows === undefined) {
    byRows = perObject((_: object): Records => ({ starts: new Map(), marks: new Map() }));
    records.set(locale, byRows);
  }
  return byRows(rows);
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

function appendRecord(bytes: Buffer, at: number, { texts, digests, separator }: EntryOutput): void {
  texts.text(separator);
  texts.bytes(bytes, at + HEAD, at + HEAD + bytes.readUInt32LE(at));
  digests.bytes(bytes, at + 4, at + HEAD);
}
