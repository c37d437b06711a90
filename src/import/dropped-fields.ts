import type { Json } from "./patch-rows.ts";
import type { LocatedRow } from "./read-catalog.ts";

/** Collects fields that stored rows have and their replacements lack. */
export interface DroppedFields {
  /**
   * Compares a row with the row that it replaces.
   * @param before the stored row, as JSON of `formatRow`
   * @param now the new row, as JSON of `formatRow`
   */
  compare(placed: LocatedRow, before: string, now: string): void;
  /** Dropped fields by name, such as "vendor" or "variants.sku". */
  readonly byName: ReadonlyMap<string, DroppedField>;
}

export interface DroppedField {
  /** Number of rows that lost the field. */
  readonly rows: number;
  /** File of the first of these rows. */
  readonly file: string;
  readonly line: number;
}

export function createDroppedFields(): DroppedFields {
  const byName = new Map<string, DroppedField>();
  return {
    byName,
    compare({ file, line }, before, now) {
      for (const name of new Set(droppedNames(JSON.parse(before) as Json, JSON.parse(now) as Json))) {
        const known = byName.get(name);
        byName.set(name, known === undefined ? { rows: 1, file, line } : { ...known, rows: known.rows + 1 });
      }
    },
  };
}

/**
 * Yields the names of fields that the new row lacks. `formatRow` omits defaults, so a field that is reset to its
 * default counts as dropped.
 */
function* droppedNames(before: Json, now: Json): Generator<string> {
  for (const name of Object.keys(before)) if (!(name in now)) yield name;
  const variants = new Map(variantsOf(now).map((variant) => [String(variant.id), variant]));
  for (const variant of variantsOf(before)) {
    const same = variants.get(String(variant.id));
    if (same === undefined) continue;
    for (const name of Object.keys(variant)) if (!(name in same)) yield `variants.${name}`;
  }
}

function variantsOf(row: Json): readonly Json[] {
  return Array.isArray(row.variants) ? (row.variants as readonly Json[]) : [];
}
