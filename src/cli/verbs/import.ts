import { resolve } from "node:path";
import { catalogFiles } from "../../import/catalog-files.ts";
import type { CatalogFile } from "../../import/read-catalog.ts";
import { readArguments, wrongUsage } from "../arguments.ts";
import type { Io } from "../io.ts";
import { keepCompiled } from "../keep-compiled.ts";

const usage = `Usage: vitrine import [--store DIR] <file…> [--patch | --prune] [--dry-run]

Reads catalogue files (.jsonl, .json, a Shopify product export as .csv; a folder stands for those in it) into the store,
all or nothing: rows are added, or replaced where their id is there already. Works beside a running server.
  --store DIR  the store's folder (where you stand, unless told)
  --patch      rows change only the fields they name, of rows that are there: { "handle": "rope", "variants": [{ "sku": "R1", "price": 900 }] }
  --prune      removes what the files no longer hold, of the kinds they do hold
  --dry-run    finds every fault and changes nothing`;

/** `vitrine import` */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const options = {
    store: { type: "string" },
    patch: { type: "boolean" },
    prune: { type: "boolean" },
    "dry-run": { type: "boolean" },
  } as const;
  const given = readArguments(args, options, usage, io);
  if (typeof given === "number") return given;
  if (given.positionals.length === 0) return wrongUsage("import takes one file or more.", usage, io);
  const { patch = false, prune = false, "dry-run": dryRun = false } = given.values;
  if (patch === true && prune === true)
    return wrongUsage("--patch changes rows and --prune removes others: use one of them.", usage, io);
  const files: CatalogFile[] = [];
  for (const name of given.positionals) {
    const named = await catalogFiles(name, io.cwd);
    if (named.length === 0) return wrongUsage(`${name}: there is no catalogue file in that folder.`, usage, io);
    files.push(...named);
  }

  const storeDir = resolve(io.cwd, String(given.values.store ?? "."));
  keepCompiled(storeDir);
  const { importInto } = await import("../import-into-store.ts");
  return importInto(storeDir, files, { patch: patch === true, prune: prune === true, dryRun: dryRun === true }, io);
}
