import type { Kind, Row } from "../catalog/catalog.ts";
import { formatRow } from "../catalog/rows/format-row.ts";
import { type RowReferences, rowKeys, rowName, rowReferences } from "../catalog/rows/row-keys.ts";
import type { ImportedRows } from "./imported-rows.ts";
import { KeyRows } from "./key-rows.ts";
import { type CatalogFile, type LocatedRow, type ReadOptions, readCatalog } from "./read-catalog.ts";
import { createRowErrors, type RowError, type RowErrors, type RowPosition } from "./row-errors.ts";

/** Reads and checks files without a store, for `vitrine check`.  @param onRow receives each valid row */
export async function checkCatalog(
  files: readonly CatalogFile[],
  reading: Omit<ReadOptions, "onError">,
  onRow: (row: Row) => void,
): Promise<RowErrors> {
  const errors = createRowErrors();
  const check = await checkFiles(reading, files, undefined, errors, onRow);
  check.finish(() => false);
  return errors;
}

/**
 * Reads the files once and reports their errors.
 * @param imported the rows of the last import
 * @returns the rows that are new or changed since then
 */
export async function checkFiles(
  reading: Omit<ReadOptions, "onError">,
  files: readonly CatalogFile[],
  imported: ImportedRows | undefined,
  errors: RowErrors,
  onRow: (row: Row) => void = () => {},
): Promise<CatalogCheck> {
  const all = createCatalogCheck(errors.add);
  // Duplicates are reported only once, by the check of all rows.
  let isRead = false;
  const changed = createCatalogCheck((error) => (isRead ? errors.add(error) : undefined));
  for await (const located of readCatalog(files, { ...reading, onError: errors.add })) {
    all.add(located);
    onRow(located.row);
    if (isChanged(located, imported) && imported?.isFirst === false) changed.add(located);
  }
  isRead = true;
  return imported === undefined || imported.isFirst ? all : changed;
}

/** Returns false if a row equals the one of the last import. */
export function isChanged({ row, file }: LocatedRow, imported: ImportedRows | undefined): boolean {
  return imported === undefined || imported.record(row.kind, row.id, formatRow(row), file);
}

/** Checks that rows have no duplicates and refer only to existing rows. */
export interface CatalogCheck {
  /** Adds a row of a file. */
  add(placed: LocatedRow): void;
  /** True if the files contain this row. */
  has(kind: Kind, id: string): boolean;
  /** True if the files contain a row with this handle. */
  hasHandle(kind: Kind, handle: string): boolean;
  /** Returns the handles of a kind that rows of the files refer to, but no row of the files has. */
  missing(kind: Kind): ReadonlySet<string>;
  /**
   * Reports references to missing rows. Must be called last.
   * @param isStored returns true if a row that stays in the store has this handle
   */
  finish(isStored: (kind: Kind, handle: string) => boolean): void;
  /** Number of rows in the files, by kind. */
  readonly counts: ReadonlyMap<Kind, number>;
  /** Kinds of the rows in the files, without derived rows. */
  readonly kinds: ReadonlySet<Kind>;
}

interface Place {
  readonly file: string;
  readonly line: number;
}

interface Referrer extends RowReferences {
  readonly place: RowOfFile;
}

type RowOfFile = Place & RowPosition;

export function createCatalogCheck(onError: (error: RowError) => void): CatalogCheck {
  const places = new KeyRows();
  /** Line of each row, in the order in which rows were added. */
  const lines: number[] = [];
  /** Files, each with the number of its first row. */
  const files: { readonly file: string; readonly from: number }[] = [];
  const counts = new Map<Kind, number>();
  const kinds = new Set<Kind>();
  const referrers: Referrer[] = [];

  const addPlace = ({ file, line }: Place): number => {
    if (files.at(-1)?.file !== file) files.push({ file, from: lines.length });
    return lines.push(line) - 1;
  };
  const placeOf = (row: number): Place => ({
    file: files.findLast(({ from }) => from <= row)?.file ?? "",
    line: lines[row] ?? 0,
  });
  const report = ({ file, ...row }: RowOfFile, field: string, message: string): void =>
    onError({ file, line: row.line, row, field, message });
  /**
   * Records that a row uses a key, and reports a conflict with an earlier row.
   * @param reported rows whose conflict with this row was already reported
   */
  const claim = (
    key: string,
    row: number,
    place: RowOfFile,
    field: string,
    what: string,
    reported: Set<number>,
  ): void => {
    const other = places.add(key, row);
    if (other < 0 || (other !== row && reported.has(other))) return;
    reported.add(other);
    report(place, field, `${what} is used ${where(placeOf(other), place)} too`);
  };
  const hasHandle = (kind: Kind, handle: string): boolean => places.find(`${kind} handle ${handle}`) >= 0;

  return {
    counts,
    kinds,
    add({ row, file, line, ordinal, isGenerated: isMade }) {
      const place = { file, line, ordinal };
      const added = addPlace(place);
      if (isMade !== true) kinds.add(row.kind);
      counts.set(row.kind, (counts.get(row.kind) ?? 0) + 1);
      const { kind, id, handle, variantIds } = rowKeys(row);
      // A default id is derived from the handle, so two rows that share both are reported once.
      const reported = new Set<number>();
      const field = "code" in row ? "code" : "handle";
      if (handle !== "") claim(`${kind} handle ${rowName(row)}`, added, place, field, `"${handle}"`, reported);
      claim(`${kind} id ${id}`, added, place, "id", `id ${id}`, reported);
      for (const [index, variant] of variantIds.entries()) {
        claim(`variant ${variant}`, added, place, `variants[${index}].id`, `variant id ${variant}`, reported);
      }
      for (const [locale, count] of wrongOptions(row))
        report(
          place,
          `translations.${locale}.options`,
          `has ${count} names, but the product has ${row.kind === "product" ? row.options.length : 0} options`,
        );
      const references = rowReferences(row);
      if (references.products.length + references.collections.length > 0) referrers.push({ ...references, place });
    },
    has: (kind, id) => places.find(`${kind} id ${id}`) >= 0,
    hasHandle,
    missing(kind) {
      const named = referrers.flatMap((one) => (kind === "product" ? one.products : one.collections));
      return new Set(named.filter((handle) => !hasHandle(kind, handle)));
    },
    finish(isStored) {
      for (const { products, collections, place } of referrers) {
        const check = (kind: Kind, field: string, handles: readonly string[]): void => {
          const seen = new Set<string>();
          for (const [index, handle] of handles.entries()) {
            const at = `${field}[${index}]`;
            if (!hasHandle(kind, handle) && !isStored(kind, handle))
              report(place, at, `there is no ${kind} "${handle}"`);
            else if (seen.has(handle)) report(place, at, `"${handle}" is there twice`);
            seen.add(handle);
          }
        };
        check("product", "products", products);
        check("collection", "collections", collections);
      }
    },
  };
}

/**
 * Returns the languages whose translation has a different number of option names than the product, each with that
 * number.
 */
function wrongOptions(row: Row): (readonly [locale: string, count: number])[] {
  if (row.kind !== "product") return [];
  return Object.entries(row.translations).flatMap(([locale, { options }]) =>
    Array.isArray(options) && options.length > 0 && options.length !== row.options.length
      ? [[locale, options.length] as const]
      : [],
  );
}

function where(other: Place, place: Place): string {
  return other.file === place.file ? `on line ${other.line}` : `in ${other.file}:${other.line}`;
}
