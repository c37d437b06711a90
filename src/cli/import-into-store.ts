import { SingleBar } from "cli-progress";
import type { Kind } from "../catalog/catalog.ts";
import { createFaultList, describeFault, type FaultList } from "../import/faults.ts";
import { importFiles } from "../import/import-files.ts";
import type { LostFields } from "../import/lost-fields.ts";
import { totalBytes } from "../import/read-catalog.ts";
import { system } from "../system.ts";
import type { Io } from "./io.ts";
import { openStore } from "./store-database.ts";

/** Reads files into a store and tells what came of it. @returns the exit code */
export async function importInto(
  storeDir: string,
  files: Parameters<typeof importFiles>[1],
  { prune, dryRun, patch }: { readonly prune: boolean; readonly dryRun: boolean; readonly patch: boolean },
  io: Io,
): Promise<number> {
  const { config, database } = await openStore(storeDir, io.env.DATABASE_URL);
  const progress = startProgress(io, await totalBytes(files), dryRun);
  const notes = createFaultList(MAX_NOTES);
  try {
    const result = await importFiles(database, files, {
      ...system,
      currency: config.currency,
      prune,
      dryRun,
      patch,
      paced: true,
      onNote: notes.add,
      onProgress: progress.show,
    });
    progress.stop();
    if (result.faults.count > 0) return tellFaults(result.faults, io);
    tellNotes(notes, io);
    const what = dryRun ? "would be removed" : "removed";
    const differ = dryRun ? "" : `; ${result.changed} new or changed`;
    const found = `${dryRun ? "Checked" : "Imported"} ${tellCounts(result.counts)}${differ}`;
    io.stdout.write(`${found}, ${result.removed} ${what}.\n`);
    // Who patches names what they take away.
    if (!patch) tellLosses(result.lost, dryRun, io);
    return 0;
  } finally {
    progress.stop();
    await database.close();
  }
}

/** Notes shown; there may be one a row. */
const MAX_NOTES = 10;

function tellNotes({ first, count }: FaultList, io: Io): void {
  for (const note of first) io.stderr.write(`warning: ${describeFault(note)}\n`);
  if (count > first.length) io.stderr.write(`… and ${count - first.length} more of these.\n`);
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

/** What is gone because rows do not name it: seldom meant. */
function tellLosses(lost: LostFields["byName"], dryRun: boolean, io: Io): void {
  if (lost.size === 0) return;
  for (const [name, { rows, file, line }] of [...lost].sort(([, a], [, b]) => b.rows - a.rows)) {
    const at = rows === 1 ? `${file}:${line}` : `${rows} rows, the first ${file}:${line}`;
    io.stderr.write(`warning: ${name} ${dryRun ? "would be" : "is"} gone where rows do not name it: ${at}\n`);
  }
  io.stderr.write('A row replaces all of the one before it. With "--patch" rows change only the fields they name.\n');
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
