import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import type { Snapshots } from "../../src/snapshot/open-snapshots.ts";
import type { Database } from "../../src/storage/database.ts";
import { system } from "../../src/system.ts";
import { importFiles } from "./import-files.ts";

type SnapshotReader = Pick<Snapshots, "currentSnapshot">;

/** Returns a product with one variant for an import. */
export function row(number: number, word: string): object {
  const handle = `l${number}`;
  return {
    ...{ kind: "product", id: number + 1, handle, title: `${word}${number}` },
    variants: [{ id: number + 1, price: 1 }],
  };
}

/** Imports rows.  @param file path of the database */
export async function importRows(
  { file, database }: { file: string; database: Database },
  rows: readonly object[],
): Promise<void> {
  const path = `${file}.jsonl`;
  await writeFile(path, rows.map((one) => `${JSON.stringify(one)}\n`).join(""));
  const { errors } = await importFiles(database, [{ path, name: "rows" }], { ...system, currency: "USD" });
  assert.deepEqual(errors.firstErrors, []);
}

/** Returns the hits of a search with their scores. */
export function search(server: SnapshotReader, text: string): readonly unknown[] {
  const { index } = server.currentSnapshot();
  return (
    index.search({ text, locale: "en", limits: new Map([[0, 30]]), typos: true, unavailable: "last" }).get(0) ?? []
  );
}

/** Returns the titles of the first hits of a search. */
export function titles(server: SnapshotReader, text: string): unknown[] {
  const { catalog, index } = server.currentSnapshot();
  const query = { text, locale: "en", limits: new Map([[0, 5]]), typos: false, unavailable: "last" } as const;
  const entries = (index.search(query).get(0) ?? []).map(({ externalId }) => catalog.entry(externalId));
  return entries.map((entry) => entry?.kind === "product" && entry.title);
}
