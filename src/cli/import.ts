import { resolve } from "node:path";
import { SingleBar } from "cli-progress";
import type { Kind } from "../catalog/catalog.ts";
import { describeFault, type FaultList } from "../catalog/faults.ts";
import { totalBytes } from "../catalog/read-catalog.ts";
import { readArguments, wrongUsage } from "./arguments.ts";
import { catalogFiles } from "./catalog-files.ts";
import type { Io } from "./commands.ts";
import { importFiles } from "./import-files.ts";
import { openStore } from "./store-database.ts";

const usage = `Usage: vitrine import [--store DIR] <file…> [--prune] [--dry-run]

Reads catalogue files (.jsonl, .json, a Shopify product export as .csv; a folder stands for those in it) into the store,
all or nothing: rows are added, or replaced where their id is there already. Works beside a running server.
  --store DIR  the store's folder (where you stand, unless told)
  --prune      removes what the files no longer hold, of the kinds they do hold
  --dry-run    finds every fault and changes nothing`;

/** `vitrine import` */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const options = { store: { type: "string" }, prune: { type: "boolean" }, "dry-run": { type: "boolean" } } as const;
  const given = readArguments(args, options, usage, io);
  if (typeof given === "number") return given;
  if (given.positionals.length === 0) return wrongUsage("import takes one file or more.", usage, io);
  const files = await catalogFiles(given.positionals, io.cwd);
  if (files.length === 0) return wrongUsage("there is no catalogue file in that folder.", usage, io);

  const dryRun = given.values["dry-run"] === true;
  const { config, database } = await openStore(resolve(io.cwd, String(given.values.store ?? ".")), io.env.DATABASE_URL);
  const progress = startProgress(io, await totalBytes(files), dryRun);
  try {
    const result = await importFiles(database, files, {
      currency: config.currency,
      prune: given.values.prune === true,
      dryRun,
      paced: true,
      onProgress: progress.show,
    });
    progress.stop();
    if (result.faults.count > 0) return tellFaults(result.faults, io);
    const what = dryRun ? "would be removed" : "removed";
    const differ = dryRun ? "" : `; ${result.changed} new or changed`;
    const found = `${dryRun ? "Checked" : "Imported"} ${tellCounts(result.counts)}${differ}`;
    io.stdout.write(`${found}, ${result.removed} ${what}.\n`);
    return 0;
  } finally {
    progress.stop();
    await database.close();
  }
}

function tellFaults(faults: FaultList, io: Io): number {
  for (const fault of faults.first) io.stderr.write(`${describeFault(fault)}\n`);
  const more = faults.count - faults.first.length;
  if (more > 0) io.stderr.write(`… and ${more} more.\n`);
  io.stderr.write(
    `Nothing was imported: ${faults.count === 1 ? "1 fault" : `${faults.count} faults`}. Correct the rows and import again.\n`,
  );
  return 1;
}

function tellCounts(counts: ReadonlyMap<Kind, number>): string {
  const parts = [...counts].map(([kind, count]) => `${count} ${kind.replace("_", " ")}${count === 1 ? "" : "s"}`);
  return parts.length === 0 ? "no rows" : parts.join(", ");
}

/** A bar on a terminal, nothing elsewhere. */
function startProgress(
  io: Io,
  bytes: number,
  dryRun: boolean,
): { show(step: "check" | "write", bytes: number): void; stop(): void } {
  if (!("isTTY" in io.stderr) || io.stderr.isTTY !== true) return { show: () => {}, stop: () => {} };
  const bar = new SingleBar({ stream: io.stderr, format: "{step} [{bar}] {percentage}%", hideCursor: true });
  bar.start(Math.max(1, dryRun ? bytes : 2 * bytes), 0, { step: "Checking" });
  return {
    show: (step, read) => {
      if (step === "check") bar.update(read, { step: "Checking" });
      else bar.update(bytes + read, { step: "Importing" });
    },
    stop: () => bar.stop(),
  };
}
