import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test } from "node:test";
import { makeStore, runCommand } from "./commands/import.fixture.ts";
import { run as runImport } from "./commands/import.ts";

test("prices without a currency are in the store's, unless the file or an option names another", async () => {
  const store = await makeStore("currencies");
  await writeFile(join(store, "rope.csv"), "Handle,Title,Variant Price\nrope,Rope,1\n");
  const importResult = await runCommand(runImport, store, ["rope.csv", "--currency", "USD"]);
  assert.match(importResult.stderr, /Its prices have no currency: they are imported in USD/);
  await assert.rejects(
    runCommand(runImport, store, ["rope.csv", "--currency", "EUR"]),
    /prices are in EUR, and the store's currency is USD/,
  );
  const terminalStore = await makeStore("asked");
  await writeFile(join(terminalStore, "rope.csv"), "Handle,Title,Variant Price\nrope,Rope,1\n");
  const terminal = Object.assign(Readable.from(["euros\n", "eur\n"]), { isTTY: true });
  const terminalResult = await runCommand(runImport, terminalStore, ["rope.csv"], { stdin: terminal });
  assert.match(
    terminalResult.stderr,
    /rope\.csv has no currency\. Enter the currency of its prices \[USD\]: "EUROS" is not a currency/,
  );
  assert.match(terminalResult.stderr, /they are imported in EUR/);
  assert.match(await readFile(join(terminalStore, "vitrine.config.js"), "utf8"), /currency: "EUR"/);
  const feed = "id\ttitle\tlink\tprice\tavailability\n1\tRope\thttps://a.test/rope\t2.00 EUR\tin_stock\n";
  await writeFile(join(store, "feed.tsv"), feed);
  assert.match(
    (await runCommand(runImport, store, ["feed.tsv"])).stderr,
    /feed\.tsv:2: price: "2\.00 EUR" is an amount of EUR, and the store's currency is USD/,
  );
});

test("an import into a store whose prices are in another currency warns until all products are imported", async () => {
  const store = await makeStore("changed");
  await writeFile(join(store, "rope.csv"), "Handle,Title,Variant Price\nrope,Rope,1\n");
  const importRope = async (...args: readonly string[]) => {
    const { code, stderr } = await runCommand(runImport, store, ["rope.csv", ...args]);
    assert.equal(code, 0, stderr);
    return stderr;
  };
  assert.doesNotMatch(await importRope(), /warning/);
  await writeFile(join(store, "vitrine.config.js"), 'export default { currency: "JPY" };');
  const warning =
    /^warning: the prices in the database are in USD, and the settings have the currency JPY: set "currency" to "USD", or import all products in JPY with "vitrine import --prune"$/m;
  assert.match(await importRope(), warning);
  assert.match(await importRope(), warning);
  assert.doesNotMatch(await importRope("--prune"), warning);
  assert.doesNotMatch(await importRope(), warning);
});
