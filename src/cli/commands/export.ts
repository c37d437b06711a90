import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Kind } from "../../catalog/catalog.ts";
import { kindsByFile } from "../../catalog/rows/parse-row.ts";
import { SetupError } from "../../setup-error.ts";
import { readCatalogPages, readCatalogState, type StoredRow } from "../../storage/catalog/catalog-store.ts";
import { takeCatalogLease } from "../../storage/catalog/lease.ts";
import { type Database, WriteConflict } from "../../storage/database.ts";
import { system } from "../../system.ts";
import { readArguments, wrongUsage } from "../arguments.ts";
import type { Io } from "../io.ts";
import { openStore } from "../store-database.ts";

const usage = `Usage: vitrine export [--store DIR] [--out DIR]

Exports the catalog as JSONL for "vitrine import".
  --store DIR  folder of the store (default: the current folder)
  --out DIR    write one file per kind (products.jsonl, …); default: print all rows with their kind`;

/** Runs `vitrine export`. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const parsed = readArguments(args, { store: { type: "string" }, out: { type: "string" } }, usage, io);
  if (typeof parsed === "number") return parsed;
  if (parsed.positionals.length > 0) return wrongUsage("export takes no files; see --out.", usage, io);
  const { database } = await openStore(resolve(io.cwd, String(parsed.values.store ?? ".")), io.env.DATABASE_URL, true);
  try {
    if (parsed.values.out === undefined) await exportLines(database, io.stdout);
    else {
      const folder = resolve(io.cwd, String(parsed.values.out));
      const count = await exportFolder(database, folder);
      io.stderr.write(`Wrote ${count} rows to ${folder}.\n`);
    }
    return 0;
  } catch (error) {
    throw explained(error);
  } finally {
    await database.close();
  }
}

/** Writes all rows to a stream and waits whenever its buffer is full. */
async function exportLines(database: Database, output: NodeJS.WritableStream): Promise<void> {
  // A failed write reports its own error. This listener prevents an uncaught "error" event.
  const ignore = (): void => {};
  output.on("error", ignore);
  for await (const page of exportedPages(database)) {
    await new Promise<void>((done, fail) => {
      output.write(toLines(page), (error) => (error == null ? done() : fail(error)));
    });
  }
  output.off("error", ignore);
}

/** Writes one file per kind of row. The files appear under their final names when all are complete. */
async function exportFolder(database: Database, folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  const parts = new Map<Kind, FileHandle>();
  let count = 0;
  try {
    for await (const page of exportedPages(database)) {
      for (const [kind, rows] of Map.groupBy(page, (row) => row.kind)) {
        const part = parts.get(kind) ?? (await open(`${fileOf(folder, kind)}.part`, "w"));
        parts.set(kind, part);
        await part.appendFile(toLines(rows));
      }
      count += page.length;
    }
    for (const kind of kindsByFile.values()) {
      const file = fileOf(folder, kind);
      if (parts.has(kind)) await rename(`${file}.part`, file);
      else await rm(file, { force: true });
    }
  } finally {
    for (const [kind, part] of parts) {
      await part.close();
      await rm(`${fileOf(folder, kind)}.part`, { force: true });
    }
  }
  return count;
}

function fileOf(folder: string, kind: string): string {
  const name = [...kindsByFile].find(([, one]) => one === kind)?.[0] ?? kind;
  return join(folder, `${name}.jsonl`);
}

function toLines(rows: readonly StoredRow[]): string {
  return rows.map(({ json }) => `${json}\n`).join("");
}

/**
 * Yields all rows of the newest revision. A lease prevents imports from replacing the rows meanwhile. It is renewed
 * before each page and after the last page, because a slow output may outlast it.
 * @throws WriteConflict if another process took the lease
 */
async function* exportedPages(database: Database): AsyncGenerator<readonly StoredRow[]> {
  const lease = await takeCatalogLease(database, system.newId(), system.now);
  try {
    const renew = () => database.write([lease.renewal()]);
    const { revision } = await readCatalogState(database);
    yield* readCatalogPages(database, revision, { beforePage: renew });
    await renew();
  } finally {
    await lease.release();
  }
}

/** Converts an error to one with advice for the user. */
function explained(error: unknown): unknown {
  const incomplete = "the export is incomplete";
  if (error instanceof WriteConflict)
    return new SetupError(`${incomplete}: an import changed the catalog during the export. Run it again.`);
  if (!(error instanceof Error && "code" in error)) return error;
  switch (error.code) {
    case "EPIPE":
    case "ERR_STREAM_DESTROYED":
      return new SetupError(`${incomplete}: its reader closed the pipe before the end.`);
    case "ENOSPC":
    case "EDQUOT":
      return new SetupError(`${incomplete}: the disk is full.`);
    default:
      return "syscall" in error ? new SetupError(`${incomplete}: ${error.message}.`) : error;
  }
}
