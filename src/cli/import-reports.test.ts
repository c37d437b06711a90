import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { command, makeStore } from "./import.fixture.ts";
import { run as runImport } from "./import.ts";

test("a file that is not UTF-8 is one fault with its line, whatever its kind", async () => {
  const store = await makeStore("encodings");
  const csv = "Handle,Title,Variant Price\nrope,Rope,1\ncafe,Caf\u00e9,2\n";
  const json = '[\n{ "handle": "cafe", "title": "Caf\u00e9", "variants": [{ "price": 1 }] }\n]';
  await writeFile(join(store, "windows.csv"), Buffer.from(csv, "latin1"));
  await writeFile(join(store, "excel.csv"), Buffer.from(`\uFEFF${csv}`, "utf16le"));
  await writeFile(join(store, "products.json"), Buffer.from(json, "latin1"));
  for (const [file, fault] of [
    ["windows.csv", "3: is not UTF-8 text: save the file as UTF-8"],
    ["excel.csv", "1: is not UTF-8 text but UTF-16: save the file as UTF-8"],
    ["products.json", "2: is not UTF-8 text: save the file as UTF-8"],
  ]) {
    const { code, stderr } = await command(runImport, store, [String(file)]);
    const end = "Nothing was imported: 1 fault. Correct the rows and import again.\n";
    assert.deepEqual([code, stderr], [1, `${file}:${fault}\n${end}`]);
  }
});

test("an example of a price is one of the store's currency", async () => {
  const examples = { JPY: "1999", USD: "19.99", KWD: "1.999" };
  for (const [currency, example] of Object.entries(examples)) {
    const store = await makeStore(`price-${currency}`, currency);
    await writeFile(join(store, "rope.csv"), "Handle,Title,Variant Price\nrope,Rope,1.2345\n");
    const { stderr } = await command(runImport, store, ["rope.csv"]);
    assert.ok(stderr.includes(`"1.2345" is not an amount of ${currency}: write it like ${example}, without`), stderr);
  }
});
