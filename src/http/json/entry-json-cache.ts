import { hash } from "node:crypto";
import type { RowLocation } from "../../catalog/catalog.ts";
import type { LiveStock, StockMark } from "../../catalog/live/live-stock.ts";
import { countCache, memoizePerObject } from "../../runtime/cache.ts";
import type { ByteWriter } from "../wire/byte-string.ts";

/**
 * Cache of catalog entries as JSON bytes, each with its digest.
 *
 *     record   | length, 4 bytes | digest, 16 bytes | JSON as UTF-8 |
 *
 * Records are appended to one of two generations. When the young generation is full, it becomes the old one, and the
 * memory of the old one is overwritten. A record that is read from the old generation is copied to the young one.
 *
 * This cache is faster and smaller than `runtime/cache.ts`. A suggestion with ten entries takes 4 µs of processor time
 * instead of 11 µs. A process with 20,000 entries of 1 KB takes 117 MB instead of 155 MB (measured on 2026-11-24, both
 * with digests).
 */
export class EntryJsonCache {
  readonly #generationBytes: number;
  readonly #counts = countCache("entry_json", this);
  #young: Generation;
  #old: Generation | undefined;

  /** @param maxBytes maximum memory of both generations, which is used as they fill */
  constructor(maxBytes: number) {
    this.#generationBytes = Math.floor(maxBytes / 2);
    this.#young = createGeneration(this.#generationBytes);
  }

  /** Bytes of all records. */
  get weight(): number {
    return this.#young.end + (this.#old?.end ?? 0);
  }

  /**
   * Appends the JSON of an entry to the output.
   * @param stock decides whether JSON that shows stock is current
   * @param create called if the cache has no current JSON; returns undefined if the entry does not exist
   * @returns whether the entry exists
   */
  append(
    { row, locale }: EntryKey,
    stock: Pick<LiveStock, "isCurrent">,
    create: () => EntryJson | undefined,
    to: EntryOutput,
  ): boolean {
    const youngRecords = recordsFor(this.#young, row.rows, locale);
    const youngStart = youngRecords.startOffsets.get(row.position);
    if (youngStart !== undefined && isCurrent(youngRecords, row.position, stock)) {
      this.#counts.hits += 1;
      appendRecord(this.#young.bytes, youngStart, to);
      return true;
    }
    if (youngStart === undefined && this.#old !== undefined) {
      const oldRecords = recordsFor(this.#old, row.rows, locale);
      const start = oldRecords.startOffsets.get(row.position);
      if (start !== undefined && isCurrent(oldRecords, row.position, stock)) {
        this.#counts.hits += 1;
        const { bytes } = this.#old;
        appendRecord(bytes, start, to);
        const record = bytes.subarray(start, start + HEADER_BYTES + bytes.readUInt32LE(start));
        this.#store({ row, locale }, record, oldRecords.stockMarks.get(row.position));
        return true;
      }
    }
    this.#counts.misses += 1;
    const createdEntry = create();
    if (createdEntry === undefined) return false;
    const record = recordOf(createdEntry.text);
    appendRecord(record, 0, to);
    this.#store({ row, locale }, record, createdEntry.stock);
    return true;
  }

  #store({ row, locale }: EntryKey, record: Uint8Array, mark: StockMark | undefined): void {
    if (record.length > this.#generationBytes / MIN_RECORDS) return;
    if (this.#young.end + record.length > this.#generationBytes) {
      const { bytes } = this.#old ?? createGeneration(this.#generationBytes);
      this.#old = this.#young;
      this.#young = { bytes, end: 0, records: new Map() };
      // The record may be in memory that will be overwritten, so it is not stored.
      return;
    }
    const { bytes, end } = this.#young;
    bytes.set(record, end);
    const { startOffsets, stockMarks } = recordsFor(this.#young, row.rows, locale);
    startOffsets.set(row.position, end);
    if (mark !== undefined && (mark.counterIndices.length > 0 || mark.version !== 0))
      stockMarks.set(row.position, mark);
    this.#young.end = end + record.length;
  }
}

/** Cache key: position of an entry's row, and language of the JSON. */
export interface EntryKey {
  readonly row: RowLocation;
  readonly locale: string;
}

export interface EntryJson {
  readonly text: string;
  /** Stock that the JSON of a product shows. */
  readonly stock?: StockMark;
}

export interface EntryOutput {
  readonly textWriter: ByteWriter;
  /** Digests of the appended JSON texts, in the same order. */
  readonly digestWriter: ByteWriter;
  /** Text to write before the JSON. */
  readonly separator: string;
}

/** Length of a digest, in bytes. */
const DIGEST_BYTES = 16;
/** Length of a record's header, in bytes. */
const HEADER_BYTES = 4 + DIGEST_BYTES;
/** Minimum number of records that fit in a generation. Larger records are not stored. */
const MIN_RECORDS = 16;

interface Generation {
  readonly bytes: Buffer;
  /** Offset after the last record. */
  end: number;
  /** Records by locale. */
  readonly records: Map<string, (rows: object) => GenerationRecords>;
}

/** Records of one catalog and locale, by row position. */
interface GenerationRecords {
  readonly startOffsets: Map<number, number>;
  /** Stock of each product whose JSON depends on its stock. */
  readonly stockMarks: Map<number, StockMark>;
}

function createGeneration(bytes: number): Generation {
  return { bytes: Buffer.allocUnsafeSlow(bytes), end: 0, records: new Map() };
}

function recordsFor({ records }: Generation, rows: object, locale: string): GenerationRecords {
  let byRows = records.get(locale);
  if (byRows === undefined) {
    byRows = memoizePerObject((_: object): GenerationRecords => ({ startOffsets: new Map(), stockMarks: new Map() }));
    records.set(locale, byRows);
  }
  return byRows(rows);
}

function isCurrent({ stockMarks }: GenerationRecords, place: number, stock: Pick<LiveStock, "isCurrent">): boolean {
  const mark = stockMarks.get(place);
  return mark === undefined || stock.isCurrent(mark);
}

function recordOf(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const record = Buffer.allocUnsafe(HEADER_BYTES + length);
  record.writeUInt32LE(length);
  record.write(text, HEADER_BYTES);
  hash("sha256", record.subarray(HEADER_BYTES), "buffer").copy(record, 4, 0, DIGEST_BYTES);
  return record;
}

function appendRecord(
  bytes: Buffer,
  at: number,
  { textWriter: texts, digestWriter: digests, separator }: EntryOutput,
): void {
  texts.text(separator);
  texts.bytes(bytes, at + HEADER_BYTES, at + HEADER_BYTES + bytes.readUInt32LE(at));
  digests.bytes(bytes, at + 4, at + HEADER_BYTES);
}
