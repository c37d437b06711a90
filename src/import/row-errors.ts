/** The position of a row in its file. */
export interface RowPosition {
  /** Its first line. */
  readonly line: number;
  /** Number of the row in the file, from 1: one line may have several rows. */
  readonly ordinal: number;
}

/** An error in a catalog file. */
export interface RowError {
  /** Path given by the user. */
  readonly file: string;
  /** From 1; 0 for the whole file. */
  readonly line: number;
  /** Undefined for an error of the file or the store. */
  readonly row?: RowPosition;
  /** Path of the field in the row, "" for the row itself. */
  readonly field: string;
  readonly message: string;
  /** Errors of one file with the same cause count once. */
  readonly cause?: string;
  /** More places with the same cause. */
  readonly unreported?: number;
}

/** Errors found so far: the first ones, and the count of all. */
export interface RowErrors {
  readonly first: readonly RowError[];
  readonly count: number;
  add(error: RowError): void;
}

/** Errors that are listed; all are counted. */
const MAX_LISTED = 100;

export function createRowErrors(): RowErrors {
  const first: RowError[] = [];
  const byCause = new Map<string, number>();
  let count = 0;
  return {
    first,
    get count() {
      return count;
    },
    add(error) {
      const cause = error.cause === undefined ? undefined : `${error.file}\n${error.cause}`;
      const known = cause === undefined ? undefined : byCause.get(cause);
      if (known !== undefined) {
        const same = first[known];
        if (same !== undefined) first[known] = { ...same, unreported: (same.unreported ?? 0) + 1 };
        return;
      }
      if (cause !== undefined) byCause.set(cause, first.length);
      count += 1;
      if (first.length < MAX_LISTED) first.push(error);
    },
  };
}

/** "catalog/products.jsonl:12: variants[0].price: is required" */
export function describeRowError({ file, line, field, message, unreported = 0 }: RowError): string {
  const text = [line === 0 ? file : `${file}:${line}`, field, message].filter((part) => part !== "").join(": ");
  return unreported === 0 ? text : `${text} (and in ${unreported} more ${unreported === 1 ? "place" : "places"})`;
}

/** The first errors, one per line, and the count of the others. */
export function listErrors({ first, count }: RowErrors): readonly string[] {
  const listed = first.slice(0, MAX_AT_START).map(describeRowError);
  return count > listed.length ? [...listed, `… and ${count - listed.length} more: see "vitrine check".`] : listed;
}

/** Errors that a server lists; `vitrine check` lists more. */
const MAX_AT_START = 20;
