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
}

/** Faults found so far: the first ones kept, all counted. */
export interface FaultList {
  readonly first: readonly CatalogFault[];
  readonly count: number;
  add(fault: CatalogFault): void;
}

/** @param max how many are kept */
export function createFaultList(max: number): FaultList {
  const first: CatalogFault[] = [];
  let count = 0;
  return {
    first,
    get count() {
      return count;
    },
    add(fault) {
      count += 1;
      if (first.length < max) first.push(fault);
    },
  };
}

/** "catalog/products.jsonl:12: variants[0].price: is required" */
export function describeFault({ file, line, field, message }: CatalogFault): string {
  return [line === 0 ? file : `${file}:${line}`, field, message].filter((part) => part !== "").join(": ");
}
