import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { kindsByFile } from "../catalog/parse-row.ts";
import { takeCatalogLease } from "../storage/catalog-lease.ts";
import { readCatalogRows, readCatalogState, type StoredRow } from "../storage/catalog-store.ts";
import type { Database } from "../storage/database.ts";
import { readArguments, wrongUsage } from "./arguments.ts";
import type { Io } from "./commands.ts";
import { openStore } from "./store-database.ts";
import { system } from "./system.ts";

const usage = `Usage: vitrine export [--store DIR] [--out DIR]

Writes the catalogue as JSONL, which "vitrine import" takes back unchanged.
  --store DIR  the store's folder (where you stand, unless told)
  --out DIR    a file for each kind goes there (products.jsonl, …); without it all rows go to the output, with their kind`;

/** `vitrine export` */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const given = readArguments(args, { store: { type: "string" }, out: { type: "string" } }, usage, io);
  if (typeof given === "number") return given;
  if (given.positionals.length > 0) return wrongUsage("export takes no files; see --out.", usage, io);
  const { database } = await openStore(resolve(io.cwd, String(given.values.store ?? ".")), io.env.DATABASE_URL);
  try {
    if (given.values.out === undefined) await pipeline(Readable.from(exportLines(database)), io.stdout, { end: false });
    else {
      const folder = resolve(io.cwd, String(given.values.out));
      const count = await exportFolder(database, folder);
      io.stderr.write(`Wrote ${count} rows to ${folder}.\n`);
    }
    return 0;
  } finally {
    await database.close();
  }
}

/** One file a kind, all put in their places when they are whole; a kind without rows has none. */
async function exportFolder(database: Database, folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  const parts = new Map<string, WriteStream>();
  let count = 0;
  try {
    for await (const { kind, json } of exportedRows(database)) {
      count += 1;
      const part = parts.get(kind) ?? createWriteStream(`${fileOf(folder, kind)}.part`);
      parts.set(kind, part);
      if (!part.write(`${json}\n`)) await once(part, "drain");
    }
    for (const part of parts.values()) await finished(part.end());
    for (const kind of kindsByFile.values()) {
      const file = fileOf(folder, kind);
      if (parts.has(kind)) await rename(`${file}.part`, file);
      else await rm(file, { force: true });
    }
  } finally {
    for (const [kind, part] of parts) {
      part.destroy();
      await rm(`${fileOf(folder, kind)}.part`, { force: true });
    }
  }
  return count;
}

function fileOf(folder: string, kind: string): string {
  const name = [...kindsByFile].find(([, one]) => one === kind)?.[0] ?? kind;
  return join(folder, `${name}.jsonl`);
}

/** Rows between two renewals of the lease: a second or two. */
const RENEW_ROWS = 50_000;

/** The rows of the newest revision; while they are read no import may replace them. */
async function* exportedRows(database: Database): AsyncGenerator<StoredRow> {
  const lease = await takeCatalogLease(database, system.newId(), system.now);
  try {
    const { revision } = await readCatalogState(database);
    let count = 0;
    for await (const row of readCatalogRows(database, revision)) {
      count += 1;
      if (count % RENEW_ROWS === 0) await database.write([lease.renewal()]);
      yield row;
    }
  } finally {
    await lease.release();
  }
}

async function* exportLines(database: Database): AsyncGenerator<string> {
  for await (const row of exportedRows(database)) yield `${row.json}\n`;
}
