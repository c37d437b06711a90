import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { copyFileSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createIndexFolder } from "../../src/snapshot/index-files.ts";
import { loadSavedIndex } from "../../src/snapshot/load.ts";
import { openSnapshots, type Snapshots } from "../../src/snapshot/open-snapshots.ts";
import type { Database } from "../../src/storage/database.ts";
import { migrate } from "../../src/storage/migrate.ts";
import { openSqlite } from "../../src/storage/sqlite/sqlite.ts";
import { system } from "../../src/system.ts";
import { corruptions, randomNumbers } from "../support/corruptions.ts";
import { importFiles } from "../support/import-files.ts";
import { serve } from "../support/server-process.ts";
import { until } from "../support/until.ts";

/** A store's database, and the folder of its index. */
interface StoredIndex {
  readonly file: string;
  readonly indexDir: string;
  readonly database: Database;
  readonly warnings: string[];
  /** Kinds of index builds, "whole" or "changes", in order. */
  readonly built: string[];
}

const locales = { default: "en", others: [] };
const count = 30;
/** Number of rounds, which `npm run test:soak` increases. */
const rounds = Number(process.env.VITRINE_ROUNDS ?? 48);

let dir: string;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), "vitrine-index-file-"));
});
after(() => rm(dir, { recursive: true, force: true }));

for (const maxTexts of [0, 1_000_000]) {
  const where = maxTexts === 0 ? "rows read from the file" : "rows in memory";

  test(`a start loads the stored index and applies later changes (${where})`, async () => {
    const store = await makeStore(`kept-${maxTexts}`);
    const first = await open(store, maxTexts);
    await untilStored(store, 1);
    await assertRight(first, "Lantern");
    await first.close();
    assert.deepEqual(store.built.splice(0), ["whole"]);

    const again = await open(store, maxTexts);
    await assertRight(again, "Lantern");
    await again.close();
    assert.deepEqual(store.built.splice(0), []);

    await importRows(store, [row(7, "Beacon")]);
    const changed = await open(store, maxTexts);
    assert.deepEqual(titles(changed, "beacon7"), ["Beacon7"]);
    assert.deepEqual(titles(changed, "lantern7"), []);
    assert.deepEqual(titles(changed, "lantern8"), ["Lantern8"]);
    await changed.close();
    assert.deepEqual(store.built.splice(0), ["changes"]);

    await importRows(store, rows("Candle"), true);
    const rebuilt = await openSnapshots({
      ...optionsOf(store, maxTexts),
      config: { locales: { ...locales, others: ["fr"] } },
    });
    await assertRight(rebuilt, "Candle");
    await rebuilt.close();
    await store.database.close();
  });

  test(`${rounds} randomly corrupted files are all rejected (${where})`, async () => {
    const store = await makeStore(`damaged-${maxTexts}`);
    const first = await open(store, maxTexts);
    const path = await untilStored(store, 1);
    await first.close();
    const whole = readFileSync(path);
    const random = randomNumbers(maxTexts + 1);
    for (let round = 0; round < rounds; round += 1) {
      const damage = corruptions[round % corruptions.length] as (typeof corruptions)[number];
      const damaged = damage(Buffer.from(whole), random);
      if (damaged.equals(whole)) continue;
      writeFileSync(path, damaged);
      const { folder, database, newId } = optionsOf(store, maxTexts);
      const loaded = await loadSavedIndex({
        folder,
        database,
        newId,
        warn: (text) => store.warnings.push(text),
      });
      assert.equal(loaded, undefined, `round ${round}`);
      assert.match(store.warnings.pop() ?? "", /is damaged: the index is rebuilt/);
      if (round >= corruptions.length || round % 2 !== Number(maxTexts > 0)) continue;
      // A server opens each kind of corruption once, alternating with and without a limit of texts.
      writeFileSync(path, damaged);
      const snapshots = await open(store, maxTexts);
      await assertRight(snapshots, "Lantern");
      await untilStored(store, 1);
      await snapshots.close();
    }
    await store.database.close();
  });
}

test("a row corrupted during operation is never shown, and the index is rebuilt", async () => {
  const store = await makeStore("row");
  const snapshots = await open(store, 0);
  const path = await untilStored(store, 1);
  const bytes = readFileSync(path);
  const at = bytes.indexOf("Lantern7");
  bytes.write("Impostor", at);
  writeFileSync(path, bytes);
  assert.throws(() => snapshots.currentSnapshot().catalog.product("l7"), /is damaged/);
  assert.deepEqual(titles(snapshots, "lantern8"), ["Lantern8"]);
  await until(() => store.built.length === 2);
  await until(() => titleOf(snapshots, "l7") === "Lantern7");
  await snapshots.close();
  await store.database.close();
});

test("a restored backup with another history does not load the old index", async () => {
  const store = await makeStore("backup");
  await store.database.close();
  copyFileSync(store.file, join(dir, "backup.db"));
  const one = await reopen(store);
  await importRows(one, rows("Candle"));
  const first = await open(one, 0);
  await untilStored(one, 2);
  await assertRight(first, "Candle");
  await first.close();
  await one.database.close();

  copyFileSync(join(dir, "backup.db"), store.file);
  const other = await reopen(store);
  await importRows(other, rows("Torch"));
  const second = await open(other, 0);
  await assertRight(second, "Torch");
  await second.close();
  await other.database.close();
});

test("a server that cannot store the index works with a warning", async () => {
  const store = await makeStore("unwritable");
  await writeFile(store.indexDir, "a file is in the way");
  for (const maxTexts of [0, 1_000_000]) {
    const snapshots = await open(store, maxTexts);
    await assertRight(snapshots, "Lantern");
    await until(() => store.warnings.length > 0);
    assert.match(store.warnings.pop() ?? "", /could not be saved/);
    await snapshots.close();
  }
  await store.database.close();
});

test("files of a killed process are deleted from the index folder, those of running ones stay", async () => {
  const store = await makeStore("left");
  const hour = 3_600;
  for (const [name, age] of [
    [".part-left", 2 * hour],
    [".part-new", 0],
  ] as const) {
    await mkdir(join(store.indexDir, name), { recursive: true });
    await writeFile(join(store.indexDir, name, "part"), "half");
    const at = statSync(store.indexDir).mtimeMs / 1_000 - age;
    utimesSync(join(store.indexDir, name, "part"), at, at);
    utimesSync(join(store.indexDir, name), at, at);
  }
  const snapshots = await open(store, 0);
  const parts = (): string[] => readdirSync(store.indexDir).filter((name) => name.startsWith(".part"));
  await until(() => readdirSync(store.indexDir).some((name) => name.startsWith("1-")) && parts().length === 1);
  await snapshots.close();
  assert.deepEqual(parts(), [".part-new"]);
  await store.database.close();
});

test("a restarted server loads the stored index, and rebuilds a damaged one", async () => {
  const store = await makeStore("server");
  await store.database.close();
  const storeDir = join(dir, "server");
  const settings = { name: "Kept", currency: "USD", server: { threads: 1 } };
  await writeFile(join(storeDir, "vitrine.config.js"), `export default ${JSON.stringify(settings)};\n`);
  const kept: { readonly bytes: Buffer; readonly writtenAt: bigint }[] = [];
  for (let start = 0; start < 3; start += 1) {
    const { origin, child, finished } = await serve(storeDir);
    const path = await untilStored(store, 1);
    const answer = await fetch(`${origin}/search/suggest.json?q=lantern7`);
    const { resources } = (await answer.json()) as { resources: { results: { products: { title: string }[] } } };
    assert.deepEqual(
      resources.results.products.map(({ title }) => title),
      ["Lantern7"],
    );
    kept.push({ bytes: readFileSync(path), writtenAt: statSync(path, { bigint: true }).mtimeNs });
    child.kill("SIGTERM");
    await finished;
    if (start === 1) writeFileSync(path, readFileSync(path).fill(0, 100, 200));
  }
  const [first, second, third] = kept;
  assert.equal(second?.writtenAt, first?.writtenAt);
  assert.equal(third?.bytes.subarray(100, 200).equals(Buffer.alloc(100)), false);
});

async function makeStore(name: string): Promise<StoredIndex> {
  const dataDir = join(dir, name, "data");
  await mkdir(dataDir, { recursive: true });
  const store = { file: join(dataDir, "vitrine.db"), indexDir: join(dataDir, "index") };
  const kept = await reopen(store);
  await importRows(kept, rows("Lantern"));
  return kept;
}

async function reopen({ file, indexDir }: Pick<StoredIndex, "file" | "indexDir">): Promise<StoredIndex> {
  const database = await openSqlite(file);
  await migrate(database);
  return { file, indexDir, database, warnings: [], built: [] };
}

function optionsOf({ file, indexDir, database, warnings, built }: StoredIndex, maxTexts: number) {
  const warn = (_: unknown, text: string) => void warnings.push(text);
  const log = { hasInfo: false, info() {}, error() {}, warn, recurring: warn };
  return {
    source: { file },
    database,
    config: { locales },
    synonyms: () => noSynonyms,
    folder: createIndexFolder(indexDir, locales, maxTexts),
    log,
    now: () => 0,
    newId: randomUUID,
    onBuilt: (part: string) => void built.push(part),
  };
}

const noSynonyms: readonly (readonly string[])[] = [];

function open(store: StoredIndex, maxTexts: number): Promise<Snapshots> {
  return openSnapshots(optionsOf(store, maxTexts));
}

function row(number: number, word: string): object {
  const handle = `l${number}`;
  return {
    kind: "product",
    id: number + 1,
    handle,
    title: `${word}${number}`,
    variants: [{ id: number + 1, price: 1 }],
  };
}

const rows = (word: string): readonly object[] => Array.from({ length: count }, (_, number) => row(number, word));

async function importRows({ file, database }: StoredIndex, changed: readonly object[], prune = false): Promise<void> {
  const path = `${file}.jsonl`;
  await writeFile(path, changed.map((one) => `${JSON.stringify(one)}\n`).join(""));
  const { errors } = await importFiles(database, [{ path, name: "rows" }], {
    ...system,
    currency: "USD",
    prune,
  });
  assert.deepEqual(errors.firstErrors, []);
}

/** Waits for the index file of a revision and for the end of all writes.  @returns the path of the file */
async function untilStored({ indexDir }: StoredIndex, revision: number): Promise<string> {
  const names = (): readonly string[] => {
    try {
      return readdirSync(indexDir);
    } catch {
      return [];
    }
  };
  await until(() => names().length === 1 && names()[0]?.startsWith(`${revision}-`) === true);
  return join(indexDir, names()[0] ?? "");
}

async function assertRight(snapshots: Snapshots, word: string): Promise<void> {
  for (const number of [0, 7, count - 1]) {
    assert.deepEqual(titles(snapshots, `${word}${number}`.toLowerCase()), [`${word}${number}`]);
    assert.equal(titleOf(snapshots, `l${number}`), `${word}${number}`);
    assert.equal(snapshots.currentSnapshot().catalog.variant(String(number + 1))?.product.title, `${word}${number}`);
  }
  assert.equal(snapshots.currentSnapshot().catalog.numbers("product").length, count);
}

function titleOf(snapshots: Snapshots, handle: string): string | undefined {
  return snapshots.currentSnapshot().catalog.product(handle)?.title;
}

function titles(snapshots: Snapshots, text: string): unknown[] {
  const { catalog, index } = snapshots.currentSnapshot();
  const query = { text, locale: "en", limits: new Map([[0, 5]]), typos: false, unavailable: "last" } as const;
  const hits = index.search(query).get(0) ?? [];
  const found = hits.map(({ externalId }) => catalog.entry(externalId));
  return found.map((entry) => entry?.kind === "product" && entry.title);
}
