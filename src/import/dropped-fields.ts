import type { LocatedRow } from "./read-catalog.ts";

/** Fields that rows had in the store and that the rows in their places do not name. */
export interface DroppedFields {
  /** Compares a row with the one that it replaces, both as `formatRow` writes them. */
  compare(placed: LocatedRow, before: string, now: string): void;
  /** By the field's name, "variants.sku" for one of variants. */
  readonly byName: ReadonlyMap<string, DroppedField>;
}

export interface DroppedField {
  /** How many rows lost it. */
  readonly rows: number;
  /** The first of them. */
  readonly file: string;
  readonly line: number;
}

type Json = Readonly<Record<string, unknown>>;

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

/** Defaults are not written: a field that has become its default is lost like one that is not named. */
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
