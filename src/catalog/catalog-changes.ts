import type { ChangeActor } from "./catalog-log.ts";

/**
 * One line of a request with catalog changes: a catalog row, `{"patch": row}`, or `{"delete": {"kind", "id" or
 * "handle"}}`.
 */
export interface ChangeLine {
  /** Line number in the request, starting at 1. */
  readonly line: number;
  readonly value: Readonly<Record<string, unknown>>;
  /** Revisions that the stored row may have; 0 if the row must not exist. Default: any. */
  readonly revisions?: readonly number[];
}

/** Identifies a batch of changes, so that a batch that is sent several times is applied only once. */
export interface BatchKey {
  readonly scope: string;
  /** Idempotency key of the client. Without a key, every batch is applied. */
  readonly key?: string;
  readonly fingerprint: string;
}

/** Origin of a batch of changes that arrives through the HTTP API or the console. */
export interface ApiSource {
  readonly name: "api";
  readonly by: ChangeActor;
  readonly key: BatchKey;
  /** Current time in milliseconds since 1970. */
  readonly now: number;
}

/** Outcome of a batch. Only the outcome "done" changed the catalog. */
export type BatchOutcome =
  | { readonly kind: "done"; readonly changed: number; readonly removed: number; readonly isRepeated: boolean }
  | { readonly kind: "errors"; readonly errors: BatchErrors }
  /** A row has another revision than its line requires. */
  | { readonly kind: "outdated"; readonly errors: BatchErrors }
  | { readonly kind: "key used" }
  | { readonly kind: "busy" };

export interface BatchErrors {
  readonly firstErrors: readonly { readonly line: number; readonly field: string; readonly message: string }[];
  readonly count: number;
}

/** Applies batches of catalog changes from the HTTP API. */
export interface CatalogBatches {
  /** Applies all lines of a batch, or none of them. @throws DatabaseUnavailableError */
  apply(
    changes: { readonly lines: readonly ChangeLine[] },
    importScope: "partial",
    source: ApiSource,
  ): Promise<BatchOutcome>;
}
