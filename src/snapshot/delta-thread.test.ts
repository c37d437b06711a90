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
import { buildBaseLayer } from "./build.ts";
import { createDeltaThread } from "./delta-thread.ts";
import { createCatalogLayers, selectOldestLayers } from "./layers.ts";

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
  using reader = openSqliteCatalog(file);
  const layers = selectOldestLayers(createCatalogLayers(buildBaseLayer(reader, locales, reader.size())), 0);
  const thread = createDeltaThread({ source: { file }, locales, isLowPriority: false });
  const countChangedRows = async () => (await thread.build(layers))?.createdLayer.delta.rows.kinds.length;
  const importProduct = async (id: number) => {
    const path = join(dir, "row.jsonl");
    const row = { kind: "product", id, handle: `l${id}`, title: `Lantern ${id}`, variants: [{ price: 1 }] };
    await writeFile(path, JSON.stringify(row));
    await importFiles(database, [{ path, name: "row.jsonl" }], { ...system, currency: "USD" });
  };
  try {
    await importProduct(1);
    assert.equal(await countChangedRows(), 1);
    await importProduct(2);
    assert.equal(await countChangedRows(), 2);

    await database.close();
    await rename(file, `${file}.away`);
    await assert.rejects(thread.build(layers), /unable to open/);
    await rename(`${file}.away`, file);
    assert.equal(await countChangedRows(), 2);

    await thread.stop();
    assert.equal(await countChangedRows(), 2);
    const pendingBuild = assert.rejects(thread.build(layers), /ended before the build was complete/);
    await thread.stop();
    await pendingBuild;
  } finally {
    await thread.stop();
  }
});
