import type { RowKind } from "../catalog/catalog.ts";
import { isValidText } from "../catalog/rows/fields.ts";
import { normalizeCode } from "../catalog/rows/parse-offers.ts";
import { isRowKind } from "../catalog/rows/parse-row.ts";
import { isObject } from "../runtime/is-object.ts";
import { readCatalogState } from "../storage/catalog/catalog-store.ts";
import { readRowVersions } from "../storage/catalog/lookups.ts";
import type { Database } from "../storage/database.ts";
import type { ParsedValue } from "./formats/read-value.ts";

export type Json = Readonly<Record<string, unknown>>;

/** Detects patches among imported values. A patch contains only the changed fields of a stored row. */
export interface PatchDetector {
  /** Returns the patch that an imported value contains, or undefined if the value is a full row. */
  find(value: unknown): unknown;
  /** Advice to the user, added to the error message if a patch refers to a row that the store does not have. */
  readonly advice: string;
}

const rowPatchFinder: PatchDetector = { find: (value) => value, advice: "import it without --patch" };

/**
 * Returns a function that applies patches to stored rows by JSON Merge Patch (RFC 7386): a field replaces the stored
 * field, objects are merged, and `null` removes a field. Variants are merged one by one.
 */
export function createRowMerger(database: Database, findPatch = rowPatchFinder): RowMerger {
  return async (values, fallback) => {
    const { revision } = await readCatalogState(database);
    const patches = values.map(findPatch.find);
    const targets = patches.map((patch) => parseNamedRow(patch, fallback));
    const storedRowsByKey = new Map<string, Json>();
    for (const [kind, group] of Map.groupBy(
      targets.filter((target) => target !== undefined),
      (target) => target.kind,
    )) {
      for (const column of ["id", "handle"] as const) {
        const keys = group.flatMap((target) => target[column] ?? []);
        for (const row of await readRowVersions(database, revision, kind, column, keys))
          storedRowsByKey.set(`${kind} ${column} ${row[column]}`, JSON.parse(row.json) as Json);
      }
    }
    return values.map((value, index): MergedValue => {
      const patch = patches[index];
      if (patch === undefined) return { value };
      const identifier = targets[index];
      // A patch that identifies no row is returned unchanged, and the parser reports its error.
      if (identifier === undefined) return { value: patch };
      const { kind, id, handle } = identifier;
      const storedRow = storedRowsByKey.get(`${kind} ${id === undefined ? `handle ${handle}` : `id ${id}`}`);
      if (storedRow !== undefined) return mergeRow(storedRow, patch as Json);
      return { error: `the store has no ${kind} "${id ?? handle}" to change: ${findPatch.advice}` };
    });
  };
}

export interface NamedRow {
  readonly kind: RowKind;
  readonly id?: string;
  readonly handle?: string;
}

/** Returns the kind and the id, handle, or code of the row to which a value refers; undefined if the value has none. */
export function parseNamedRow(value: unknown, fallback: RowKind | undefined): NamedRow | undefined {
  if (!isObject(value)) return undefined;
  const kind = value.kind ?? fallback;
  if (typeof kind !== "string" || !isRowKind(kind)) return undefined;
  const { id, code, handle } = value;
  // Stored rows never have an identifier with invalid characters, and PostgreSQL rejects some of these characters.
  if (![id, code, handle].every((part) => typeof part !== "string" || isValidText(part))) return undefined;
  if (typeof id === "string" || typeof id === "number") return { kind, id: String(id) };
  if (typeof code === "string") return { kind, handle: normalizeCode(code) };
  return typeof handle === "string" ? { kind, handle: handle.trim() } : undefined;
}

function mergeRow(oldRow: Json, patch: Json): MergedValue {
  const value = mergePatch(oldRow, patch);
  const [oldVariants, variantPatches] = [oldRow.variants, patch.variants];
  if (!Array.isArray(oldVariants) || !Array.isArray(variantPatches)) return { value };
  const variants = mergeVariants(oldVariants, variantPatches);
  return "error" in variants ? variants : { value: { ...value, variants } };
}

function mergePatch(oldRow: Json, patch: Json): Json {
  const mergedRow: Record<string, unknown> = { ...oldRow };
  for (const [identifier, value] of Object.entries(patch)) {
    const oldValue = mergedRow[identifier];
    if (value === null) delete mergedRow[identifier];
    else mergedRow[identifier] = isObject(value) ? mergePatch(isObject(oldValue) ? oldValue : {}, value) : value;
  }
  return mergedRow;
}

/**
 * Updates the variants that the patch identifies, adds new ones, and leaves the remaining variants unchanged. A new
 * variant needs options or a title. Otherwise, a mistyped SKU would add a variant instead of changing one.
 */
function mergeVariants(
  oldVariants: readonly unknown[],
  patches: readonly unknown[],
): readonly unknown[] | { readonly error: string } {
  const mergedVariants = [...oldVariants];
  for (const [patchIndex, value] of patches.entries()) {
    const patch = isObject(value) ? addOptionList(value) : value;
    const index = isObject(patch)
      ? mergedVariants.findIndex((variant) => isObject(variant) && isPatchTarget(variant, patch, oldVariants.length))
      : -1;
    if (index < 0 && isObject(patch) && patch.options === undefined && patch.title === undefined) {
      const error = `variants[${patchIndex}]: identifies no variant of the product: correct its id or SKU, or add the options of a new variant`;
      return { error };
    }
    if (index < 0) mergedVariants.push(patch);
    else mergedVariants[index] = mergePatch(mergedVariants[index] as Json, patch as Json);
  }
  return mergedVariants;
}

/** Returns whether a patch identifies a variant by id, SKU or options. A product's only variant needs no identifier. */
function isPatchTarget(variant: Json, patch: Json, count: number): boolean {
  for (const field of ["id", "sku"])
    if (patch[field] !== undefined) {
      const key = toKey(patch[field]);
      return key !== undefined && key === toKey(variant[field]);
    }
  if (patch.options !== undefined) return JSON.stringify(patch.options) === JSON.stringify(variant.options ?? []);
  return count === 1;
}

function toKey(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** Replaces the fields `option1`, `option2`, and `option3` by the list `options`, which stored variants have. */
function addOptionList({ option1, option2, option3, ...variant }: Json): Json {
  if (option1 === undefined) return variant;
  return {
    options: [option1, option2, option3].filter((option) => option !== undefined && option !== null),
    ...variant,
  };
}

/**
 * Converts patches to full rows by merging them with the stored rows. Full rows are returned unchanged.
 * @param fallback row kind of values that do not contain a kind
 * @returns a value or an error for each input
 */
export type RowMerger = (values: readonly unknown[], fallback: RowKind | undefined) => Promise<readonly MergedValue[]>;

export type MergedValue = { readonly value: unknown } | { readonly error: string };

/** Number of values for which stored rows are read and merged at once. */
const MERGE_BATCH_SIZE = 200;

/** Yields the values in input order, with each patch replaced by the merged full row. */
export async function* mergePatches(
  parsedValues: AsyncGenerator<ParsedValue>,
  merger: RowMerger,
  kind: RowKind | undefined,
): AsyncGenerator<ParsedValue> {
  let batch: ParsedValue[] = [];
  async function* flush(): AsyncGenerator<ParsedValue> {
    const validValues = batch.filter(({ error }) => error === undefined);
    const values = (
      await merger(
        validValues.map(({ value }) => value),
        kind,
      )
    ).values();
    for (const parsedValue of batch)
      yield parsedValue.error === undefined ? { ...parsedValue, ...values.next().value } : parsedValue;
    batch = [];
  }
  for await (const parsedValue of parsedValues) {
    batch.push(parsedValue);
    if (batch.length === MERGE_BATCH_SIZE) yield* flush();
  }
  yield* flush();
}
