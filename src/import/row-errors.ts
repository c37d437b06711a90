/** The position of a row in its file. */
export interface RowPosition {
  /** Number of the first line of the row. */
  readonly line: number;
  /** Number of the row in the file, from 1. One line may contain several rows. */
  readonly ordinal: number;
}

/** The position of a row, with its file. */
export interface FileRowPosition extends RowPosition {
  /** Path as the user entered it. */
  readonly file: string;
}

/** An error in a catalog file. */
export interface RowError {
  /** Path as the user entered it. */
  readonly file: string;
  /** Line number from 1, or 0 for the entire file. */
  readonly line: number;
  /** Position of the row. Undefined for an error of the file or the store. */
  readonly row?: RowPosition;
  /** Path of the field in the row, or "" for the entire row. */
  readonly field: string;
  readonly message: string;
  /** Cause of the error. Errors of one file with the same cause count once. */
  readonly cause?: string;
  /** Number of further errors with the same cause. */
  readonly repeatCount?: number;
}

/** Errors found so far: the first ones in full, and the total count. */
export interface RowErrors {
  readonly firstErrors: readonly RowError[];
  readonly count: number;
  add(error: RowError): void;
}

/** Maximum number of errors that are listed. All are counted. */
const MAX_LISTED_ERRORS = 100;

export function createRowErrors(): RowErrors {
  const firstErrors: RowError[] = [];
  const indexesByCause = new Map<string, number>();
  let count = 0;
  return {
    firstErrors,
    get count() {
      return count;
    },
    add(error) {
      const cause = error.cause === undefined ? undefined : `${error.file}\n${error.cause}`;
      const errorIndex = cause === undefined ? undefined : indexesByCause.get(cause);
      if (errorIndex !== undefined) {
        const existingError = firstErrors[errorIndex];
        if (existingError !== undefined)
          firstErrors[errorIndex] = { ...existingError, repeatCount: (existingError.repeatCount ?? 0) + 1 };
        return;
      }
      if (cause !== undefined) indexesByCause.set(cause, firstErrors.length);
      count += 1;
      if (firstErrors.length < MAX_LISTED_ERRORS) firstErrors.push(error);
    },
  };
}

/** Formats an error: "catalog/products.jsonl:12: variants[0].price: is required". */
export function describeRowError({ file, line, field, message, repeatCount = 0 }: RowError): string {
  const text = [line === 0 ? file : `${file}:${line}`, field, message].filter((part) => part !== "").join(": ");
  return repeatCount === 0 ? text : `${text} (and in ${repeatCount} more ${repeatCount === 1 ? "place" : "places"})`;
}

/** Returns the first errors, one per line, and the count of the others. */
export function listErrors({ firstErrors, count }: RowErrors): readonly string[] {
  const errorLines = firstErrors.slice(0, MAX_STARTUP_ERRORS).map(describeRowError);
  return count > errorLines.length
    ? [...errorLines, `… and ${count - errorLines.length} more: see "vitrine check".`]
    : errorLines;
}

/** Maximum number of errors that a server lists at startup. `vitrine check` lists more. */
const MAX_STARTUP_ERRORS = 20;
