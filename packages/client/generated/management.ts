// Made from openapi.yaml by `npm run client-types`: change it there.
import type { Id } from "./catalogue.ts";
/** How many rows were changed and removed. */
export type CatalogAnswer = {
  readonly repeated: boolean;
  readonly changed: number;
  readonly removed: number;
};

/** A row of a catalogue file, a patch or a deletion. */
export type CatalogEdit =
  | {
      readonly kind: CatalogKind;
      readonly [field: string]: unknown;
    }
  | {
      /** Names a row by its id, handle or code, and the fields that change. */
      readonly patch: {
        readonly kind: CatalogKind;
        readonly [field: string]: unknown;
      };
    }
  | {
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

export type Scope =
  | "catalog:write"
  | "stock:write"
  | "checkouts:read"
  | "checkouts:complete"
  | "orders:read"
  | "orders:write"
  | "events:read"
  | "console";

/** A line for each line that was sent. */
export type StockAnswer = {
  /** The batch was done before, by its `Idempotency-Key`. */
  readonly repeated: boolean;
  readonly lines: readonly StockLevel[];
};

/** A variant, and either `quantity` or `adjust`. */
export type StockChange = {
  readonly variant_id?: Id;
  /** One that one variant alone has, in the place of `variant_id`. */
  readonly sku?: string;
  /** So many are on hand. */
  readonly quantity?: number;
  /** So many more, or fewer; there are then a billion at most, or as many too few. */
  readonly adjust?: number;
};

/** What is left of a variant. */
export type StockLevel = {
  readonly line: number;
  readonly variant_id: string;
  /** On hand after the batch. */
  readonly quantity: number;
  /** Set apart for checkouts. */
  readonly held: number;
  /** The rest. */
  readonly available: number;
};

/** A token, and what it may do. */
export type TokenInfo = {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
};
