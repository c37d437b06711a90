/** A value of a file with the line on which it begins. */
export interface ReadValue {
  readonly line: number;
  readonly value?: unknown;
  /** Why there is no value. */
  readonly error?: string;
  /** The fault is of the file as a whole: nothing more of it is read. */
  readonly isOfFile?: boolean;
  /** What is wrong with cells, and what cells were taken for where that is not as they say. */
  readonly cellErrors?: readonly CellNote[];
  readonly cellNotes?: readonly CellNote[];
  /** Nobody wrote it: it goes with what was written, where it is not there yet. */
  readonly isGenerated?: boolean;
  /** Bytes of the file up to here, for a progress bar. */
  readonly bytes: number;
  /** What it was read from; absent: nothing that could be written again. */
  readonly source?: (() => Source) | undefined;
}

export interface CellNote {
  readonly line: number;
  readonly field: string;
  readonly message: string;
  /** What is wrong with the file as a whole, such as its currency: reported once. */
  readonly cause?: string;
}

/** A line of JSON, or rows of a table with the names of their columns. */
export type Source =
  | { readonly text: string }
  | { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] };

/** What a file was taken for, and what of it was not taken. */
export interface FileReading {
  /** "Shopify's product export" */
  readonly format: string;
  /** "UTF-8" */
  readonly encoding: string;
  /** Nothing in the file says that it is this encoding. */
  readonly isEncodingGuessed: boolean;
  /** Between cells. */
  readonly separator?: string;
  /** The file's prices are without a currency. */
  readonly isCurrencyAssumed: boolean;
  /** Columns that nobody reads, with how many rows held something there. */
  readonly ignored: readonly IgnoredColumn[];
}

export interface IgnoredColumn {
  readonly name: string;
  readonly rows: number;
}
