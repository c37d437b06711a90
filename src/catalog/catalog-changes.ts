/** A line of changes from another system: a row as in a file, `{"patch": row}`, or `{"delete": {"kind", "id" or "handle"}}`. */
export interface ChangeLine {
  /** From 1. */
  readonly line: number;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Identifies a batch, so that it is applied once even if it is sent several times. */
export interface BatchKey {
  readonly scope: string;
  /** The client's choice; undefined: every batch is applied. */
  readonly key?: string;
  readonly fingerprint: string;
}

/** The HTTP API as a source of changes. */
export interface ApiSource {
  readonly name: "api";
  readonly key: BatchKey;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The outcome of a batch. Only "done" changed anything. */
export type BatchOutcome =
  | { readonly kind: "done"; readonly changed: number; readonly removed: number; readonly isRepeated: boolean }
  | {
      readonly kind: "errors";
      readonly errors: {
        readonly first: readonly { readonly line: number; readonly field: string; readonly message: string }[];
        readonly count: number;
      };
    }
  | { readonly kind: "key used" }
  | { readonly kind: "busy" };

/** The catalog's entry point as the HTTP API uses it. */
export interface CatalogBatches {
  /** Applies all lines or none. @throws DatabaseUnavailable */
  apply(
    changes: { readonly lines: readonly ChangeLine[] },
    extent: "partial",
    source: ApiSource,
  ): Promise<BatchOutcome>;
}
