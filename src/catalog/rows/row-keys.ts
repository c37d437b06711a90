import type { Kind, Row } from "../catalog.ts";
import { codeKey } from "./parse-offers.ts";

/** Unique keys of a row, and its references to other rows. */
export interface RowKeys {
  readonly kind: Kind;
  readonly id: string;
  /** Handle or normalized discount code; "" without one. Unique within the kind, and for articles within the blog. */
  readonly handle: string;
  /** Ids of the row's variants, unique over all products. */
  readonly variantIds: readonly string[];
}

/** Handles of other rows to which a row refers. */
export interface RowReferences {
  readonly products: readonly string[];
  readonly collections: readonly string[];
}

export function rowKeys(row: Row): RowKeys {
  const { kind, id } = row;
  const variantIds = row.kind === "product" ? row.variants.map((variant) => variant.id) : [];
  return { kind, id, handle: handleKey(row), variantIds };
}

export function listRowReferences(row: Row): RowReferences {
  const products = row.kind === "collection" || row.kind === "bundle" || row.kind === "discount" ? row.products : [];
  return { products, collections: row.kind === "discount" ? row.collections : [] };
}

/** Kinds whose rows refer to other rows. */
export const referrerKinds: ReadonlySet<Kind> = new Set<Kind>(["collection", "bundle", "discount"]);

/** Returns the name of a row within its kind: the handle, with the blog's handle for articles, or "". */
export function formatRowName(row: Row): string {
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
