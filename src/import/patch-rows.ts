import type { Kind } from "../catalog/catalog.ts";
import { isValidText } from "../catalog/rows/fields.ts";
import { codeKey } from "../catalog/rows/parse-offers.ts";
import { isKind } from "../catalog/rows/parse-row.ts";
import { readCatalogState } from "../storage/catalog/catalog-store.ts";
import { findRows, readRowsById } from "../storage/catalog/lookups.ts";
import type { Database } from "../storage/database.ts";
import type { ReadValue } from "./formats/read-value.ts";

export type Json = Readonly<Record<string, unknown>>;

/** Decides which values are patches. */
export interface PatchOf {
  /** Returns the patch that a value contains, or undefined if the value is a full row. */
  find(value: unknown): unknown;
  /** Advice that follows the error "there is no such row: ". */
  readonly advice: string;
}

const everyRow: PatchOf = { find: (value) => value, advice: "import it without --patch" };

/**
 * Completes patches from stored rows by JSON Merge Patch (RFC 7386): a field replaces the stored field, objects are
 * merged, and `null` removes a field. Variants are merged one by one.
 */
export function createPatch(database: Database, patchOf = everyRow): MergeRows {
  return async (values, fallback) => {
    const { revision } = await readCatalogState(database);
    const patches = values.map(patchOf.find);
    const targets = patches.map((patch) => namedRow(patch, fallback));
    const found = new Map<string, Json>();
    for (const [kind, group] of Map.groupBy(
      targets.filter((one) => one !== undefined),
      (one) => one.kind,
    )) {
      const handles = group.flatMap(({ handle }) => handle ?? []);
      const idsByHandle = new Map<string, string>();
      for (const { key, id } of await findRows(database, revision, kind, "handle", handles)) idsByHandle.set(key, id);
      const ids = group.flatMap(({ id, handle }) => id ?? idsByHandle.get(handle ?? "") ?? []);
      for (const { id, json } of await readRowsById(database, revision, kind, ids))
        found.set(`${kind} ${id}`, JSON.parse(json) as Json);
      for (const [handle, id] of idsByHandle) {
        const row = found.get(`${kind} ${id}`);
        if (row !== undefined) found.set(`${kind} handle ${handle}`, row);
      }
    }
    return values.map((value, index): MergedValue => {
      const patch = patches[index];
      if (patch === undefined) return { value };
      const name = targets[index];
      // The parser reports a patch that does not identify a row.
      if (name === undefined) return { value: patch };
      const { kind, id, handle } = name;
      const before = found.get(id === undefined ? `${kind} handle ${handle}` : `${kind} ${id}`);
      if (before !== undefined) return { value: mergeRow(before, patch as Json) };
      return { error: `there is no ${kind} "${id ?? handle}" in the store to be changed: ${patchOf.advice}` };
    });
  };
}

export interface NamedRow {
  readonly kind: Kind;
  readonly id?: string;
  readonly handle?: string;
}

/** Returns the row that a value identifies, or undefined. */
export function namedRow(value: unknown, fallback: Kind | undefined): NamedRow | undefined {
  if (!isObject(value)) return undefined;
  const kind = value.kind ?? fallback;
  if (typeof kind !== "string" || !isKind(kind)) return undefined;
  const { id, code, handle } = value;
  // No row has an identifier with other characters, and PostgreSQL rejects some of them.
  if (![id, code, handle].every((one) => typeof one !== "string" || isValidText(one))) return undefined;
  if (typeof id === "string" || typeof id === "number") return { kind, id: String(id) };
  if (typeof code === "string") return { kind, handle: codeKey(code.trim()) };
  return typeof handle === "string" ? { kind, handle: handle.trim() } : undefined;
}

function mergeRow(before: Json, patch: Json): Json {
  const merged = mergePatch(before, patch);
  const [had, named] = [before.variants, patch.variants];
  return Array.isArray(had) && Array.isArray(named) ? { ...merged, variants: mergeVariants(had, named) } : merged;
}

function mergePatch(before: Json, patch: Json): Json {
  const merged: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(patch)) {
    const old = merged[name];
    if (value === null) delete merged[name];
    else merged[name] = isObject(value) ? mergePatch(isObject(old) ? old : {}, value) : value;
  }
  return merged;
}

/** Changes the variants in the patch, adds new ones, and keeps the others. */
function mergeVariants(before: readonly unknown[], named: readonly unknown[]): readonly unknown[] {
  const merged = [...before];
  for (const value of named) {
    const patch = isObject(value) ? withOptionList(value) : value;
    const at = isObject(patch) ? merged.findIndex((one) => isObject(one) && isMeant(one, patch, before.length)) : -1;
    if (at < 0) merged.push(patch);
    else merged[at] = mergePatch(merged[at] as Json, patch as Json);
  }
  return merged;
}

/** Returns whether a patch identifies a variant by id, SKU or options. A product's only variant needs no identifier. */
function isMeant(variant: Json, patch: Json, count: number): boolean {
  for (const field of ["id", "sku"])
    if (patch[field] !== undefined) return String(patch[field]) === String(variant[field]);
  if (patch.options !== undefined) return JSON.stringify(patch.options) === JSON.stringify(variant.options ?? []);
  return count === 1;
}

/** Converts `option1` to `option3` to `options`, as in stored variants. */
function withOptionList({ option1, option2, option3, ...variant }: Json): Json {
  if (option1 === undefined) return variant;
  return { options: [option1, option2, option3].filter((one) => one !== undefined && one !== null), ...variant };
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Completes values that are patches.
 * @param fallback kind of values that state none
 * @returns a value or an error for each input
 */
export type MergeRows = (values: readonly unknown[], fallback: Kind | undefined) => Promise<readonly MergedValue[]>;

export type MergedValue = { readonly value: unknown } | { readonly error: string };

/** Number of values completed at once. */
const MERGE_BATCH = 200;

/** Yields completed values in input order. */
export async function* merged(
  reads: AsyncGenerator<ReadValue>,
  merge: MergeRows,
  kind: Kind | undefined,
): AsyncGenerator<ReadValue> {
  let batch: ReadValue[] = [];
  async function* flush(): AsyncGenerator<ReadValue> {
    const right = batch.filter(({ error }) => error === undefined);
    const values = (
      await merge(
        right.map(({ value }) => value),
        kind,
      )
    ).values();
    for (const read of batch) yield read.error === undefined ? { ...read, ...values.next().value } : read;
    batch = [];
  }
  for await (const read of reads) {
    batch.push(read);
    if (batch.length === MERGE_BATCH) yield* flush();
  }
  yield* flush();
}
