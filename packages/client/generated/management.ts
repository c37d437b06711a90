// Generated from openapi.yaml by `npm run client-types`.
import type { Id } from "./catalog.ts";
/** The number of changed and removed rows. */
export type CatalogAnswer = {
  readonly repeated: boolean;
  readonly changed: number;
  readonly removed: number;
};

/** A row of the catalog, a patch, or a deletion. `if_match` is the `revision` that the row must have, or 0 if it must not exist; otherwise 412 `catalog_changed`. */
export type CatalogEdit =
  | {
      readonly kind: CatalogKind;
      readonly if_match?: RequiredRevision;
      readonly [field: string]: unknown;
    }
  | {
      readonly if_match?: RequiredRevision;
      /** Names a row by id, handle, or code, and the fields to change. */
      readonly patch: {
        readonly kind: CatalogKind;
        readonly [field: string]: unknown;
      };
    }
  | {
      readonly if_match?: RequiredRevision;
      readonly delete: {
        readonly kind: CatalogKind;
        readonly id?: Id;
        readonly handle?: string;
        readonly code?: string;
      };
    };

export type CatalogKind =
  | "product"
  | "collection"
  | "page"
  | "article"
  | "bundle"
  | "discount"
  | "gift_card"
  | "customer"
  | "metaobject";

export type RequiredRevision = number;

export type Scope =
  | "catalog:read"
  | "catalog:write"
  | "stock:write"
  | "checkouts:read"
  | "checkouts:complete"
  | "orders:read"
  | "orders:write"
  | "events:read"
  | "settings:read"
  | "settings:write"
  | "console";

/** One line for each line of the request. */
export type StockAnswer = {
  /** True if the batch was applied before, by its `Idempotency-Key`. */
  readonly repeated: boolean;
  readonly lines: readonly StockLevel[];
};

/** A variant, and either `quantity` or `adjust`. */
export type StockChange = {
  readonly variant_id?: Id;
  /** The SKU of exactly one variant, instead of `variant_id`. */
  readonly sku?: string;
  /** Units on hand. */
  readonly quantity?: number;
  /** Expected units on hand before the change, next to `quantity`; otherwise 412 `stock_changed`. */
  readonly compare_quantity?: number;
  /** Units to add or subtract; the result is between minus and plus one billion. */
  readonly adjust?: number;
};

/** The stock of a variant. */
export type StockLevel = {
  readonly line: number;
  readonly variant_id: string;
  /** Units on hand after the batch. */
  readonly quantity: number;
  /** Units reserved by checkouts. */
  readonly held: number;
  /** Units that can be bought. */
  readonly available: number;
};

/** A token and its scopes. */
export type TokenInfo = {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
};
