import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { command, makeStore, rows, write } from "./verbs/import.fixture.ts";
import { run as runImport } from "./verbs/import.ts";

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

const coat = {
  kind: "product",
  id: 1,
  handle: "coat",
  title: "Coat",
  description: "<p>Dry.</p>",
  tags: ["rain"],
  images: [{ src: "coat.png" }],
  options: ["Size"],
  variants: [
    { id: 11, options: ["S"], sku: "C-S", price: 100, inventory_quantity: 5 },
    { id: 12, options: ["M"], sku: "C-M", price: 110, compare_at_price: 150 },
  ],
  translations: { fr: { title: "Manteau" }, ja: { title: "コート" } },
};

/** The stored row of the coat, as it is exported. */
async function storedCoat(store: string): Promise<Readonly<Record<string, unknown>>> {
  const found = (await rows(store)).find(({ kind, id }) => kind === "product" && id === "1");
  return JSON.parse(found?.json ?? "{}") as Readonly<Record<string, unknown>>;
}

test("an import tells which fields are gone because rows do not name them, a dry run before it", async () => {
  const store = await makeStore("losses");
  await write(store, "products.jsonl", [
    coat,
    { ...coat, id: 2, handle: "cape", variants: [{ id: 21, options: ["S"], price: 1 }] },
  ]);
  assert.equal((await command(runImport, store, ["products.jsonl"])).stderr, "");
  const [{ sku: _, ...small }, medium] = coat.variants as [Readonly<Record<string, unknown>>, object];
  const less = { id: 1, handle: "coat", title: "Coat", options: ["Size"], variants: [small, medium] };
  await write(store, "less.jsonl", [
    { kind: "product", ...less },
    {
      kind: "product",
      id: 2,
      handle: "cape",
      title: "Cape",
      tags: ["rain"],
      options: ["Size"],
      variants: [{ id: 21, options: ["S"], price: 1 }],
    },
  ]);
  const told = (is: string): string =>
    [
      `warning: description ${is} gone where rows do not name it: 2 rows, the first less.jsonl:1`,
      `warning: images ${is} gone where rows do not name it: 2 rows, the first less.jsonl:1`,
      `warning: translations ${is} gone where rows do not name it: 2 rows, the first less.jsonl:1`,
      `warning: tags ${is} gone where rows do not name it: less.jsonl:1`,
      `warning: variants.sku ${is} gone where rows do not name it: less.jsonl:1`,
      'A row replaces all of the one before it. With "--patch" rows change only the fields they name.\n',
    ].join("\n");
  const dry = await command(runImport, store, ["less.jsonl", "--dry-run"]);
  assert.deepEqual([dry.code, dry.stderr], [0, told("would be")]);
  const done = await command(runImport, store, ["less.jsonl"]);
  assert.deepEqual([done.code, done.stderr], [0, told("is")]);
  assert.equal((await command(runImport, store, ["less.jsonl"])).stderr, "");
});

test("with --patch rows change only the fields they name, and variants only those they name", async () => {
  const store = await makeStore("patch");
  await write(store, "products.jsonl", [coat]);
  await command(runImport, store, ["products.jsonl"]);
  const before = await storedCoat(store);
  await write(store, "patch.jsonl", [
    {
      kind: "product",
      handle: "coat",
      tags: null,
      vendor: "Norrland",
      variants: [
        { sku: "C-S", price: 90 },
        { options: ["M"], compare_at_price: null },
        { id: 13, option1: "L", price: 120 },
      ],
      translations: { fr: { title: "Imper" } },
    },
  ]);
  const { code, stdout, stderr } = await command(runImport, store, ["patch.jsonl", "--patch"]);
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, /1 new or changed, 0 removed/);
  const { tags: _, ...kept } = before;
  const [small] = coat.variants;
  assert.deepEqual(await storedCoat(store), {
    ...kept,
    vendor: "Norrland",
    variants: [
      { ...small, price: 90 },
      { id: 12, options: ["M"], sku: "C-M", price: 110 },
      { id: 13, options: ["L"], price: 120 },
    ],
    translations: { fr: { title: "Imper" }, ja: { title: "コート" } },
  });
  assert.match((await command(runImport, store, ["patch.jsonl", "--patch"])).stdout, /0 new or changed/);
});

test("a patch of what is not there, of a CSV, or beside --prune is refused", async () => {
  const store = await makeStore("patch-refused");
  await write(store, "products.jsonl", [coat]);
  await command(runImport, store, ["products.jsonl"]);
  await write(store, "patch.jsonl", [
    { kind: "product", handle: "coat", title: "" },
    { kind: "product", handle: "cape", title: "Cape" },
    { kind: "product", id: 7, title: "Cape" },
    { kind: "gadget", handle: "coat" },
  ]);
  const { code, stderr } = await command(runImport, store, ["patch.jsonl", "--patch"]);
  assert.equal(code, 1);
  for (const fault of [
    "patch.jsonl:1: title: is required",
    'patch.jsonl:2: there is no product "cape" in the store to be changed: import it without --patch',
    'patch.jsonl:3: there is no product "7" in the store to be changed: import it without --patch',
    "patch.jsonl:4: kind: must be one of",
  ])
    assert.ok(stderr.includes(fault), stderr);
  assert.equal((await storedCoat(store)).title, "Coat");
  await writeFile(join(store, "rope.csv"), "Handle,Title,Variant Price\nrope,Rope,1\n");
  const csv = await command(runImport, store, ["rope.csv", "--patch"]);
  assert.match(csv.stderr, /rope\.csv: a row of a Shopify export names all of its fields: import it without --patch/);
  assert.equal((await command(runImport, store, ["patch.jsonl", "--patch", "--prune"])).code, 2);
});

test("an import tells of tracked stock without a quantity, the first ten and how many more", async () => {
  const store = await makeStore("quantities");
  const header =
    "Handle,Title,Variant Price,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy\n";
  const rows = Array.from({ length: 12 }, (_, n) => `rope-${n},Rope,1,shopify,,deny\n`).join("");
  await writeFile(join(store, "export.csv"), header + rows);
  const { code, stdout, stderr } = await command(runImport, store, ["export.csv"]);
  const lines = stderr.trim().split("\n");
  assert.deepEqual([code, lines.length], [0, 11]);
  assert.equal(
    lines[0],
    "warning: export.csv:2: Variant Inventory Qty: is empty where stock is tracked: taken as 0, which is sold out",
  );
  assert.equal(lines[10], "… and 2 more of these.");
  assert.match(stdout, /^Imported 12 products; 12 new or changed/);
});
