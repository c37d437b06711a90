// Writes the table of ragged exports into the documents: `npm run ragged-exports`, after a change of what imports read.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { outcomes, tableRows } from "../src/import/ragged-table.fixture.ts";

/** Where the table stands, between its head and the next empty line. */
export const documentFile = fileURLToPath(new URL("../docs/reference/import-formats.md", import.meta.url));

const head = "| file | kept | mended | refused | not taken |\n|---|---|---|---|---|\n";

/** @returns the document with the table as it is to be  @throws Error where the document has no table */
export async function withExports(document: string): Promise<string> {
  const begin = document.indexOf(head);
  const end = document.indexOf("\n\n", begin);
  if (begin === -1 || end === -1)
    throw new Error(`${documentFile}: has no table that begins "${head.split("\n")[0]}".`);
  return document.slice(0, begin) + head + tableRows(await outcomes()).join("\n") + document.slice(end);
}

if (import.meta.main) writeFileSync(documentFile, await withExports(readFileSync(documentFile, "utf8")));
