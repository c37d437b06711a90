import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { openStore } from "../../src/cli/store-database.ts";
import { importFiles } from "../../src/import/import-files.ts";
import { system } from "../../src/system.ts";
import { product, type RowJson } from "../support/catalogue.ts";
import { createClient } from "../support/client.ts";
import { type ServerProcess, serve } from "../support/server-process.ts";
import { makeStore, toJsonl } from "../support/shop.ts";

const rope = product(1, "rope", "Rope", [{ id: 11, price: 100 }]);
const oar = product(2, "oar", "Oar", [{ id: 21, price: 200 }]);
const raft = product(3, "raft", "Raft", [{ id: 31, price: 300 }]);

/** Titles of the products that are sold, by their handles; undefined for those that are not. */
async function titles(origin: string, handles: readonly string[]): Promise<readonly (string | undefined)[]> {
  const client = createClient(origin);
  const found = handles.map(async (handle) => {
    const reply = await client.get(`/products/${handle}.js`);
    return reply.status === 200 ? reply.json<{ readonly title: string }>().title : undefined;
  });
  return Promise.all(found);
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const start = performance.now();
  while (!(await isSo())) {
    assert.ok(performance.now() - start < 40_000, what);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function untilTitles(server: ServerProcess, wanted: Readonly<Record<string, string | undefined>>): Promise<void> {
  const isSo = async (): Promise<boolean> =>
    JSON.stringify(await titles(server.origin, Object.keys(wanted))) === JSON.stringify(Object.values(wanted));
  await until(`the shop shows ${JSON.stringify(wanted)}`, isSo);
}

async function edit(storeDir: string, rows: readonly RowJson[]): Promise<void> {
  await writeFile(join(storeDir, "catalog", "shop.jsonl"), toJsonl(rows));
}

/** `vitrine import` of rows that stand in no file of `catalog/`. */
async function importBeside(storeDir: string, rows: readonly RowJson[]): Promise<void> {
  const path = join(storeDir, "beside.jsonl");
  await writeFile(path, toJsonl(rows));
  const { database } = await openStore(storeDir);
  const { faults } = await importFiles(database, [{ path, name: "beside.jsonl" }], { ...system, currency: "USD" });
  await database.close();
  assert.equal(faults.count, 0);
}

async function stop(server: ServerProcess): Promise<void> {
  server.child.kill("SIGTERM");
  assert.equal((await server.finished).code, 0);
}

// Most of the time they wait for files to be still.
describe("edits of catalog/", { concurrency: true }, () => {
  test("edits of catalog/ show without a restart, also those made while the server was stopped", async () => {
    const storeDir = await makeStore({ rows: [rope, oar] });
    let server = await serve(storeDir);
    await untilTitles(server, { rope: "Rope", oar: "Oar", raft: undefined });
    await edit(storeDir, [{ ...rope, title: "Hemp Rope" }, raft]);
    await untilTitles(server, { rope: "Hemp Rope", oar: undefined, raft: "Raft" });
    await stop(server);
    await edit(storeDir, [{ ...rope, title: "Tarred Rope" }, raft, oar]);
    server = await serve(storeDir);
    await untilTitles(server, { rope: "Tarred Rope", oar: "Oar", raft: "Raft" });
    await stop(server);
    await rm(storeDir, { recursive: true });
  });

  test("an edit of catalog/ leaves alone what was imported beside it", async () => {
    const storeDir = await makeStore({ rows: [rope, oar] });
    const server = await serve(storeDir);
    await importBeside(storeDir, [raft, { ...rope, title: "Rope of the day" }]);
    await edit(storeDir, [rope, { ...oar, title: "Ash Oar" }]);
    await untilTitles(server, { rope: "Rope of the day", oar: "Ash Oar", raft: "Raft" });
    await edit(storeDir, [{ ...oar, title: "Ash Oar" }]);
    await untilTitles(server, { rope: undefined, oar: "Ash Oar", raft: "Raft" });
    await stop(server);
    await rm(storeDir, { recursive: true });
  });

  test("an edit with a fault is not taken, and the log names its line", async () => {
    const storeDir = await makeStore({ rows: [rope, oar] });
    const server = await serve(storeDir, "export LOG_LEVEL=warn");
    const file = join(storeDir, "catalog", "shop.jsonl");
    await writeFile(file, `${JSON.stringify({ ...rope, title: "Hemp Rope" })}\n{ "kind": "product", "handle": "oar"`);
    await until("the fault is told", async () => server.log().includes("was not taken"));
    assert.match(server.log(), /an edit of the catalogue was not taken: catalog\/shop\.jsonl:2: is not JSON/);
    assert.deepEqual(await titles(server.origin, ["rope", "oar"]), ["Rope", "Oar"]);
    await edit(storeDir, [{ ...rope, title: "Hemp Rope" }, oar, { ...raft, handle: "oar" }]);
    await until("the other fault is told", async () => server.log().includes("shop.jsonl:3: handle"));
    await edit(storeDir, [{ ...rope, title: "Hemp Rope" }, oar]);
    await untilTitles(server, { rope: "Hemp Rope", oar: "Oar" });
    await stop(server);
    await rm(storeDir, { recursive: true });
  });

  test("a file of catalog/ that lost most of its rows is taken for half saved", async () => {
    const many = Array.from({ length: 40 }, (_, n) => product(n + 1, `p${n}`, `P${n}`, [{ id: 100 + n, price: n }]));
    const storeDir = await makeStore({ rows: many });
    const server = await serve(storeDir, "export LOG_LEVEL=warn");
    const whole = await readFile(join(storeDir, "catalog", "shop.jsonl"), "utf8");
    await edit(storeDir, many.slice(0, 5));
    await until("the doubt is told", async () => server.log().includes("catalog: holds 5 of 40 rows of kind product"));
    assert.deepEqual(await titles(server.origin, ["p39"]), ["P39"]);
    await writeFile(join(storeDir, "catalog", "shop.jsonl"), whole.replace('"P39"', '"Last"'));
    await untilTitles(server, { p0: "P0", p39: "Last" });
    await stop(server);
    await rm(storeDir, { recursive: true });
  });
});
