import assert from "node:assert/strict";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { importFiles } from "../../test/support/import-files.ts";
import { migrate } from "../storage/migrate.ts";
import { openSqliteCatalog } from "../storage/sqlite/catalog-reader.ts";
import { openSqlite } from "../storage/sqlite/sqlite.ts";
import { system } from "../system.ts";
import { buildBase } from "./build.ts";
import { createDeltaThread } from "./delta-thread.ts";
import { layersBelow, layersOf } from "./layers.ts";

let dir: string;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), "vitrine-delta-thread-"));
});
after(() => rm(dir, { recursive: true, force: true }));

const locales = { default: "en", others: [] };

test("the delta thread builds one after another, and restarts after an error and after its end", async () => {
  const file = join(dir, "vitrine.db");
  const database = await openSqlite(file);
  await migrate(database);
  const reader = openSqliteCatalog(file);
  const below = layersBelow(layersOf(buildBase(reader, locales, reader.size())), 0);
  reader.close();
  const thread = createDeltaThread({ source: { file }, locales });
  const changed = async () => (await thread.build(below))?.built.delta.rows.kinds.length;
  const importOne = async (id: number) => {
    const path = join(dir, "row.jsonl");
    const row = { kind: "product", id, handle: `l${id}`, title: `Lantern ${id}`, variants: [{ price: 1 }] };
    await writeFile(path, JSON.stringify(row));
    await importFiles(database, [{ path, name: "row.jsonl" }], { ...system, currency: "USD" });
  };
  try {
    await importOne(1);
    assert.equal(await changed(), 1);
    await importOne(2);
    assert.equal(await changed(), 2);

    await database.close();
    await rename(file, `${file}.away`);
    await assert.rejects(thread.build(below), /unable to open/);
    await rename(`${file}.away`, file);
    assert.equal(await changed(), 2);

    await thread.stop();
    assert.equal(await changed(), 2);
    const underWay = assert.rejects(thread.build(below), /ended before the build was complete/);
    await thread.stop();
    await underWay;
  } finally {
    await thread.stop();
  }
});
