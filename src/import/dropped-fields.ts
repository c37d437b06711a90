import type { Json } from "./patch-rows.ts";
import type { LocatedRow } from "./read-catalog.ts";

/** Collects the fields that are lost when imported rows without these fields replace stored rows. */
export interface DroppedFields {
  /**
   * Compares a row with the row that it replaces.
   * @param oldJson the stored row, as JSON of `formatRow`
   * @param newJson the new row, as JSON of `formatRow`
   */
  compare(locatedRow: LocatedRow, oldJson: string, newJson: string): void;
  /** Dropped fields by name, such as "vendor" or "variants.sku". */
  readonly fieldsByName: ReadonlyMap<string, DroppedField>;
}

export interface DroppedField {
  /** Number of rows that lost the field. */
  readonly rows: number;
  /** File of the first row that lost the field. */
  readonly file: string;
  readonly line: number;
}

export function createDroppedFieldLog(): DroppedFields {
  const fieldsByName = new Map<string, DroppedField>();
  return {
    fieldsByName,
    compare({ file, line }, oldJson, newJson) {
      for (const name of new Set(findDroppedNames(JSON.parse(oldJson) as Json, JSON.parse(newJson) as Json))) {
        const droppedField = fieldsByName.get(name);
        fieldsByName.set(
          name,
          droppedField === undefined ? { rows: 1, file, line } : { ...droppedField, rows: droppedField.rows + 1 },
        );
      }
    },
  };
}

/**
 * Yields the names of fields that the new row lacks. `formatRow` omits defaults, so a field that is reset to its
 * default counts as dropped.
 */
function* findDroppedNames(oldRow: Json, newRow: Json): Generator<string> {
  for (const name of Object.keys(oldRow)) if (!(name in newRow)) yield name;
  const variants = new Map(listVariants(newRow).map((variant) => [String(variant.id), variant]));
  for (const variant of listVariants(oldRow)) {
    const newVariant = variants.get(String(variant.id));
    if (newVariant === undefined) continue;
    for (const name of Object.keys(variant)) if (!(name in newVariant)) yield `variants.${name}`;
  }
}

function listVariants(row: Json): readonly Json[] {
  return Array.isArray(row.variants) ? (row.variants as readonly Json[]) : [];
}
