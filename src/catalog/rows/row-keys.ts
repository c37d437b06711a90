import type { Row, RowKind } from "../catalog.ts";
import { normalizeCode } from "./parse-offers.ts";

/** Unique keys of a row, and its references to other rows. */
export interface RowKeys {
  readonly kind: RowKind;
  readonly id: string;
  /** Handle or normalized discount code; "" without one. Unique within the kind, and for articles within the blog. */
  readonly handle: string;
  /** Ids of the row's variants, unique over all products. */
  readonly variantIds: readonly string[];
}

/** References from one field of a row to other rows, by handle. */
export interface RowReferences {
  /** Kind of the referenced rows. */
  readonly kind: "product" | "collection";
  /** Path of the field, such as "buy.products". */
  readonly field: string;
  readonly handles: readonly string[];
}

export function getRowKeys(row: Row): RowKeys {
  const { kind, id } = row;
  const variantIds = row.kind === "product" ? row.variants.map((variant) => variant.id) : [];
  return { kind, id, handle: getHandleKey(row), variantIds };
}

/** Returns the fields of a row that refer to other rows. */
export function listRowReferences(row: Row): readonly RowReferences[] {
  if (row.kind !== "collection" && row.kind !== "bundle" && row.kind !== "discount") return [];
  const { products } = row;
  const { collections = [], buy } = row.kind === "discount" ? row : {};
  const references: readonly RowReferences[] = [
    { kind: "product", field: "products", handles: products },
    { kind: "collection", field: "collections", handles: collections },
    { kind: "product", field: "buy.products", handles: buy?.products ?? [] },
    { kind: "collection", field: "buy.collections", handles: buy?.collections ?? [] },
  ];
  return references.filter(({ handles }) => handles.length > 0);
}

/** Kinds of rows that refer to products or collections by handle. */
export const referrerKinds: ReadonlySet<RowKind> = new Set<RowKind>(["collection", "bundle", "discount"]);

/** Returns a row's handle or code, for an article with its blog: "news/first". Returns "" if it has neither. */
export function formatRowName(row: Row): string {
  return row.kind === "article" ? `${row.blog}/${row.handle}` : getHandleKey(row);
}

function getHandleKey(row: Row): string {
  switch (row.kind) {
    case "customer":
      return "";
    case "discount":
      return row.code === undefined ? "" : normalizeCode(row.code);
    case "gift_card":
      return normalizeCode(row.code);
    case "metaobject":
      return `${row.type}/${row.handle}`;
    default:
      return row.handle;
  }
}
