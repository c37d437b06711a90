/** Origin of a change of the catalog, of stock, of settings, or of an order. */
export interface ChangeActor {
  /** "files": an edit of a file in the folder `catalog/`. "payment": the payment provider. */
  readonly source: "api" | "console" | "command_line" | "files" | "payment";
  /** Token of the request, with the name that the merchant gave it. Undefined without a token. */
  readonly token?: { readonly id: string; readonly name: string };
}

/** A change of one catalog row. */
export interface RowChange {
  /** Kind of the row, such as "product". */
  readonly kind: string;
  readonly id: string;
  /** Title, name, or handle. Undefined for a removed row. */
  readonly title?: string;
  readonly change: "added" | "changed" | "removed";
  /**
   * Changed fields with their previous and new values. Fields of a variant are named by its id, such as
   * `variants.11.price`. A long value is omitted.
   */
  readonly fields?: readonly FieldChange[];
}

export interface FieldChange {
  readonly field: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** A change of the stock of one variant: to a quantity, or by a number of units. */
export type StockLogLine = { readonly variant_id: string } & (
  | { readonly quantity: number }
  | { readonly adjust: number }
);

/** Data of a log entry. Lists contain the first changes only. */
export type CatalogLogDetails =
  | {
      readonly operation: "catalog";
      readonly details: { readonly changed: number; readonly removed: number; readonly rows: readonly RowChange[] };
    }
  | {
      readonly operation: "stock";
      readonly details: { readonly changed: number; readonly lines: readonly StockLogLine[] };
    }
  | {
      readonly operation: "settings";
      readonly details: { readonly fields: readonly FieldChange[] };
    }
  | {
      readonly operation: "test_email";
      readonly details: { readonly to: string; readonly accepted: boolean };
    };

/** A set of changes that was applied at once. */
export type CatalogLogEntry = CatalogLogDetails & {
  readonly id: string;
  /** Time in milliseconds since 1970. */
  readonly at: number;
  readonly by: ChangeActor;
};
