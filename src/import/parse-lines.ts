import type { ChangeLine } from "../catalog/catalog-changes.ts";
import { type NamedRow, namedRow, type PatchOf } from "./patch-rows.ts";
import type { CatalogFile } from "./read-catalog.ts";
import { createRowErrors, type RowErrors } from "./row-errors.ts";

/** Separates deletions from rows and patches, which are read like a file. */
export function parseLines(lines: readonly ChangeLine[]): {
  readonly file: CatalogFile;
  readonly deletions: readonly NamedRow[];
  readonly errors: RowErrors;
} {
  const errors = createRowErrors();
  const deletions: NamedRow[] = [];
  const values = lines.filter(({ line, value }) => {
    if (value.delete === undefined) return true;
    const deletion = namedRow(value.delete, undefined);
    if (deletion !== undefined) deletions.push(deletion);
    else errors.add({ file: BODY, line, field: "delete", message: "must name a kind, and an id, a handle or a code" });
    return false;
  });
  return { file: { path: "", name: BODY, values }, deletions, errors };
}

export const patchOfLine: PatchOf = {
  find: (value) => (typeof value === "object" && value !== null && "patch" in value ? (value.patch ?? {}) : undefined),
  advice: "send it without patch",
};

/** The name of a request's lines in errors. */
const BODY = "body";
