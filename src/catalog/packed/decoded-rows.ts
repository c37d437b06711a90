import { LRUCache } from "lru-cache";
import type { Row } from "../catalog.ts";
import { type PackedRows, rowAt } from "./rows.ts";

/** Decoded rows that are cached: a page of results and some carts. A row takes a few microseconds to decode. */
export const MAX_DECODED = 2_000;

const decodedRows = new WeakMap<PackedRows, LRUCache<number, Row>>();

/** A published row, decoded once. @throws TextDamaged */
export function decodedRow(rows: PackedRows, place: number): Row | undefined {
  let decoded = decodedRows.get(rows);
  if (decoded === undefined) {
    decoded = new LRUCache({ max: MAX_DECODED });
    decodedRows.set(rows, decoded);
  }
  const known = decoded.get(place);
  if (known !== undefined) return known;
  const row = rowAt(rows, place);
  if (row !== undefined) decoded.set(place, row);
  return row;
}
