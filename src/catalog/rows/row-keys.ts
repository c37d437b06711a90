import type { Kind, Row } from "../catalog.ts";
import { codeKey } from "./parse-offers.ts";

/** What no two rows of a catalogue may share, and what a row needs of others. */
export interface RowKeys {
  readonly kind: Kind;
  readonly id: string;
  /** Unique within the kind, of articles within the blog: the handle, or the code as it is compared; "" if there is none. */
  readonly handle: string;
  /** Unique over all products. */
  readonly variantIds: readonly string[];
}

/** Handles that a row names of other rows, by its fields. */
export interface RowReferences {
  readonly products: readonly string[];
  readonly collections: readonly string[];
}

export function rowKeys(row: Row): RowKeys {
  const { kind, id } = row;
  const variantIds = row.kind === "product" ? row.variants.map((variant) => variant.id) : [];
  return { kind, id, handle: handleKey(row), variantIds };
}

export function rowReferences(row: Row): RowReferences {
  const products = row.kind === "collection" || row.kind === "bundle" || row.kind === "discount" ? row.products : [];
  return { products, collections: row.kind === "discount" ? row.collections : [] };
}

/** Kinds whose rows name others. */
export const referringKinds: ReadonlySet<Kind> = new Set<Kind>(["collection", "bundle", "discount"]);

/** What addresses a row among those of its kind: the handle, of an article with its blog; "" if nothing does. */
export function rowName(row: Row): string {
  return row.kind === "article" ? `${row.blog}/${row.handle}` : handleKey(row);
}

function handleKey(row: Row): string {
  switch (row.kind) {
    case "customer":
      return "";
    case "discount":
      return row.code === undefined ? "" : codeKey(row.code);
    case "gift_card":
      return codeKey(row.code);
    case "metaobject":
      return `${row.type}/${row.handle}`;
    default:
      return row.handle;
  }
}
