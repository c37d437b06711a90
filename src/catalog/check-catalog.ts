import type { Kind, Row } from "./catalog.ts";
import type { CatalogFault } from "./faults.ts";
import type { PlacedRow } from "./read-catalog.ts";
import { type RowKeys, type RowReferences, rowKeys, rowReferences } from "./row-keys.ts";

/** Looks for faults between rows: what is there twice, and what is named but not there. */
export interface CatalogCheck {
  /** A row of the files. */
  add(placed: PlacedRow): void;
  /** A row of the store that stays beside those of the files; all of `add` come first. */
  addStored(keys: RowKeys, row: Row | undefined): void;
  /** True where the files hold this row. */
  has(kind: Kind, id: string): boolean;
  /** Reports what is named but not there; call it last. */
  finish(): void;
  /** Rows of the files by kind. */
  readonly counts: ReadonlyMap<Kind, number>;
}

interface Place {
  readonly file: string;
  readonly line: number;
}

interface Referrer extends RowReferences {
  readonly place: Place;
  /** Comes before the field, to name a row that has no line. */
  readonly prefix: string;
}

/** Names the store in a fault that has no file. */
const STORED = "the store";

export function createCatalogCheck(onFault: (fault: CatalogFault) => void): CatalogCheck {
  // Key -> where it was seen. Files are few, so their names are shared; a line is a small integer.
  const places = new Map<string, Place>();
  const counts = new Map<Kind, number>();
  const referrers: Referrer[] = [];

  const refer = (row: Row, place: Place, prefix: string): void => {
    const references = rowReferences(row);
    if (references.products.length + references.collections.length > 0)
      referrers.push({ ...references, place, prefix });
  };
  const claim = (key: string, place: Place, field: string, what: string): void => {
    const other = places.get(key);
    if (other === undefined) places.set(key, place);
    else onFault({ ...place, field, message: `${what} is used ${where(other, place)} too` });
  };
  const isThere = (kind: Kind, handle: string): boolean => places.has(`${kind} handle ${handle}`);

  return {
    counts,
    add({ row, file, line }) {
      const place = { file, line };
      counts.set(row.kind, (counts.get(row.kind) ?? 0) + 1);
      const { kind, id, handle, variantIds } = rowKeys(row);
      claim(`${kind} id ${id}`, place, "id", `id ${id}`);
      const field = "code" in row ? "code" : "handle";
      if (handle !== "") claim(`${kind} handle ${handle}`, place, field, `"${handle}"`);
      for (const [index, variant] of variantIds.entries()) {
        claim(`variant ${variant}`, place, `variants[${index}].id`, `variant id ${variant}`);
      }
      refer(row, place, "");
    },
    addStored(keys, row) {
      const stored = { file: STORED, line: 0 };
      const clash = (key: string, field: string, what: string): void => {
        const other = places.get(key);
        if (other === undefined) places.set(key, stored);
        else if (other.file !== STORED) {
          const message = `${what} is taken by the ${keys.kind} ${keys.id} of the store: use that id, or import with --prune`;
          onFault({ ...other, field, message });
        }
      };
      if (keys.handle !== "") clash(`${keys.kind} handle ${keys.handle}`, "handle", `"${keys.handle}"`);
      for (const variant of keys.variantIds) clash(`variant ${variant}`, "variants", `variant id ${variant}`);
      if (row !== undefined) refer(row, stored, `${keys.kind} ${keys.handle || keys.id}: `);
    },
    has: (kind, id) => places.has(`${kind} id ${id}`),
    finish() {
      for (const { products, collections, place, prefix } of referrers) {
        const missing = (kind: Kind, field: string, handles: readonly string[]): void => {
          const seen = new Set<string>();
          for (const [index, handle] of handles.entries()) {
            const at = `${prefix}${field}[${index}]`;
            if (!isThere(kind, handle)) onFault({ ...place, field: at, message: `there is no ${kind} "${handle}"` });
            else if (seen.has(handle)) onFault({ ...place, field: at, message: `"${handle}" is there twice` });
            seen.add(handle);
          }
        };
        missing("product", "products", products);
        missing("collection", "collections", collections);
      }
    },
  };
}

function where(other: Place, place: Place): string {
  return other.file === place.file ? `on line ${other.line}` : `in ${other.file}:${other.line}`;
}
