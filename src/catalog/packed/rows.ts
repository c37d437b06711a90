import { createCache, memoizePerObject } from "../../runtime/cache.ts";
import { lowerBound } from "../../runtime/lower-bound.ts";
import { type Entry, entryKinds, isEntryKind, type Row, type RowKind } from "../catalog.ts";
import { isUnfinishedTemplate } from "../content.ts";
import type { Product } from "../product.ts";
import { normalizeCode } from "../rows/parse-offers.ts";
import { readRow } from "../rows/parse-row.ts";
import { readPackedProduct } from "../rows/read-packed-product.ts";
import { computeVariantKey, createPackedKeyBuilder, type RowKeyTable } from "./keys.ts";
import { createPackedTextBuilder, getText, type PackedTexts, type TextFile } from "./texts.ts";

/**
 * Catalog rows as JSON texts with lookup keys, in a few typed arrays. Even a million rows burden the garbage collector
 * little, and threads share them without copying.
 */
export interface PackedRows {
  /** Document numbers by row position; undefined if the position of each row is its number. */
  readonly numbers?: Uint32Array;
  /** Kind of each row by position: an index of `packedKinds`, `UNPUBLISHED_KIND`, or `HIDDEN_ROW_KIND`. */
  readonly kinds: Uint8Array;
  /** JSON of the rows, written by `formatRow`. */
  readonly texts: PackedTexts;
  readonly keys: RowKeyTable;
  /** Document numbers of discounts without a code. */
  readonly automaticNumbers: Uint32Array;
  /** Document numbers of metaobjects. */
  readonly metaobjects: Uint32Array;
}

/** A row to be packed; `row` is undefined for a deleted row. */
export interface NumberedRow {
  readonly number: number;
  readonly json: string;
  readonly row: Row | undefined;
}

/** Kinds of rows without a page in the shop. */
export const otherKinds = ["discount", "gift_card", "customer", "metaobject"] as const satisfies readonly RowKind[];
/** Kinds of rows. The index of a kind is its code in `PackedRows.kinds`. */
export const packedKinds = [...entryKinds, ...otherKinds] as const;

/** Code of a deleted row, or of an unpublished row that cannot be looked up. */
export const HIDDEN_ROW_KIND = 255;
/**
 * Code of an unpublished product. So that its stock can be changed, it can be looked up, but only by the keys `sku` and
 * `unpublishedVariant`.
 */
const UNPUBLISHED_KIND = 254;

/** Returns whether shoppers can see a row. */
export function isPublished(row: Row): boolean {
  return !("published" in row && !row.published) && !(row.kind === "page" && isUnfinishedTemplate(row));
}

export interface PackerOptions {
  readonly maxRows: number;
  /** Maximum total bytes of the rows' texts. */
  readonly maxBytes: number;
  /** Whether document numbers are 0, 1, 2 … without gaps. */
  readonly isDense: boolean;
  /** Destination of the texts; default: memory. */
  readonly file?: TextFile | undefined;
}

export function createRowBuilder({ maxRows, maxBytes, isDense, file }: PackerOptions) {
  const texts = createPackedTextBuilder(maxRows, maxBytes, file);
  const kinds = new Uint8Array(new SharedArrayBuffer(maxRows));
  const numbers = new Uint32Array(new SharedArrayBuffer(isDense ? 0 : maxRows * 4));
  const keys = createPackedKeyBuilder();
  const automaticDiscounts: number[] = [];
  const metaobjects: number[] = [];
  let count = 0;
  return {
    /** Adds a row. Document numbers must ascend between calls. */
    add({ number, json, row }: NumberedRow) {
      const position = count;
      count += 1;
      if (!isDense) numbers[position] = number;
      const kind = row === undefined ? HIDDEN_ROW_KIND : encodeKind(row);
      kinds[position] = kind;
      if (row === undefined || kind === HIDDEN_ROW_KIND) {
        texts.skip();
        return;
      }
      for (const key of listRowKeys(row)) keys.add(key, position);
      if (row.kind === "discount" && row.code === undefined) automaticDiscounts.push(number);
      if (row.kind === "metaobject") metaobjects.push(number);
      texts.add(json);
    },
    finish: (): PackedRows => ({
      ...(isDense ? {} : { numbers: numbers.subarray(0, count) }),
      kinds: kinds.subarray(0, count),
      texts: texts.finish(),
      keys: keys.finish(),
      automaticNumbers: Uint32Array.from(automaticDiscounts),
      metaobjects: Uint32Array.from(metaobjects),
    }),
  };
}

function encodeKind(row: Row): number {
  if (isPublished(row)) return packedKinds.indexOf(row.kind);
  return row.kind === "product" ? UNPUBLISHED_KIND : HIDDEN_ROW_KIND;
}

/** Returns the JSON of a row; undefined if the row is not published.  @throws TextDamagedError */
export function readJson({ kinds, texts }: PackedRows, position: number): string | undefined {
  return packedKinds[kinds[position] ?? HIDDEN_ROW_KIND] === undefined ? undefined : getText(texts, position);
}

/** Returns a product, published or not; undefined for rows of other kinds.  @throws TextDamagedError */
export function readProductRow({ kinds, texts }: PackedRows, position: number): Product | undefined {
  const kind = kinds[position] ?? HIDDEN_ROW_KIND;
  return kind === UNPUBLISHED_KIND || packedKinds[kind] === "product"
    ? readPackedProduct(getText(texts, position))
    : undefined;
}

/** Decodes a published row; returns undefined for other rows.  @throws TextDamagedError */
export function getRow(rows: PackedRows, position: number): Row | undefined {
  const json = readJson(rows, position);
  const kind = packedKinds[rows.kinds[position] ?? HIDDEN_ROW_KIND];
  if (json === undefined || kind === undefined) return undefined;
  return kind === "product" ? readPackedProduct(json) : readRow(kind, json);
}

export function positionOf({ numbers, kinds }: PackedRows, number: number): number | undefined {
  if (numbers === undefined) return number < kinds.length ? number : undefined;
  const position = findFirstIndexAtLeast(numbers, number);
  return numbers[position] === number ? position : undefined;
}

export function readNumber({ numbers }: PackedRows, position: number): number {
  return numbers === undefined ? position : (numbers[position] ?? 0);
}

/** Returns the first index whose value is at least `minValue`. */
export function findFirstIndexAtLeast(
  sortedNumbers: { readonly length: number; readonly [index: number]: number },
  minValue: number,
  from = 0,
  to = sortedNumbers.length,
): number {
  return lowerBound(from, to, (index) => (sortedNumbers[index] ?? 0) < minValue);
}

/** Functions that return the lookup keys of rows. */
export const packedKey = {
  handle: (kind: RowKind, handle: string): string => `${kind} ${handle}`,
  productId: (id: string): string => `id ${id}`,
  variant: computeVariantKey,
  unpublishedVariant: (id: string): string => `unpublished ${id}`,
  sku: (sku: string): string => `sku ${sku}`,
  code: (kind: "discount" | "gift_card", code: string): string => `${kind} ${normalizeCode(code)}`,
  customer: (id: string): string => `customer ${id}`,
};

function listRowKeys(row: Row): readonly string[] {
  switch (row.kind) {
    case "product": {
      const skus = new Set(row.variants.flatMap(({ sku }) => (sku ? [packedKey.sku(sku)] : [])));
      if (!row.published) return [...skus, ...row.variants.map(({ id }) => packedKey.unpublishedVariant(id))];
      return [
        packedKey.handle("product", row.handle),
        packedKey.productId(row.id),
        ...row.variants.map((variant) => packedKey.variant(variant.id)),
        ...skus,
      ];
    }
    case "discount":
      return row.code === undefined ? [] : [packedKey.code("discount", row.code)];
    case "gift_card":
      return [packedKey.code("gift_card", row.code)];
    case "customer":
      return [packedKey.customer(row.id)];
    case "metaobject":
      return [];
    default:
      return [packedKey.handle(row.kind, row.handle)];
  }
}

/**
 * Maximum number of cached decoded rows, enough for a page of results and some carts. Decoding a row takes a few
 * microseconds.
 */
export const MAX_DECODED_ROWS = 2_000;

const getDecodedRows = memoizePerObject((_: PackedRows) =>
  createCache<number, Row>({ name: "decoded_rows", maxWeight: MAX_DECODED_ROWS }),
);

/** Returns a published row from the cache, or decodes it.  @throws TextDamagedError */
export function getDecodedRow(rows: PackedRows, position: number): Row | undefined {
  const cache = getDecodedRows(rows);
  const cachedRow = cache.get(position);
  if (cachedRow !== undefined) return cachedRow;
  const row = getRow(rows, position);
  if (row !== undefined) cache.set(position, row);
  return row;
}

export function containsNumber(sortedNumbers: Uint32Array, number: number): boolean {
  return sortedNumbers[findFirstIndexAtLeast(sortedNumbers, number)] === number;
}

export function isEntryRow(row: Row): row is Entry {
  return isEntryKind(row.kind);
}
