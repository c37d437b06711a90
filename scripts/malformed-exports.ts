// Generates the table of malformed files in the documentation. Run `npm run malformed-exports` after a change of the
// import.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { formatTableRows, readImportResults } from "../src/import/malformed-table.fixture.ts";

/** Document with the table, which extends from its header to the next empty line. */
export const documentFile = fileURLToPath(new URL("../docs/reference/import-formats.md", import.meta.url));

const head = "| file | imported | repaired | rejected | ignored columns |\n|---|---|---|---|---|\n";

/** Inserts the generated table into the document.  @throws Error if the document has no table */
export async function withExports(document: string): Promise<string> {
  const begin = document.indexOf(head);
  const end = document.indexOf("\n\n", begin);
  if (begin === -1 || end === -1)
    throw new Error(`${documentFile}: has no table that begins "${head.split("\n")[0]}".`);
  return document.slice(0, begin) + head + formatTableRows(await readImportResults()).join("\n") + document.slice(end);
}

if (import.meta.main) writeFileSync(documentFile, await withExports(readFileSync(documentFile, "utf8")));
