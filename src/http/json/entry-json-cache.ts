import { hash } from "node:crypto";
import type { RowLocation } from "../../catalog/catalog.ts";
import type { LiveStock, StockVersion } from "../../catalog/live/live-stock.ts";
import { getOrCreate, memoizePerObject, registerCache } from "../../runtime/cache.ts";
import type { ByteWriter } from "../wire/byte-string.ts";

/**
 * Memory cache for the JSON of catalog entries, with a digest of each JSON text.
 *
 *     record   | length, 4 bytes | digest, 16 bytes | JSON as UTF-8 |
 *
 * Records are written to one of two buffers. When the young buffer is full, the old buffer is cleared and the two
 * switch roles. A record that is read from the old buffer is copied to the young one, so frequently used records
 * remain.
 *
 * This cache is faster and smaller than `runtime/cache.ts`: a response with ten entries takes 4 µs of processor time
 * instead of 11 µs, and 20,000 entries of 1 KB take 117 MB of memory instead of 155 MB (measured on 2026-11-24).
 */
export class EntryJsonCache {
  readonly #maxGenerationBytes: number;
  readonly #counts = registerCache("entry_json", this);
  #youngGeneration: Generation;
  #oldGeneration: Generation | undefined;

  /** @param maxBytes maximum memory of both buffers together, in bytes */
  constructor(maxBytes: number) {
    this.#maxGenerationBytes = Math.floor(maxBytes / 2);
    this.#youngGeneration = createCacheGeneration();
  }

  /** Size of all cached records, in bytes. */
  get weight(): number {
    return this.#youngGeneration.end + (this.#oldGeneration?.end ?? 0);
  }

  /**
   * Appends the JSON of an entry to the output, from the cache if possible.
   * @param stock current stock; cached JSON with outdated stock is not used
   * @param createValue creates the JSON; returns undefined if the entry does not exist
   * @returns whether the entry exists
   */
  append(
    { row, locale }: EntryKey,
    stock: Pick<LiveStock, "isCurrent">,
    createValue: () => EntryJson | undefined,
    target: EntryJsonOutput,
  ): boolean {
    const youngRecords = getRecords(this.#youngGeneration, row.rows, locale);
    const youngOffset = youngRecords.startOffsets.get(row.position);
    if (youngOffset !== undefined && isCurrent(youngRecords, row.position, stock)) {
      this.#counts.hits += 1;
      appendRecord(this.#youngGeneration.bytes, youngOffset, target);
      return true;
    }
    if (youngOffset === undefined && this.#oldGeneration !== undefined) {
      const oldRecords = getRecords(this.#oldGeneration, row.rows, locale);
      const start = oldRecords.startOffsets.get(row.position);
      if (start !== undefined && isCurrent(oldRecords, row.position, stock)) {
        this.#counts.hits += 1;
        const { bytes } = this.#oldGeneration;
        appendRecord(bytes, start, target);
        const record = bytes.subarray(start, start + HEADER_BYTES + bytes.readUInt32LE(start));
        this.#storeRecord({ row, locale }, record, oldRecords.stockVersions.get(row.position));
        return true;
      }
    }
    this.#counts.misses += 1;
    const newEntry = createValue();
    if (newEntry === undefined) return false;
    const record = createTextRecord(newEntry.text);
    appendRecord(record, 0, target);
    this.#storeRecord({ row, locale }, record, newEntry.stock);
    return true;
  }

  #storeRecord({ row, locale }: EntryKey, record: Uint8Array, entryStockVersion: StockVersion | undefined): void {
    if (record.length > this.#maxGenerationBytes / MIN_BUFFER_RECORDS) return;
    if (this.#youngGeneration.end + record.length > this.#maxGenerationBytes) {
      const { bytes } = this.#oldGeneration ?? createCacheGeneration();
      this.#oldGeneration = this.#youngGeneration;
      this.#youngGeneration = { bytes, end: 0, records: new Map() };
      // The record may be in the buffer that has just become the young buffer and will be overwritten, so it is not
      // stored.
      return;
    }
    const { end } = this.#youngGeneration;
    this.#reserveBytes(end + record.length);
    this.#youngGeneration.bytes.set(record, end);
    const { startOffsets, stockVersions } = getRecords(this.#youngGeneration, row.rows, locale);
    startOffsets.set(row.position, end);
    if (
      entryStockVersion !== undefined &&
      (entryStockVersion.counterIndices.length > 0 || entryStockVersion.version !== 0)
    )
      stockVersions.set(row.position, entryStockVersion);
    this.#youngGeneration.end = end + record.length;
  }

  /** Enlarges the young buffer, at least to twice its size, so that a small catalog needs little memory. */
  #reserveBytes(bytes: number): void {
    const { bytes: oldBytes, end } = this.#youngGeneration;
    if (bytes <= oldBytes.length) return;
    this.#youngGeneration.bytes = Buffer.allocUnsafeSlow(
      Math.min(Math.max(bytes, 2 * oldBytes.length), this.#maxGenerationBytes),
    );
    this.#youngGeneration.bytes.set(oldBytes.subarray(0, end));
  }
}

/** Cache key of an entry: its row in the catalog, and the language of the JSON. */
export interface EntryKey {
  readonly row: RowLocation;
  readonly locale: string;
}

export interface EntryJson {
  readonly text: string;
  /** Stock that appears in the JSON of a product. */
  readonly stock?: StockVersion;
}

export interface EntryJsonOutput {
  readonly textWriter: ByteWriter;
  /** Receives the digest of each appended JSON text, in the same order. */
  readonly digestWriter: ByteWriter;
  /** Text before the JSON: "," or "". */
  readonly separator: string;
  /** Further fields of the JSON object, which are not cached: `,"name":value`. Default: none. */
  readonly extraFields?: string;
}

/** Length of a digest, in bytes. */
const DIGEST_BYTES = 16;
/** Length of the length field and the digest before the JSON, in bytes. */
const HEADER_BYTES = 4 + DIGEST_BYTES;
/** Minimum number of records that fit in a buffer. Larger records are not cached. */
const MIN_BUFFER_RECORDS = 16;

interface Generation {
  bytes: Buffer;
  /** Offset in bytes at which the next record is written. */
  end: number;
  /** For each language, a function that returns the offsets of a catalog's records in `bytes`. */
  readonly records: Map<string, (rows: object) => GenerationRecords>;
}

/** Start offsets in the buffer of the records for one catalog and language, by row number of the catalog entry. */
interface GenerationRecords {
  readonly startOffsets: Map<number, number>;
  /** Stock that appears in the cached JSON of a product, by row of the product. */
  readonly stockVersions: Map<number, StockVersion>;
}

function createCacheGeneration(): Generation {
  return { bytes: Buffer.alloc(0), end: 0, records: new Map() };
}

function getRecords({ records }: Generation, rows: object, locale: string): GenerationRecords {
  const getRecordsOfRows = getOrCreate(records, locale, () =>
    memoizePerObject((_: object): GenerationRecords => ({ startOffsets: new Map(), stockVersions: new Map() })),
  );
  return getRecordsOfRows(rows);
}

function isCurrent(
  { stockVersions }: GenerationRecords,
  rowPosition: number,
  stock: Pick<LiveStock, "isCurrent">,
): boolean {
  const stockVersion = stockVersions.get(rowPosition);
  return stockVersion === undefined || stock.isCurrent(stockVersion);
}

function createTextRecord(text: string): Buffer {
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
  { textWriter, digestWriter, separator, extraFields = "" }: EntryJsonOutput,
): void {
  const end = at + HEADER_BYTES + bytes.readUInt32LE(at);
  textWriter.text(separator);
  textWriter.bytes(bytes, at + HEADER_BYTES, extraFields === "" ? end : end - 1);
  digestWriter.bytes(bytes, at + 4, at + HEADER_BYTES);
  if (extraFields === "") return;
  textWriter.text(`${extraFields}}`);
  digestWriter.text(extraFields);
}
