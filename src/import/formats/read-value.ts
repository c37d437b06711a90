import type { RowError } from "../row-errors.ts";

/** A value that was read from a file, such as a JSON object. `line` is the number of its first line. */
export interface ParsedValue {
  readonly line: number;
  readonly value?: unknown;
  /** Reason why there is no value. */
  readonly error?: string;
  /** Whether the error concerns the entire file, so that reading stops. */
  readonly isFileError?: boolean;
  /** Errors of cells, and notes about cells whose imported value differs from their text. */
  readonly cellErrors?: readonly CellNote[];
  readonly cellNotes?: readonly CellNote[];
  /** Id of the item of a feed, for messages. */
  readonly itemId?: string | undefined;
  /** Whether the value is derived from other rows: it is imported only if the row does not exist yet. */
  readonly isGenerated?: boolean;
  /** Number of bytes that have been read from the file so far, for a progress bar. */
  readonly bytes: number;
  /**
   * Returns the value's text in the file, so that a rejected value can be written to the file of rejected rows.
   * Undefined if the format does not support this.
   */
  readonly source?: (() => ValueSource) | undefined;
}

/** An error or a note about a cell of a table. */
export type CellNote = Pick<RowError, "line" | "field" | "message" | "cause">;

/** Source text of a value: a line of JSON, or rows of a table with their column names. */
export type ValueSource =
  | { readonly text: string }
  | {
      readonly columns: readonly string[];
      readonly rows: readonly (readonly string[])[];
      /** Separator between cells in the file. Default: ",". */
      readonly separator?: string;
    };

/** Detected format of a file, and its ignored columns. */
export interface FileSummary {
  /** Name of the format, such as "Shopify's product export". */
  readonly format: string;
  /** Name of the encoding, such as "UTF-8". */
  readonly encoding: string;
  /** Whether the encoding was guessed, because the file declares none. */
  readonly isEncodingGuessed: boolean;
  /** Separator between cells. */
  readonly separator?: string;
  /** Whether prices contain no currency, so the store's currency is assumed. */
  readonly isCurrencyAssumed: boolean;
  /** Ignored columns, each with its number of non-empty cells. */
  readonly ignoredColumns: readonly IgnoredColumn[];
}

export interface IgnoredColumn {
  readonly name: string;
  readonly rows: number;
}
