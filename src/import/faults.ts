/** Where a row of a file stands. */
export interface RowPlace {
  /** On which it begins. */
  readonly line: number;
  /** From 1, among the file's rows: several may stand on one line. */
  readonly ordinal: number;
}

/** One thing that is wrong with a catalogue file. */
export interface CatalogFault {
  /** As the user named it. */
  readonly file: string;
  /** From 1; 0 where it is not one line's. */
  readonly line: number;
  /** Its row; absent: it is the file's, or the store's. */
  readonly row?: RowPlace;
  /** Path of the field in the row, "" for the row itself. */
  readonly field: string;
  readonly message: string;
  /** What is wrong with the file as a whole: counted once. */
  readonly cause?: string;
  /** More places with the same cause. */
  readonly others?: number;
}

/** Errors found so far: the first ones, and the count of all. */
export interface FaultList {
  readonly first: readonly CatalogFault[];
  readonly count: number;
  add(fault: CatalogFault): void;
}

/** @param max how many are kept */
export function createFaultList(max: number): FaultList {
  const first: CatalogFault[] = [];
  const byCause = new Map<string, number>();
  let count = 0;
  return {
    first,
    get count() {
      return count;
    },
    add(fault) {
      const cause = fault.cause === undefined ? undefined : `${fault.file}\n${fault.cause}`;
      const known = cause === undefined ? undefined : byCause.get(cause);
      if (known !== undefined) {
        const same = first[known];
        if (same !== undefined) first[known] = { ...same, others: (same.others ?? 0) + 1 };
        return;
      }
      if (cause !== undefined) byCause.set(cause, first.length);
      count += 1;
      if (first.length < max) first.push(fault);
    },
  };
}

/** "catalog/products.jsonl:12: variants[0].price: is required" */
export function describeFault({ file, line, field, message, others = 0 }: CatalogFault): string {
  const text = [line === 0 ? file : `${file}:${line}`, field, message].filter((part) => part !== "").join(": ");
  return others === 0 ? text : `${text} (and in ${others} more ${others === 1 ? "place" : "places"})`;
}
