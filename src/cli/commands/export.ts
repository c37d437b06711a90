import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { policyHandles } from "../../catalog/content.ts";
import { kindsByFile } from "../../catalog/rows/parse-row.ts";
import { findCatalogFiles } from "../../import/catalog-files.ts";
import { SetupError } from "../../setup-error.ts";
import { readCatalogPages, readCatalogState, type StoredRow } from "../../storage/catalog/catalog-store.ts";
import { takeCatalogLease } from "../../storage/catalog/lease.ts";
import { type Database, WriteConflict } from "../../storage/database.ts";
import { system } from "../../system.ts";
import { defineCommand, text, UsageError } from "../arguments.ts";
import { explainOutputError } from "../io.ts";
import { openCommandStore } from "../store-database.ts";

const usage = `Usage: vitrine export [--store DIR] [--out DIR]

Exports the catalog as JSONL for "vitrine import".
  --store DIR  folder of the store (default: the current folder)
  --out DIR    write a file per kind (products.jsonl, …), and policies.jsonl; default: print all rows with their kind`;

/** Runs `vitrine export`. */
export const run = defineCommand(usage, { store: text, out: text }, async ({ values, positionals }, io) => {
  if (positionals.length > 0) throw new UsageError("export takes no files; see --out.");
  await using store = await openCommandStore(io, values.store);
  io.lowerPriority?.();
  try {
    if (values.out === undefined) await exportJsonLines(store.database, io.stdout);
    else {
      const folder = resolve(io.cwd, values.out);
      io.stderr.write(`Wrote ${await exportToFolder(store.database, folder)} rows to ${folder}.\n`);
      const otherNames = (await findCatalogFiles("", folder))
        .map(({ name }) => name)
        .filter((name) => !kindsByFile.has(name.replace(/\.jsonl$/, "")));
      if (otherNames.length > 0)
        io.stderr.write(
          `The folder also contains ${otherNames.join(", ")}, which an import of the folder reads, too. Remove files whose rows were exported.\n`,
        );
    }
    return 0;
  } catch (error) {
    throw explainError(error);
  }
});

/** Writes all rows to a stream and waits whenever its buffer is full. */
async function exportJsonLines(database: Database, output: NodeJS.WritableStream): Promise<void> {
  // A failed write reports its own error. This listener prevents an uncaught "error" event.
  const ignoreError = (): void => {};
  output.on("error", ignoreError);
  for await (const page of readPages(database)) {
    await new Promise<void>((resolvePromise, reject) => {
      output.write(toJsonLines(page), (error) => (error == null ? resolvePromise() : reject(error)));
    });
  }
  output.off("error", ignoreError);
}

/**
 * Writes one file per kind of row, and one for policies. The files appear under their final names when all are complete.
 */
async function exportToFolder(database: Database, folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  const partialFiles = new Map<string, FileHandle>();
  let count = 0;
  try {
    for await (const page of readPages(database)) {
      for (const [name, rows] of Map.groupBy(page, getFileName)) {
        const partialFile = partialFiles.get(name) ?? (await open(getPartialPath(folder, name), "w"));
        partialFiles.set(name, partialFile);
        await partialFile.appendFile(toJsonLines(rows));
      }
      count += page.length;
    }
    // Without rows, all files of the folder would be deleted, which may be those of a store that was never started.
    if (count === 0)
      throw new SetupError(
        'the database has no catalog yet, so nothing was written. Import it with "vitrine import" or "vitrine serve", or set DATABASE_URL.',
      );
    for (const name of kindsByFile.keys()) {
      const file = join(folder, `${name}.jsonl`);
      if (partialFiles.has(name)) await rename(getPartialPath(folder, name), file);
      else await rm(file, { force: true });
    }
  } finally {
    for (const [name, partialFile] of partialFiles) {
      await partialFile.close();
      await rm(getPartialPath(folder, name), { force: true });
    }
  }
  return count;
}

/** Returns the name of a row's file. `vitrine init` writes the same files. */
function getFileName({ kind, handle }: Pick<StoredRow, "kind" | "handle">): string {
  if (kind === "page" && policyHandles.includes(handle)) return "policies";
  return [...kindsByFile].find(([, fileKind]) => fileKind === kind)?.[0] ?? kind;
}

function getPartialPath(folder: string, name: string): string {
  return join(folder, `${name}.jsonl.part`);
}

function toJsonLines(rows: readonly StoredRow[]): string {
  return rows.map(({ json }) => `${json}\n`).join("");
}

/**
 * Yields all rows of the newest catalog revision in pages. A lease prevents imports during the export. The lease is
 * renewed before each page and after the last page, because a slow output may take longer than one lease.
 * @throws WriteConflict if another process took the lease
 */
async function* readPages(database: Database): AsyncGenerator<readonly StoredRow[]> {
  const lease = await takeCatalogLease(database, system.newId());
  try {
    const renewLease = () => database.write([lease.createRenewalStatement()]);
    const { revision } = await readCatalogState(database);
    yield* readCatalogPages(database, revision, { waitBeforePage: renewLease });
    await renewLease();
  } finally {
    await lease.release();
  }
}

/** Converts an error of the export to an error that tells the user what to do. */
function explainError(error: unknown): unknown {
  const prefix = "the export is incomplete";
  if (error instanceof WriteConflict)
    return new SetupError(`${prefix}: an import changed the catalog during the export. Run it again.`);
  return explainOutputError(error, prefix);
}
