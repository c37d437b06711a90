/** A value of a file with its first line. */
export interface ReadValue {
  readonly line: number;
  readonly value?: unknown;
  /** Why there is no value. */
  readonly error?: string;
  /** Whether the error concerns the file as a whole: reading stops. */
  readonly isOfFile?: boolean;
  /** Errors of cells, and notes about cells that were read differently from what they say. */
  readonly cellErrors?: readonly CellNote[];
  readonly cellNotes?: readonly CellNote[];
  /** Derived from other rows: imported only if it does not exist yet. */
  readonly isGenerated?: boolean;
  /** Bytes of the file read so far, for a progress bar. */
  readonly bytes: number;
  /** Its source text; undefined if it cannot be written again. */
  readonly source?: (() => Source) | undefined;
}

export interface CellNote {
  readonly line: number;
  readonly field: string;
  readonly message: string;
  /** An error of the file as a whole, such as its currency: reported once. */
  readonly cause?: string;
}

/** A line of JSON, or rows of a table with their column names. */
export type Source =
  | { readonly text: string }
  | { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] };

/** How a file was read, and which parts were ignored. */
export interface FileReading {
  /** "Shopify's product export" */
  readonly format: string;
  /** "UTF-8" */
  readonly encoding: string;
  /** Whether the encoding was detected without a declaration. */
  readonly isEncodingGuessed: boolean;
  /** Between cells. */
  readonly separator?: string;
  /** The file's prices are without a currency. */
  readonly isCurrencyAssumed: boolean;
  /** Ignored columns, each with its number of non-empty rows. */
  readonly ignored: readonly IgnoredColumn[];
}

export interface IgnoredColumn {
  readonly name: string;
  readonly rows: number;
}
