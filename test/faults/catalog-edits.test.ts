import assert from "node:assert/strict";
import { mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { openStore } from "../../src/cli/store-database.ts";
import { system } from "../../src/system.ts";
import { product, type RowJson } from "../support/catalog.ts";
import { createClient } from "../support/client.ts";
import { createApiToken, runCommand } from "../support/command.ts";
import { importFiles } from "../support/import-files.ts";
import { type ServerProcess, serve, stopServer } from "../support/server-process.ts";
import { makeStore, openShop, toJsonl } from "../support/shop.ts";
import { until } from "../support/until.ts";

const rope = product(1, "rope", "Rope", [{ id: 11, price: 100 }]);
const oar = product(2, "oar", "Oar", [{ id: 21, price: 200 }]);
const raft = product(3, "raft", "Raft", [{ id: 31, price: 300 }]);

/** Returns the titles of published products by handle, or undefined for other handles. */
async function titles(origin: string, handles: readonly string[]): Promise<readonly (string | undefined)[]> {
  const client = createClient(origin);
  const foundTitles = handles.map(async (handle) => {
    const reply = await client.get(`/products/${handle}.js`);
    return reply.status === 200 ? reply.json<{ readonly title: string }>().title : undefined;
  });
  return Promise.all(foundTitles);
}

async function untilTitles(
  server: Pick<ServerProcess, "origin">,
  wanted: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const isSo = async (): Promise<boolean> =>
    JSON.stringify(await titles(server.origin, Object.keys(wanted))) === JSON.stringify(Object.values(wanted));
  await until(isSo, `the shop shows ${JSON.stringify(wanted)}`);
}

async function edit(storeDir: string, rows: readonly RowJson[]): Promise<void> {
  await writeFile(join(storeDir, "catalog", "shop.jsonl"), toJsonl(rows));
}

/** Imports rows that no file of `catalog/` contains. */
async function importByCommand(storeDir: string, rows: readonly RowJson[]): Promise<void> {
  const path = join(storeDir, "beside.jsonl");
  await writeFile(path, toJsonl(rows));
  const { database } = await openStore(storeDir);
  const { errors: faults } = await importFiles(database, [{ path, name: "beside.jsonl" }], {
    ...system,
    currency: "USD",
  });
  await database.close();
  assert.equal(faults.count, 0);
}

// The tests run concurrently, because they mostly wait for files to stop changing. Those that read the log start a process.
describe("edits of catalog/", { concurrency: true }, () => {
  test("edits of catalog/ apply without a restart, also those made while the server was stopped", async () => {
    const storeDir = await makeStore({ rows: [rope, oar] });
    let server = await openShop(storeDir);
    await untilTitles(server, { rope: "Rope", oar: "Oar", raft: undefined });
    await edit(storeDir, [{ ...rope, title: "Hemp Rope" }, raft]);
    await untilTitles(server, { rope: "Hemp Rope", oar: undefined, raft: "Raft" });
    await server.close();
    await edit(storeDir, [{ ...rope, title: "Tarred Rope" }, raft, oar]);
    server = await openShop(storeDir);
    await untilTitles(server, { rope: "Tarred Rope", oar: "Oar", raft: "Raft" });
    await server.close();
    await rm(storeDir, { recursive: true });
  });

  test("an edit of catalog/ keeps rows from other imports", async () => {
    const storeDir = await makeStore({ rows: [rope, oar] });
    const server = await openShop(storeDir);
    await importByCommand(storeDir, [raft, { ...rope, title: "Rope of the day" }]);
    await edit(storeDir, [rope, { ...oar, title: "Ash Oar" }]);
    await untilTitles(server, { rope: "Rope of the day", oar: "Ash Oar", raft: "Raft" });
    await edit(storeDir, [{ ...oar, title: "Ash Oar" }]);
    await untilTitles(server, { rope: undefined, oar: "Ash Oar", raft: "Raft" });
    await server.close();
    await rm(storeDir, { recursive: true });
  });

  test("an invalid edit is rejected, and the log names its line", async () => {
    const storeDir = await makeStore({ rows: [rope, oar] });
    const server = await serve(storeDir, "export LOG_LEVEL=warn");
    const file = join(storeDir, "catalog", "shop.jsonl");
    await writeFile(file, `${JSON.stringify({ ...rope, title: "Hemp Rope" })}\n{ "kind": "product", "handle": "oar"`);
    await until(async () => server.log().includes("was rejected"), "the fault is told");
    assert.match(server.log(), /an edit of the catalog was rejected: catalog\/shop\.jsonl:2: is not JSON/);
    assert.deepEqual(await titles(server.origin, ["rope", "oar"]), ["Rope", "Oar"]);
    await edit(storeDir, [{ ...rope, title: "Hemp Rope" }, oar, { ...raft, handle: "oar" }]);
    await until(async () => server.log().includes("shop.jsonl:3: handle"), "the other fault is told");
    await edit(storeDir, [{ ...rope, title: "Hemp Rope" }, oar]);
    await untilTitles(server, { rope: "Hemp Rope", oar: "Oar" });
    await stopServer(server);
    await rm(storeDir, { recursive: true });
  });

  test("a truncated file counts as incomplete until the removal is confirmed", async () => {
    const manyRows = Array.from({ length: 10 }, (_, n) =>
      product(n + 1, `p${n}`, `P${n}`, [{ id: 100 + n, price: n }]),
    );
    const storeDir = await makeStore({ rows: manyRows });
    const file = join(storeDir, "catalog", "shop.jsonl");
    const server = await serve(storeDir, "unset LOG_LEVEL");
    const fullText = await readFile(file, "utf8");
    // The file is truncated at the end of a line.
    await edit(storeDir, manyRows.slice(0, 5));
    const doubt = "catalog/shop.jsonl: contains only 5 of 10 rows of kind product";
    await until(async () => server.log().includes(doubt), "the doubt is logged");
    await edit(storeDir, manyRows.slice(0, 8));
    await until(async () => server.log().includes("contains only 8 of 10"), "the other doubt is logged");
    assert.deepEqual(await titles(server.origin, ["p0", "p5", "p9"]), ["P0", "P5", "P9"]);
    await writeFile(file, fullText.replace('"P9"', '"Last"'));
    await untilTitles(server, { p0: "P0", p9: "Last" });

    await edit(storeDir, manyRows.slice(0, 5));
    await until(async () => server.log().split(doubt).length === 3, "the doubt is logged again");
    const pruned = await runCommand({ storeDir, env: {} }, "import", "--prune", file);
    assert.equal(pruned.code, 0, pruned.err);
    await untilTitles(server, { p0: "P0", p4: "P4", p5: undefined, p9: undefined });
    await edit(storeDir, [{ ...manyRows[0], title: "First" } as RowJson, ...manyRows.slice(1, 5)]);
    await untilTitles(server, { p0: "First", p9: undefined });
    await stopServer(server);
    await rm(storeDir, { recursive: true });
  });

  test("a missing or empty folder or file is no edit, in the smallest store too", async () => {
    const tracked = product(4, "anchor", "Anchor", [{ id: 41, price: 400, inventory_quantity: 5 }]);
    const storeDir = await makeStore({ rows: [tracked, rope], storeFiles: { "catalog/more.jsonl": toJsonl([oar]) } });
    const [catalog, aside] = [join(storeDir, "catalog"), join(storeDir, "aside")];
    const server = await serve(storeDir, "export LOG_LEVEL=warn");
    const token = await createApiToken({ storeDir, env: {} }, "stock:write");
    const adjust = (by: number): Promise<number> =>
      fetch(`${server.origin}/admin/stock`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ variant_id: "41", adjust: by }),
      })
        .then((reply) => reply.json() as Promise<{ readonly lines: readonly { readonly quantity: number }[] }>)
        .then(({ lines }) => lines[0]?.quantity ?? Number.NaN);
    assert.equal(await adjust(-3), 2);

    const staysAfter = async (change: () => Promise<unknown>, sign: string, times = 1): Promise<void> => {
      await change();
      await until(async () => server.log().split(sign).length > times, `the log says "${sign}"`);
      assert.deepEqual(await titles(server.origin, ["anchor", "rope", "oar"]), ["Anchor", "Rope", "Oar"]);
    };
    const stay = "catalog/shop.jsonl is missing or empty: its 2 rows stay in the shop";
    await staysAfter(() => rename(catalog, aside), stay);
    await staysAfter(() => symlink("catalog", catalog), "importing edits of the catalog failed");
    await rm(catalog);
    await writeFile(catalog, "a file in place of the folder");
    await setTimeout(1_500);
    await rm(catalog);
    await mkdir(catalog);
    await staysAfter(() => writeFile(join(catalog, "shop.jsonl"), "\n"), stay, 2);
    await rename(join(aside, "more.jsonl"), join(catalog, "more.jsonl"));
    await edit(storeDir, [tracked, { ...rope, title: "Hemp Rope" }]);
    await untilTitles(server, { anchor: "Anchor", rope: "Hemp Rope", oar: "Oar" });
    assert.equal(await adjust(0), 2, "what was sold stays sold");

    // The row is removed on purpose, and then restored.
    await edit(storeDir, [rope]);
    await untilTitles(server, { anchor: undefined, rope: "Rope" });
    await edit(storeDir, [rope, tracked]);
    await untilTitles(server, { anchor: "Anchor" });
    assert.equal(await adjust(0), 2, "a product that comes back has the stock that was counted");
    await stopServer(server);
    await rm(storeDir, { recursive: true });
  });

  test("a renamed file is no edit, and its rows are deleted under the new name", async () => {
    const storeDir = await makeStore({ rows: [rope, oar] });
    const server = await serve(storeDir, "export LOG_LEVEL=warn");
    const moved = join(storeDir, "catalog", "products.jsonl");
    await rename(join(storeDir, "catalog", "shop.jsonl"), moved);
    await writeFile(moved, toJsonl([{ ...rope, title: "Hemp Rope" }, oar]));
    await untilTitles(server, { rope: "Hemp Rope", oar: "Oar" });
    await writeFile(moved, toJsonl([{ ...rope, title: "Hemp Rope" }]));
    await untilTitles(server, { rope: "Hemp Rope", oar: undefined });
    assert.doesNotMatch(server.log(), /missing|was rejected/);
    await stopServer(server);
    await rm(storeDir, { recursive: true });
  });

  test("an edit between an import and the first start is imported", async () => {
    const storeDir = await makeStore({ rows: [rope, oar] });
    const imported = await runCommand({ storeDir, env: {} }, "import", "catalog/shop.jsonl");
    assert.equal(imported.code, 0, imported.err);
    await edit(storeDir, [{ ...rope, title: "Hemp Rope" }, raft]);
    const server = await openShop(storeDir);
    await untilTitles(server, { rope: "Hemp Rope", oar: undefined, raft: "Raft" });
    await server.close();
    await rm(storeDir, { recursive: true });
  });

  test("a folder created after the first start is imported", async () => {
    const storeDir = await makeStore({ rows: [rope, oar] });
    await rename(join(storeDir, "catalog"), join(storeDir, "aside"));
    const server = await openShop(storeDir);
    await rename(join(storeDir, "aside"), join(storeDir, "catalog"));
    await untilTitles(server, { rope: "Rope", oar: "Oar" });
    await server.close();
    await rm(storeDir, { recursive: true });
  });
});
