import type { Kind } from "../catalog/catalog.ts";
import type { Statement } from "../storage/database.ts";
import type { DroppedFields } from "./dropped-fields.ts";
import type { FileReading } from "./formats/read-value.ts";
import type { LocalImages } from "./images/local-images.ts";
import type { ImportedRows } from "./imported-rows.ts";
import type { InvalidRow } from "./invalid-rows.ts";
import type { MergeRows } from "./merge-rows.ts";
import type { CatalogFile } from "./read-catalog.ts";
import type { RowError, RowErrors } from "./row-errors.ts";

export interface ImportOptions {
  /** ISO 4217, of the prices in CSV files. */
  readonly currency: string;
  /** Of dates that name no zone. Default: UTC. */
  readonly timezone?: string;
  /** Of which prices are read; absent: the shop's own. */
  readonly market?: string;
  /** Of the files, by name; absent: as they say. */
  readonly encoding?: string;
  /** Milliseconds since 1970, for prices that hold between dates and where the database has no clock of its own. */
  readonly now: () => number;
  /** 128 random bits or more, base64url. */
  readonly newId: () => string;
  /** Removes rows that the files do not hold, of the kinds they do hold. */
  readonly prune?: boolean;
  /** Files whose rows `prune` also removes, of any kind, if the store holds them unchanged: the examples of a new store. */
  readonly examples?: readonly CatalogFile[];
  /** Rows change only the fields that they name, of rows that are there. */
  readonly patch?: boolean;
  /** What the files held when they were last taken: rows that are as they were are left alone, those that are gone are removed. */
  readonly imported?: ImportedRows;
  /** Completes rows before they are checked; absent: they are whole, or patches. */
  readonly merge?: MergeRows;
  /** Pictures of other servers that the store has, which stand in for them; absent: none. */
  readonly images?: LocalImages;
  /** Written in the transaction that shows the change, with how much it was. */
  readonly record?: (counts: { readonly changed: number; readonly removed: number }) => readonly Statement[];
  /** Checks all and changes nothing. */
  readonly dryRun?: boolean;
  /** Takes the rows that are right, and leaves the others out. */
  readonly skipInvalid?: boolean;
  /** Told of rows that are left out, before anything is changed. */
  readonly onRejected?: (rows: readonly InvalidRow[]) => Promise<void>;
  /** Leaves the database to others for half of the time; for a store that is being served. */
  readonly paced?: boolean;
  /** Told what a row that is taken is taken for, where that is not as it says. */
  readonly onNote?: (note: RowError) => void;
  /** Told of each file what it was taken for, and what of it was not taken. */
  readonly onFile?: (file: string, reading: FileReading) => void;
  /** Told how many bytes of all files were read, of the two times they are. */
  readonly onProgress?: (step: "check" | "write", bytes: number) => void;
}

export interface ImportResult {
  /** Where there are any, nothing was changed. */
  readonly errors: RowErrors;
  /** Rows of the files by kind. */
  readonly counts: ReadonlyMap<Kind, number>;
  /** Rows that were new or otherwise than before. */
  readonly changed: number;
  readonly removed: number;
  /** What rows had and the rows in their places do not name. */
  readonly dropped: DroppedFields["byName"];
  /** Rows that were left out, as they may be with `skipInvalid`. */
  readonly rejected: readonly InvalidRow[];
}
