import { isObject } from "../../runtime/is-object.ts";
import type { Row, RowKind } from "../catalog.ts";
import type { ErrorReporter } from "./fields.ts";
import { parseArticle, parseCollection, parseMetaobject, parsePage } from "./parse-content.ts";
import { parseCustomer } from "./parse-customer.ts";
import { parseBundle, parseDiscount, parseGiftCard } from "./parse-offers.ts";
import { parseProduct } from "./parse-product.ts";

/** Kind of the rows in each standard catalog file, by file name without extension. */
export const kindsByFile: ReadonlyMap<string, RowKind> = new Map<string, RowKind>([
  ["products", "product"],
  ["collections", "collection"],
  ["pages", "page"],
  ["policies", "page"],
  ["articles", "article"],
  ["bundles", "bundle"],
  ["discounts", "discount"],
  ["gift_cards", "gift_card"],
  ["customers", "customer"],
  ["metaobjects", "metaobject"],
]);

/**
 * Parses a row of a catalog file.
 * @param fallback kind of a row that has no `kind` field
 * @returns undefined if the row cannot be parsed. If `addError` was called, the row is invalid
 */
export function parseRow(value: unknown, fallback: RowKind | undefined, addError: ErrorReporter): Row | undefined {
  const kind = isObject(value) ? (value.kind ?? fallback) : fallback;
  const parser = typeof kind === "string" && isRowKind(kind) ? parsers[kind] : undefined;
  if (parser !== undefined) return parser(value, addError);
  const knownKinds = Object.keys(parsers).join(", ");
  if (!isObject(value)) addError("", "must be an object { … }");
  else if (kind === undefined)
    addError("kind", `is required in a file that is not named after one (known: ${knownKinds})`);
  else addError("kind", `must be one of ${knownKinds}`);
  return undefined;
}

/** Parses a stored row.  @param json output of `formatRow`  @throws Error for other input */
export function readRow<Kind extends RowKind>(kind: Kind, json: string): Extract<Row, { readonly kind: Kind }> {
  const row = parsers[kind](JSON.parse(json), (field, message) => {
    throw new Error(`a stored ${kind} cannot be read: ${field}: ${message}`);
  });
  if (row === undefined) throw new Error(`a stored ${kind} cannot be read`);
  return row;
}

export function isRowKind(text: string): text is RowKind {
  return Object.hasOwn(parsers, text);
}

const parsers: {
  readonly [K in RowKind]: (value: unknown, addError: ErrorReporter) => Extract<Row, { kind: K }> | undefined;
} = {
  product: parseProduct,
  collection: parseCollection,
  page: parsePage,
  article: parseArticle,
  bundle: parseBundle,
  discount: parseDiscount,
  gift_card: parseGiftCard,
  customer: parseCustomer,
  metaobject: parseMetaobject,
};
