import type { Kind, Row } from "../catalog.ts";
import { codeKey } from "../rows/parse-offers.ts";
import { readRow } from "../rows/parse-row.ts";
import { readPackedProduct } from "../rows/read-packed-product.ts";
import { createKeyPacker, type PackedKeys, variantKey } from "./keys.ts";
import { createTextPacker, type PackedTexts, type TextFile, textAt } from "./texts.ts";

/** Rows as texts and look-ups: a million of them cost a few words each, and pass between threads without a copy.
 *
 *      number   0    1    2           (numbers: absent, or the number at each place, ascending)
 *      kinds    0    0    255         (hidden: not published)
 *      texts    {"kind":"product"…}{"kind":"product"…} */
export interface PackedRows {
  /** Document numbers by place; absent: a row's place is its number. */
  readonly numbers?: Uint32Array;
  /** Indexes of `packedKinds`, or `HIDDEN`. */
  readonly kinds: Uint8Array;
  /** JSON as `formatRow` wrote it. */
  readonly texts: PackedTexts;
  readonly keys: PackedKeys;
  /** Numbers of discounts without a code. */
  readonly automatic: Uint32Array;
  /** Numbers of metaobjects. */
  readonly metaobjects: Uint32Array;
}

/** A row to be packed; `row` is absent where it is not published. */
export interface NumberedRow {
  readonly number: number;
  readonly json: string;
  readonly row: Row | undefined;
}

export interface RowPacker {
  /** Numbers ascend. */
  add(row: NumberedRow): void;
  finish(): PackedRows;
}

/** Kinds by the number under which rows are packed; what shoppers can open comes first. */
export const packedKinds = [
  "product",
  "collection",
  "page",
  "article",
  "bundle",
  "discount",
  "gift_card",
  "customer",
  "metaobject",
] as const satisfies readonly Kind[];

export const HIDDEN = 255;

export interface PackerOptions {
  /** At most so many rows. */
  readonly maxRows: number;
  /** Of their texts together. */
  readonly maxBytes: number;
  /** Numbers are 0, 1, 2 … without a gap. */
  readonly isDense: boolean;
  /** Where texts go; absent: into memory. */
  readonly file?: TextFile | undefined;
}

export function createRowPacker({ maxRows, maxBytes, isDense, file }: PackerOptions): RowPacker {
  const texts = createTextPacker(maxRows, maxBytes, file);
  const kinds = new Uint8Array(new SharedArrayBuffer(maxRows));
  const numbers = new Uint32Array(new SharedArrayBuffer(isDense ? 0 : maxRows * 4));
  const keys = createKeyPacker();
  const automatic: number[] = [];
  const metaobjects: number[] = [];
  let count = 0;
  return {
    add({ number, json, row }) {
      const place = count;
      count += 1;
      if (!isDense) numbers[place] = number;
      kinds[place] = row === undefined ? HIDDEN : packedKinds.indexOf(row.kind);
      if (row === undefined) {
        texts.skip();
        return;
      }
      for (const key of keysOf(row)) keys.add(key, place);
      if (row.kind === "discount" && row.code === undefined) automatic.push(number);
      if (row.kind === "metaobject") metaobjects.push(number);
      texts.add(json);
    },
    finish: () => ({
      ...(isDense ? {} : { numbers: numbers.subarray(0, count) }),
      kinds: kinds.subarray(0, count),
      texts: texts.finish(),
      keys: keys.finish(),
      automatic: Uint32Array.from(automatic),
      metaobjects: Uint32Array.from(metaobjects),
    }),
  };
}

/** The text of a row; undefined where it is hidden. @throws TextDamaged */
export function jsonAt({ kinds, texts }: PackedRows, place: number): string | undefined {
  return (kinds[place] ?? HIDDEN) === HIDDEN ? undefined : textAt(texts, place);
}

/** @throws TextDamaged */
export function rowAt(rows: PackedRows, place: number): Row | undefined {
  const json = jsonAt(rows, place);
  const kind = packedKinds[rows.kinds[place] ?? HIDDEN];
  if (json === undefined || kind === undefined) return undefined;
  return kind === "product" ? readPackedProduct(json) : readRow(kind, json);
}

export function placeOf({ numbers, kinds }: PackedRows, number: number): number | undefined {
  if (numbers === undefined) return number < kinds.length ? number : undefined;
  const place = lowerBound(numbers, number);
  return numbers[place] === number ? place : undefined;
}

export function numberAt({ numbers }: PackedRows, place: number): number {
  return numbers === undefined ? place : (numbers[place] ?? 0);
}

/** The first index whose value is not below `wanted`. */
export function lowerBound(
  ascending: { readonly length: number; readonly [index: number]: number },
  wanted: number,
  from = 0,
  to = ascending.length,
): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Keys under which rows are looked up. */
export const packedKey = {
  handle: (kind: Kind, handle: string): string => `${kind} ${handle}`,
  productId: (id: string): string => `id ${id}`,
  variant: variantKey,
  code: (kind: "discount" | "gift_card", code: string): string => `${kind} ${codeKey(code)}`,
  customer: (id: string): string => `customer ${id}`,
};

function keysOf(row: Row): readonly string[] {
  switch (row.kind) {
    case "product":
      return [
        packedKey.handle("product", row.handle),
        packedKey.productId(row.id),
        ...row.variants.map((variant) => packedKey.variant(variant.id)),
      ];
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
