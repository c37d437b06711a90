import type { Row, RowKind } from "../catalog/catalog.ts";
import { formatRow } from "../catalog/rows/format-row.ts";
import { formatRowName, getRowKeys, listRowReferences, type RowReferences } from "../catalog/rows/row-keys.ts";
import type { ImportedRows } from "./imported-rows.ts";
import { RowsByKey } from "./key-rows.ts";
import { type CatalogFile, type LocatedRow, type ReadOptions, readCatalog } from "./read-catalog.ts";
import { createRowErrors, type FileRowPosition, type RowError, type RowErrors } from "./row-errors.ts";

/** Reads and checks files without a store, for `vitrine check`.  @param onRow receives each valid row */
export async function checkCatalog(
  files: readonly CatalogFile[],
  readOptions: Omit<ReadOptions, "onError">,
  onRow: (row: Row) => void,
): Promise<RowErrors> {
  const errors = createRowErrors();
  const checkResult = await checkFiles(readOptions, files, undefined, errors, onRow);
  checkResult.finish(() => false);
  return errors;
}

/**
 * Reads the files once and reports their errors.
 * @param lastImport the rows of the last import
 * @returns a check that contains the rows that are new or changed since the last import
 */
export async function checkFiles(
  readOptions: Omit<ReadOptions, "onError">,
  files: readonly CatalogFile[],
  lastImport: ImportedRows | undefined,
  errors: RowErrors,
  onRow: (row: Row) => void = () => {},
): Promise<CatalogChecker> {
  const catalogCheck = createCatalogCheck(errors.add);
  // Both checks find the same duplicates while the files are read, so only `catalogCheck` reports them. After that,
  // `changedRowsCheck` may report missing references.
  let isReadDone = false;
  const changedRowsCheck = createCatalogCheck((error) => (isReadDone ? errors.add(error) : undefined));
  for await (const locatedRow of readCatalog(files, { ...readOptions, onError: errors.add })) {
    catalogCheck.add(locatedRow);
    onRow(locatedRow.row);
    if (isChangedRow(locatedRow, lastImport) && lastImport?.isFirstImport === false) changedRowsCheck.add(locatedRow);
  }
  isReadDone = true;
  return lastImport === undefined || lastImport.isFirstImport ? catalogCheck : changedRowsCheck;
}

/**
 * Returns whether a row is new or differs from the row of the last import, and records the row in `lastImport`. Without
 * `lastImport`, every row counts as new.
 */
export function isChangedRow({ row, file }: LocatedRow, lastImport: ImportedRows | undefined): boolean {
  return lastImport === undefined || lastImport.record(row.kind, row.id, formatRow(row), file);
}

/** Checks that rows have no duplicates and refer only to existing rows. */
export interface CatalogChecker {
  add(locatedRow: LocatedRow): void;
  /** True if the files contain this row. */
  has(kind: RowKind, id: string): boolean;
  /** True if the files contain a row with this handle. */
  hasHandle(kind: RowKind, handle: string): boolean;
  /**
   * Returns the handles that rows in the files refer to, but that no row in the files has.  @param kind kind of the
   * missing rows
   */
  listMissingHandles(kind: RowKind): ReadonlySet<string>;
  /**
   * Reports references to missing rows. Must be called last.
   * @param isStored returns true if a row that stays in the store has this handle
   */
  finish(isStored: (kind: RowKind, handle: string) => boolean): void;
  /** Number of rows in the files, by kind. */
  readonly counts: ReadonlyMap<RowKind, number>;
  /** Kinds of the rows in the files. Rows that were derived from other rows do not count. */
  readonly kinds: ReadonlySet<RowKind>;
}

type FilePosition = Pick<FileRowPosition, "file" | "line">;

interface ReferringRow extends RowReferences {
  readonly position: FileRowPosition;
}

export function createCatalogCheck(onError: (error: RowError) => void): CatalogChecker {
  const rowsByKey = new RowsByKey();
  /** Line numbers of the rows, in the order in which the rows were added. */
  const lines: number[] = [];
  /** The imported files, in order. `from` is the index in `lines` of the first row of the file. */
  const files: { readonly file: string; readonly from: number }[] = [];
  const counts = new Map<RowKind, number>();
  const kinds = new Set<RowKind>();
  const referrers: ReferringRow[] = [];

  const addPosition = ({ file, line }: FilePosition): number => {
    if (files.at(-1)?.file !== file) files.push({ file, from: lines.length });
    return lines.push(line) - 1;
  };
  const positionOf = (row: number): FilePosition => ({
    file: files.findLast(({ from }) => from <= row)?.file ?? "",
    line: lines[row] ?? 0,
  });
  const report = ({ file, ...row }: FileRowPosition, field: string, message: string): void =>
    onError({ file, line: row.line, row, field, message });
  const hasHandle = (kind: RowKind, handle: string): boolean => rowsByKey.find(`${kind} handle ${handle}`) >= 0;

  return {
    counts,
    kinds,
    add({ row, file, line, ordinal, isGenerated: isDerived }) {
      const position = { file, line, ordinal };
      const rowNumber = addPosition(position);
      if (isDerived !== true) kinds.add(row.kind);
      counts.set(row.kind, (counts.get(row.kind) ?? 0) + 1);
      const { kind, id, handle, variantIds } = getRowKeys(row);
      // By default, an id is derived from the handle. Two rows that share both are therefore reported only once.
      const reportedRows = new Set<number>();
      /** Records that the row uses a unique key, and reports a conflict with an earlier row. */
      const registerUniqueKey = (key: string, field: string, keyName: string): void => {
        const earlierRow = rowsByKey.add(key, rowNumber);
        if (earlierRow < 0 || (earlierRow !== rowNumber && reportedRows.has(earlierRow))) return;
        reportedRows.add(earlierRow);
        // Variants without an id and options have the same derived id.
        const message =
          earlierRow === rowNumber
            ? "is also the id of another variant of the product: add options, or another id"
            : `${keyName} is also used ${describePosition(positionOf(earlierRow), position)}`;
        report(position, field, message);
      };
      const handleField = "code" in row ? "code" : "handle";
      if (handle !== "") registerUniqueKey(`${kind} handle ${formatRowName(row)}`, handleField, `"${handle}"`);
      registerUniqueKey(`${kind} id ${id}`, "id", `id ${id}`);
      for (const [index, variant] of variantIds.entries())
        registerUniqueKey(`variant ${variant}`, `variants[${index}].id`, `variant id ${variant}`);
      for (const [locale, count] of findWrongOptionCounts(row))
        report(
          position,
          `translations.${locale}.options`,
          `has ${count} names, but the product has ${row.kind === "product" ? row.options.length : 0} options`,
        );
      for (const references of listRowReferences(row)) referrers.push({ ...references, position });
    },
    has: (kind, id) => rowsByKey.find(`${kind} id ${id}`) >= 0,
    hasHandle,
    listMissingHandles(kind) {
      const referencedHandles = referrers.flatMap((referrer) => (referrer.kind === kind ? referrer.handles : []));
      return new Set(referencedHandles.filter((handle) => !hasHandle(kind, handle)));
    },
    finish(isStored) {
      for (const { kind, field, handles, position } of referrers) {
        const seenHandles = new Set<string>();
        for (const [index, handle] of handles.entries()) {
          const fieldPath = `${field}[${index}]`;
          if (!hasHandle(kind, handle) && !isStored(kind, handle))
            report(position, fieldPath, `there is no ${kind} "${handle}"`);
          else if (seenHandles.has(handle)) report(position, fieldPath, `"${handle}" occurs twice`);
          seenHandles.add(handle);
        }
      }
    },
  };
}

/** Returns the languages with too few or too many translated option names, each with the number of these names. */
function findWrongOptionCounts(row: Row): (readonly [locale: string, count: number])[] {
  if (row.kind !== "product") return [];
  return Object.entries(row.translations).flatMap(([locale, { options }]) =>
    Array.isArray(options) && options.length > 0 && options.length !== row.options.length
      ? [[locale, options.length] as const]
      : [],
  );
}

function describePosition(otherPosition: FilePosition, position: FilePosition): string {
  return otherPosition.file === position.file
    ? `on line ${otherPosition.line}`
    : `in ${otherPosition.file}:${otherPosition.line}`;
}
