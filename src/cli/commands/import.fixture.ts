import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { after } from "node:test";
import { readCatalogRows, readCatalogState, type StoredRow } from "../../storage/catalog/catalog-store.ts";
import type { Command } from "../commands.ts";
import type { CommandIo } from "../io.ts";
import { openStore } from "../store-database.ts";

type CommandRunner = Awaited<ReturnType<Command["load"]>>["run"];

/** Creates a store folder without a catalog. The folder is removed after the tests of the file. */
export async function makeStore(name: string, currency = "USD"): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "vitrine-import-"));
  after(() => rm(dir, { recursive: true, force: true }));
  const store = join(dir, name);
  await mkdir(store);
  await writeFile(join(store, "vitrine.config.js"), `export default { name: "Test", currency: "${currency}" };\n`);
  return store;
}

/** Writes rows to a JSONL file. */
export async function writeRows(store: string, file: string, rows: readonly object[]): Promise<void> {
  await writeFile(join(store, file), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
}

/** Runs a command in a store folder. */
export async function runCommand(
  run: CommandRunner,
  cwd: string,
  args: readonly string[],
  ioOptions: Pick<CommandIo, "stdin"> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const createWritable = (texts: string[]) =>
    new Writable({
      write(chunk: Buffer, _, done) {
        texts.push(chunk.toString());
        done();
      },
    });
  const stdoutChunks: string[] = [];
  const stderrChunks: string[] = [];
  const code = await run(args, {
    cwd,
    stdout: createWritable(stdoutChunks),
    stderr: createWritable(stderrChunks),
    env: {},
    program: "vitrine",
    ...ioOptions,
  });
  return { code, stdout: stdoutChunks.join(""), stderr: stderrChunks.join("") };
}

/** Returns the catalog rows of a store. */
export async function readRows(store: string): Promise<readonly StoredRow[]> {
  await using openedStore = await openStore(store);
  const { database } = openedStore;
  const { revision: newestRevision } = await readCatalogState(database);
  return await Array.fromAsync(readCatalogRows(database, newestRevision));
}

export async function readRevision(store: string): Promise<number> {
  await using openedStore = await openStore(store);
  return (await readCatalogState(openedStore.database)).revision;
}
