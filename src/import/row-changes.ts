import { isDeepStrictEqual } from "node:util";
import type { FieldChange, RowChange } from "../catalog/catalog-log.ts";
import { isObject } from "../runtime/is-object.ts";
import { truncateText } from "../runtime/truncate-text.ts";
import type { StagedRow } from "../storage/catalog/staging.ts";
import type { Json } from "./patch-rows.ts";
import type { RowRemoval } from "./row-conflicts.ts";

/** Describes the first changed rows of an import, for the log. */
export interface RowChanges {
  readonly list: readonly RowChange[];
  /** @param oldJson the replaced row, as JSON of `formatRow`; undefined for a new row */
  add(row: Pick<StagedRow, "kind" | "id" | "json">, oldJson: string | undefined): void;
  addRemovals(rows: readonly RowRemoval[]): void;
}

/** Maximum number of described rows, and of described fields in each row. */
const MAX_ROWS = 100;
const MAX_FIELDS = 50;
/** Maximum length of a value in the log, in characters of its JSON. */
const MAX_VALUE_LENGTH = 200;

export function createRowChanges(): RowChanges {
  const list: RowChange[] = [];
  return {
    list,
    add({ kind, id, json }, oldJson) {
      if (list.length >= MAX_ROWS) return;
      const row = JSON.parse(json) as Json;
      const { title = row.name ?? row.code ?? row.handle } = row;
      const rowIdentity = {
        kind,
        id,
        ...(title === undefined ? {} : { title: truncateText(String(title), MAX_VALUE_LENGTH) }),
      };
      if (oldJson === undefined) list.push({ ...rowIdentity, change: "added" });
      else
        list.push({
          ...rowIdentity,
          change: "changed",
          fields: [...compareRows(JSON.parse(oldJson) as Json, row)].slice(0, MAX_FIELDS),
        });
    },
    addRemovals(rows) {
      for (const { kind, id } of rows.slice(0, MAX_ROWS - list.length)) list.push({ kind, id, change: "removed" });
    },
  };
}

function* compareRows(oldRow: Json, row: Json, prefix = ""): Generator<FieldChange> {
  for (const field of new Set([...Object.keys(oldRow), ...Object.keys(row)])) {
    const [from, to] = [oldRow[field], row[field]];
    if (isDeepStrictEqual(from, to)) continue;
    if (field === "variants" && prefix === "") yield* compareVariants(from, to);
    else yield { field: `${prefix}${field}`, ...toValueField("from", from), ...toValueField("to", to) };
  }
}

function* compareVariants(from: unknown, to: unknown): Generator<FieldChange> {
  const [oldVariants, variants] = [mapVariants(from), mapVariants(to)];
  for (const [id, variant] of variants) yield* compareRows(oldVariants.get(id) ?? {}, variant, `variants.${id}.`);
  for (const id of oldVariants.keys()) if (!variants.has(id)) yield { field: `variants.${id}` };
}

function mapVariants(variants: unknown): ReadonlyMap<string, Json> {
  return new Map((Array.isArray(variants) ? variants : []).filter(isObject).map((item) => [String(item.id), item]));
}

function toValueField(name: "from" | "to", value: unknown): Partial<FieldChange> {
  return value === undefined || JSON.stringify(value).length > MAX_VALUE_LENGTH ? {} : { [name]: value };
}
