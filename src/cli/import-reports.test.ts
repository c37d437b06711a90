import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeStore, readRows, runCommand, writeRows } from "./commands/import.fixture.ts";
import { run as runImport } from "./commands/import.ts";

test("a file in Windows-1252 or UTF-16 is read and its encoding reported; an invalid byte in UTF-8 is an error with its line", async () => {
  const store = await makeStore("encodings");
  const csv = "Handle,Title,Variant Price\nrope,Rope,1\ncafe,Caf\u00e9,2\n";
  const json = '[\n{ "handle": "cafe", "title": "Caf\u00e9", "variants": [{ "price": 1 }] }\n]';
  await writeFile(join(store, "windows.csv"), Buffer.from(csv, "latin1"));
  await writeFile(join(store, "excel.csv"), Buffer.from(`\uFEFF${csv}`, "utf16le"));
  await writeFile(join(store, "products.json"), Buffer.from(json, "latin1"));
  for (const [file, expectedText] of [
    [
      "windows.csv",
      /^windows\.csv: Shopify's product export, Windows-1252\.\n {2}It is not UTF-8, so its encoding was guessed: Windows-1252/,
    ],
    ["excel.csv", /^excel\.csv: Shopify's product export, UTF-16\.\n/],
    ["products.json", /^products\.json: catalog rows, Windows-1252\.\n/],
  ] as const) {
    const { code, stderr } = await runCommand(runImport, store, [file]);
    assert.match(stderr, expectedText);
    assert.equal(code, 0);
    const storedRow = (await readRows(store)).find(({ handle }) => handle === "cafe");
    assert.equal((JSON.parse(storedRow?.json ?? "{}") as { title?: string }).title, "Caf\u00e9");
  }
  const mixedEncoding = Buffer.concat([
    Buffer.from(`${csv}tea,Th\u00e9,3\nmate,Mat`),
    Buffer.from([0xe9]),
    Buffer.from(",1\n"),
  ]);
  await writeFile(join(store, "mixed.csv"), mixedEncoding);
  const { code, stderr } = await runCommand(runImport, store, ["mixed.csv"]);
  assert.equal(code, 1);
  assert.match(stderr, /^mixed\.csv:5: is not UTF-8 text: save the file as UTF-8\n/);
  await writeFile(
    join(store, "cyrillic.csv"),
    Buffer.from("Handle,Title,Variant Price\nmir,\u00cc\u00e8\u00f0,1\n", "latin1"),
  );
  assert.match((await runCommand(runImport, store, ["cyrillic.csv"])).stderr, /^cyrillic\.csv: is not UTF-8, UTF-16/);
  const cyrillicImport = await runCommand(runImport, store, ["cyrillic.csv", "--encoding", "windows-1251"]);
  assert.equal(cyrillicImport.code, 0);
  assert.ok(
    (await readRows(store)).some(({ json }) => json.includes("\u041c\u0438\u0440")),
    cyrillicImport.stderr,
  );
});

test("example prices in errors are in the store's currency", async () => {
  const examples = { JPY: "1999", USD: "19.99", KWD: "1.999" };
  for (const [currency, example] of Object.entries(examples)) {
    const store = await makeStore(`price-${currency}`, currency);
    await writeFile(join(store, "rope.csv"), "Handle,Title,Variant Price\nrope,Rope,1.2345\n");
    const { stderr } = await runCommand(runImport, store, ["rope.csv"]);
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

/** Returns the stored row of the coat in export format. */
async function storedCoat(store: string): Promise<Readonly<Record<string, unknown>>> {
  const storedRow = (await readRows(store)).find(({ kind, id }) => kind === "product" && id === "1");
  return JSON.parse(storedRow?.json ?? "{}") as Readonly<Record<string, unknown>>;
}

test("an import and its dry run report fields that are removed because rows omit them", async () => {
  const store = await makeStore("losses");
  await writeRows(store, "products.jsonl", [
    coat,
    { ...coat, id: 2, handle: "cape", variants: [{ id: 21, options: ["S"], price: 1 }] },
  ]);
  assert.equal((await runCommand(runImport, store, ["products.jsonl"])).stderr, "");
  const [{ sku: _, ...smallVariant }, medium] = coat.variants as [Readonly<Record<string, unknown>>, object];
  const reducedCoat = { id: 1, handle: "coat", title: "Coat", options: ["Size"], variants: [smallVariant, medium] };
  await writeRows(store, "less.jsonl", [
    { kind: "product", ...reducedCoat },
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
  const expectedText = (is: string): string =>
    [
      `warning: description ${is} removed from rows that do not contain it: 2 rows, the first less.jsonl:1`,
      `warning: images ${is} removed from rows that do not contain it: 2 rows, the first less.jsonl:1`,
      `warning: translations ${is} removed from rows that do not contain it: 2 rows, the first less.jsonl:1`,
      `warning: tags ${is} removed from rows that do not contain it: less.jsonl:1`,
      `warning: variants.sku ${is} removed from rows that do not contain it: less.jsonl:1`,
      'A row replaces the entire previous row. With "--patch", rows change only the fields that they contain.\n',
    ].join("\n");
  const dryRunResult = await runCommand(runImport, store, ["less.jsonl", "--dry-run"]);
  assert.deepEqual([dryRunResult.code, dryRunResult.stderr], [0, expectedText("would be")]);
  const importResult = await runCommand(runImport, store, ["less.jsonl"]);
  assert.deepEqual([importResult.code, importResult.stderr], [0, expectedText("is")]);
  assert.equal((await runCommand(runImport, store, ["less.jsonl"])).stderr, "");
});

test("with --patch, rows change only the fields that they contain, and variants likewise", async () => {
  const store = await makeStore("patch");
  await writeRows(store, "products.jsonl", [coat]);
  await runCommand(runImport, store, ["products.jsonl"]);
  const storedBefore = await storedCoat(store);
  await writeRows(store, "patch.jsonl", [
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
  const { code, stdout, stderr } = await runCommand(runImport, store, ["patch.jsonl", "--patch"]);
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, /1 new or changed, 0 removed/);
  const { tags: _, ...otherFields } = storedBefore;
  const [smallVariant] = coat.variants;
  assert.deepEqual(await storedCoat(store), {
    ...otherFields,
    vendor: "Norrland",
    variants: [
      { ...smallVariant, price: 90 },
      { id: 12, options: ["M"], sku: "C-M", price: 110 },
      { id: 13, options: ["L"], price: 120 },
    ],
    translations: { fr: { title: "Imper" }, ja: { title: "コート" } },
  });
  assert.match((await runCommand(runImport, store, ["patch.jsonl", "--patch"])).stdout, /0 new or changed/);
});

test("a patch of a missing entry or variant, of a CSV, or with --prune is rejected", async () => {
  const store = await makeStore("patch-refused");
  const scarf = { kind: "product", handle: "scarf", title: "Scarf", variants: [{ id: 21, sku: "S", price: 5 }] };
  await writeRows(store, "products.jsonl", [coat, scarf]);
  await runCommand(runImport, store, ["products.jsonl"]);
  await writeRows(store, "patch.jsonl", [
    { kind: "product", handle: "coat", title: "" },
    { kind: "product", handle: "cape", title: "Cape" },
    { kind: "product", id: 7, title: "Cape" },
    { kind: "gadget", handle: "coat" },
    { kind: "product", handle: "scarf", variants: [{ sku: "mistyped", price: 4 }] },
  ]);
  const { code, stderr } = await runCommand(runImport, store, ["patch.jsonl", "--patch"]);
  assert.equal(code, 1);
  for (const fault of [
    "patch.jsonl:1: title: is required",
    'patch.jsonl:2: the store has no product "cape" to change: import it without --patch',
    'patch.jsonl:3: the store has no product "7" to change: import it without --patch',
    "patch.jsonl:4: kind: must be one of",
    "patch.jsonl:5: variants[0]: identifies no variant of the product: correct its id or SKU",
  ])
    assert.ok(stderr.includes(fault), stderr);
  assert.equal((await storedCoat(store)).title, "Coat");
  await writeFile(join(store, "rope.csv"), "Handle,Title,Variant Price\nrope,Rope,1\n");
  const csv = await runCommand(runImport, store, ["rope.csv", "--patch"]);
  assert.match(csv.stderr, /rope\.csv: exports of other systems contain full rows: import them without --patch/);
  assert.equal((await runCommand(runImport, store, ["patch.jsonl", "--patch", "--prune"])).code, 2);
});

test("a message about many rows is printed once, with their number", async () => {
  const store = await makeStore("quantities");
  const header =
    "Handle,Title,Variant Price,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy\n";
  const rows = Array.from({ length: 12 }, (_, n) => `rope-${n},Rope,1,shopify,,deny\n`).join("");
  await writeFile(join(store, "export.csv"), header + rows);
  const { code, stdout, stderr } = await runCommand(runImport, store, ["export.csv"]);
  assert.equal(code, 0);
  assert.equal(
    stderr.trim().split("\n").at(-1),
    "warning: export.csv:2: Variant Inventory Qty: is empty, but stock is tracked: imported as 0 (sold out) (and in 11 more places)",
  );
  assert.match(stdout, /^Imported 12 products; 12 new or changed/);
});

test("without a quantity column stock is untracked; Shopify's inventory export supplies it, in the same or a later import", async () => {
  const store = await makeStore("inventory");
  const products =
    "Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Inventory Tracker\n" +
    "rope,Rope,Length,10 m,R10,9,shopify\nrope,,,20 m,R20,17,shopify\nmap,Map,Title,Default Title,M,4,shopify\n";
  await writeFile(join(store, "products.csv"), products);
  const counts = (count: number, of = "rope"): string =>
    "Handle,Title,Option1 Name,Option1 Value,SKU,HS Code,COO,Harbour,Quay\n" +
    `${of},Rope,Length,10 m,R10,,,${count},2\n${of},Rope,Length,20 m,changed,,,not stocked,3\n`;
  await writeFile(join(store, "inventory.csv"), counts(5));
  const readStock = async (): Promise<readonly unknown[]> =>
    (await readRows(store)).flatMap(({ json }) =>
      (JSON.parse(json) as { variants: readonly { inventory_quantity?: number }[] }).variants.map(
        ({ inventory_quantity: quantity }) => quantity,
      ),
    );
  const firstImport = await runCommand(runImport, store, ["products.csv"]);
  assert.match(firstImport.stderr, /products\.csv:1: has no column "Variant Inventory Qty": stock is not tracked/);
  assert.deepEqual(await readStock(), [undefined, undefined, undefined]);
  assert.equal((await runCommand(runImport, store, ["inventory.csv"])).code, 0);
  assert.deepEqual(await readStock(), [7, 3, undefined]);
  await writeFile(join(store, "inventory.csv"), counts(1));
  assert.equal((await runCommand(runImport, store, ["products.csv", "inventory.csv"])).code, 0);
  assert.deepEqual(await readStock(), [3, 3, undefined]);
  await writeFile(join(store, "inventory.csv"), counts(1, "rigging"));
  assert.match(
    (await runCommand(runImport, store, ["inventory.csv"])).stderr,
    /inventory\.csv:2: Handle: there is no product "rigging" in the store, nor in these files/,
  );
});

test("--skip-bad imports the valid rows and writes the others with reasons, to be fixed and imported again", async () => {
  const store = await makeStore("skip-bad");
  const csv = "Handle;Title;Variant Price;Colour of the sea\nrope;Rope;1,50;blue\nmap;Map;many;green\ncap;Cap;3;\n";
  await writeFile(join(store, "export.csv"), csv);
  const bundle = { handle: "b", name: "B", type: "frequently_bought_together", products: ["rope", "map"] };
  await writeRows(store, "bundles.jsonl", [bundle, { ...bundle, handle: "c", products: ["rope", "cap"] }]);
  assert.equal((await runCommand(runImport, store, ["export.csv", "bundles.jsonl"])).code, 1);
  assert.deepEqual(await readRows(store), []);
  const { code, stdout, stderr } = await runCommand(runImport, store, ["export.csv", "bundles.jsonl", "--skip-bad"]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Imported 2 products, 1 bundle; 3 new/);
  for (const line of [
    'left out: export.csv:3: Variant Price: "many" is not an amount of USD',
    'left out: bundles.jsonl:1: products[1]: there is no product "map"',
    "1 row was left out: see export-left-out.csv, correct and import it.",
    "Ignored columns, with their number of non-empty rows: Colour of the sea (2).",
    "warning: export.csv:2: Variant Price: has a comma, a sign, or a thousands separator: read as an amount",
  ])
    assert.ok(stderr.includes(line), `${line}\n${stderr}`);
  const rejectedRows = await readFile(join(store, "export-left-out.csv"), "utf8");
  assert.match(
    rejectedRows,
    /^\ufeffHandle;Title;Variant Price;Colour of the sea;Left out because\nmap;Map;many;green;"?line 3: Variant Price/,
  );
  await writeFile(join(store, "export-left-out.csv"), rejectedRows.replace(";many;", ";4;"));
  const secondImport = await runCommand(runImport, store, ["export-left-out.csv", "bundles-left-out.jsonl"]);
  assert.equal(secondImport.code, 0, secondImport.stderr);
  assert.match(secondImport.stdout, /^Imported 1 product, 1 bundle; 2 new/);
  assert.ok(!secondImport.stderr.includes("Left out because"), secondImport.stderr);
  const items = [1, 2, 1, 3].map((id) => `<item><id>${id}</id><title>Knot ${id}</title><price>1 USD</price></item>`);
  await writeFile(join(store, "feed.xml"), `<rss>${items.join("")}</rss>`);
  await writeFile(join(store, "products.json"), '[{"handle":"a","title":"A","variants":[{"price":1}]},{"handle":"b"}]');
  for (const [file, expectedResult] of [
    ["feed.xml", 3],
    ["products.json", 1],
  ] as const) {
    const line = await runCommand(runImport, store, [file, "--skip-bad"]);
    assert.ok(
      line.stdout.startsWith(`Imported ${expectedResult} product`),
      `rows that share a line: ${line.stdout}${line.stderr}`,
    );
    assert.match(line.stderr, /\n1 row was left out: see /);
  }
  const brokenJson = '{ "handle": "d" }\n{ not json\n';
  await writeFile(join(store, "pages.jsonl"), brokenJson);
  await runCommand(runImport, store, ["pages.jsonl", "--skip-bad"]);
  const lines = (await readFile(join(store, "pages-left-out.jsonl"), "utf8")).trim().split("\n");
  assert.deepEqual(
    lines.filter((line) => !line.startsWith("//")),
    brokenJson.trim().split("\n"),
  );
  const missingFileResult = await runCommand(runImport, store, ["missing.csv", "export.csv", "--skip-bad"]);
  assert.deepEqual([missingFileResult.code, missingFileResult.stdout], [1, ""]);
});

test("--skip-bad writes the rejected rows of files with the same name in several folders to several files", async () => {
  const store = await makeStore("skip-bad-folders");
  for (const folder of ["a", "b"]) {
    await mkdir(join(store, folder));
    await writeRows(store, `${folder}/pages.jsonl`, [{ handle: folder }]);
  }
  const { stderr } = await runCommand(runImport, store, ["a/pages.jsonl", "b/pages.jsonl", "--skip-bad"]);
  for (const file of ["pages-left-out.jsonl", "pages-left-out-2.jsonl"])
    assert.ok(stderr.includes(`1 row was left out: see ${file}, correct and import it.`), stderr);
  const secondImport = await runCommand(runImport, store, ["pages-left-out.jsonl", "pages-left-out-2.jsonl"]);
  assert.match(secondImport.stderr, /pages-left-out\.jsonl:2: title: is required/);
  assert.match(secondImport.stderr, /pages-left-out-2\.jsonl:2: title: is required/);
});
