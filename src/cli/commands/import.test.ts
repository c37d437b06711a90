import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { emptyCart } from "../../cart/cart.ts";
import { createCartStore } from "../../storage/cart-store.ts";
import { takeCatalogLease } from "../../storage/catalog/lease.ts";
import { openStore } from "../store-database.ts";
import { run as runExport } from "./export.ts";
import { makeStore, readRevision, readRows, runCommand, writeRows } from "./import.fixture.ts";
import { run as runImport } from "./import.ts";
import { run as runInit } from "./init.ts";

test("every error of a catalog is reported with its line, and nothing is imported", async () => {
  const store = await makeStore("faults");
  const validProduct = { kind: "product", handle: "rope", title: "Rope", variants: [{ id: 1, price: 100 }] };
  // Lines of the file, each with the expected error.
  const lines: readonly (readonly [unknown, RegExp | undefined])[] = [
    [validProduct, undefined],
    ["{ not json", /is not JSON/],
    [{ ...validProduct, handle: "rope" }, /handle: "rope" is also used on line 1/],
    [
      { ...validProduct, handle: "a", id: 5, variants: [{ id: 1, price: 1 }] },
      /variants\[0\]\.id: variant id 1 is also used/,
    ],
    [{ ...validProduct, handle: "b", variants: [{}] }, /variants\[0\]\.price: is required/],
    [{ ...validProduct, handle: "c", variants: [{ price: -1 }] }, /variants\[0\]\.price: must be a whole number/],
    [{ ...validProduct, handle: "d", variants: [{ price: 19.99 }] }, /variants\[0\]\.price: must be a whole number/],
    [
      { ...validProduct, handle: "e", options: ["Size"], variants: [{ price: 1 }] },
      /has 0 values, but the product has 1/,
    ],
    [
      { ...validProduct, handle: "f", options: ["A", "A"], variants: [{ price: 1, options: ["x", "y"] }] },
      /names one option twice/,
    ],
    [
      {
        ...validProduct,
        handle: "g",
        options: ["A"],
        variants: [
          { price: 1, option1: "x" },
          { price: 1, option1: "x" },
        ],
      },
      /occurs twice/,
    ],
    [{ ...validProduct, handle: "h", variants: [] }, /variants: is required/],
    [
      { ...validProduct, handle: "s", variants: [{ price: 1 }, { price: 2 }] },
      /variants\[1\]\.id: is also the id of another variant/,
    ],
    [{ ...validProduct, handle: 'i"j' }, /handle: must have .* no spaces, .* any of \/ \\ \? # % " < >/],
    [{ ...validProduct, handle: "k", colour: "red" }, /colour: is not a field of a product/],
    [{ ...validProduct, handle: "l", popularity: 2 }, /popularity: must be a number from 0 to 1/],
    [{ ...validProduct, handle: "m", id: 2 ** 53 }, /id: must be a whole number/],
    [{ ...validProduct, handle: "n", published: "yes" }, /published: must be true or false/],
    [{ ...validProduct, handle: "o", title: "NUL\0" }, /title: contains invalid characters/],
    [{ kind: "gadget", handle: "p" }, /kind: must be one of/],
    [{ handle: "q" }, /kind: is required/],
    [[1, 2], /must be an object/],
    [
      { kind: "collection", handle: "r", title: "R", products: ["nothing"] },
      /products\[0\]: there is no product "nothing"/,
    ],
    [
      { kind: "collection", handle: "s", title: "S", products: ["rope"], rules: { tag: "x" } },
      /either rules or products/,
    ],
    [{ kind: "bundle", handle: "t", name: "T", type: "box", products: ["rope"] }, /type: must be/],
    [{ kind: "bundle", handle: "u", name: "U", type: "box_builder", products: ["gone"] }, /there is no product "gone"/],
    [
      { kind: "article", handle: "v", title: "V", blog: "news", published_at: "2026-02-30" },
      /published_at: must be a date/,
    ],
    [{ kind: "article", handle: "w", title: "W" }, /blog: is required/],
    [
      {
        ...{ kind: "discount", code: "Y", value_type: "buy_x_get_y", products: ["rope"], get: { quantity: 1 } },
        buy: { quantity: 1, products: ["rope", "gone"] },
      },
      /buy\.products\[1\]: there is no product "gone"/,
    ],
    [{ kind: "discount", code: "X", value_type: "percentage", value: 120 }, /value: must be a number from 0 to 100/],
    [
      {
        kind: "discount",
        code: "Y",
        value_type: "percentage",
        value: 1,
        starts_at: "2026-02-01",
        ends_at: "2026-01-01",
      },
      /ends_at: must be after starts_at/,
    ],
    [
      { kind: "discount", code: "Z", value_type: "percentage", value: 1, collections: ["gone"] },
      /no collection "gone"/,
    ],
    [{ kind: "gift_card", code: "G" }, /balance: is required/],
    [{ kind: "customer", store_credit: -5, email: "a@example.test" }, /store_credit: must be/],
  ];
  const text = lines.map(([line]) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  // The file is UTF-8 except for its last line. The line before it is ignored.
  await writeFile(
    join(store, "all.jsonl"),
    Buffer.concat([Buffer.from(`${text}\n// né, été\n`), Buffer.from([0x22, 0xff, 0x22])]),
  );
  const { code, stderr } = await runCommand(runImport, store, ["all.jsonl"]);
  assert.equal(code, 1);
  const messages = stderr.split("\n");
  for (const [index, [, expected]] of lines.entries()) {
    const lineMessages = messages.filter((line) => line.startsWith(`all.jsonl:${index + 1}: `));
    if (expected === undefined) assert.deepEqual(lineMessages, []);
    else
      assert.ok(
        lineMessages.some((line) => expected.test(line)),
        `line ${index + 1}: ${expected} in ${lineMessages.join("; ")}`,
      );
  }
  assert.ok(messages.includes(`all.jsonl:${lines.length + 2}: is not UTF-8 text: save the file as UTF-8`));
  assert.match(stderr, /Nothing was imported/);
  assert.equal(await readRevision(store), 0);
});

test("errors after the first hundred are counted", async () => {
  const store = await makeStore("many-faults");
  await writeFile(join(store, "products.jsonl"), "{}\n".repeat(200));
  const { code, stderr } = await runCommand(runImport, store, ["products.jsonl"]);
  assert.equal(code, 1);
  assert.equal(stderr.match(/^products\.jsonl:/gm)?.length, 100);
  assert.match(stderr, /… and 500 more\./);
});

test("invalid usage exits with 2, a missing file with 1", async () => {
  const store = await makeStore("usage");
  assert.equal((await runCommand(runImport, store, [])).code, 2);
  assert.equal((await runCommand(runImport, store, ["--what"])).code, 2);
  assert.equal((await runCommand(runExport, store, ["file"])).code, 2);
  assert.match((await runCommand(runImport, store, ["--help"])).stdout, /^Usage: vitrine import/);
  const missingFileResult = await runCommand(runImport, store, ["none.jsonl"]);
  assert.equal(missingFileResult.code, 1);
  assert.match(missingFileResult.stderr, /none\.jsonl: cannot be read/);
  await writeFile(join(store, "list.doc"), "");
  assert.match((await runCommand(runImport, store, ["list.doc"])).stderr, /list\.doc: must end in \.jsonl, .*\.csv/);
});

test("an export is imported unchanged", async () => {
  const store = await makeStore("round-trip");
  const catalog = join(import.meta.dirname, "../../../examples/harbour-outfitters/catalog");
  assert.equal((await runCommand(runImport, store, [catalog])).code, 0);
  assert.equal((await runCommand(runExport, store, ["--out", "first"])).code, 0);
  const secondStore = await makeStore("round-trip-again");
  assert.equal((await runCommand(runImport, secondStore, [join(store, "first")])).code, 0);
  assert.equal((await runCommand(runExport, secondStore, ["--out", "second"])).code, 0);
  const files = await readdir(join(store, "first"));
  assert.deepEqual(await readdir(join(secondStore, "second")), files);
  assert.ok(files.length >= 8 && files.every((file) => file.endsWith(".jsonl")));
  for (const file of files) {
    const text = await readFile(join(store, "first", file), "utf8");
    assert.equal(await readFile(join(secondStore, "second", file), "utf8"), text);
  }
  assert.match((await runCommand(runImport, store, ["first"])).stdout, / 0 new or changed, 0 removed/);
  const { stdout } = await runCommand(runExport, store, []);
  assert.equal(stdout.trim().split("\n").length, (await readRows(store)).length);
});

test("an export replaces the files of a store with its catalog, with the policies in their own file", async () => {
  const store = join(await makeStore("replaced"), "shop");
  assert.equal((await runCommand(runInit, ".", [store])).code, 0);
  await writeFile(join(store, "catalog/boots.jsonl"), "\n");
  const names = (await readdir(join(store, "catalog"))).sort();
  await assert.rejects(
    runCommand(runExport, store, ["--out", "catalog"]),
    /has no catalog yet, so nothing was written/,
  );
  assert.deepEqual((await readdir(join(store, "catalog"))).sort(), names);
  assert.equal((await runCommand(runImport, store, ["catalog"])).code, 0);
  const { stderr } = await runCommand(runExport, store, ["--out", "catalog"]);
  assert.match(stderr, /also contains boots\.jsonl, .* Remove /);
  assert.deepEqual((await readdir(join(store, "catalog"))).sort(), names);
  assert.match((await runCommand(runImport, store, ["catalog"])).stdout, / 0 new or changed, 0 removed/);
});

test("rows are replaced by id, --prune removes missing rows of the imported kinds, --dry-run changes nothing", async () => {
  const store = await makeStore("prune");
  const product = (id: number, title: string) => ({
    kind: "product",
    id,
    handle: `p${id}`,
    title,
    variants: [{ price: 1 }],
  });
  await writeRows(store, "all.jsonl", [
    product(1, "One"),
    product(2, "Two"),
    { kind: "page", handle: "about", title: "About" },
  ]);
  await runCommand(runImport, store, ["all.jsonl"]);
  await writeRows(store, "some.jsonl", [product(2, "Two again")]);
  assert.match(
    (await runCommand(runImport, store, ["some.jsonl", "--prune", "--dry-run"])).stdout,
    /^Checked 1 product; 1 would be new or changed, 1 would be removed\.$/m,
  );
  assert.equal(await readRevision(store), 1);
  assert.match((await runCommand(runImport, store, ["some.jsonl"])).stdout, /1 new or changed, 0 removed/);
  assert.match((await runCommand(runImport, store, ["some.jsonl", "--prune"])).stdout, /0 new or changed, 1 removed/);
  const remainingRows = (await readRows(store)).map(
    ({ kind, json }) => `${kind} ${(JSON.parse(json) as { title: string }).title}`,
  );
  assert.deepEqual(remainingRows, ["product Two again", "page About"]);
  await writeRows(store, "back.jsonl", [product(1, "One is back")]);
  await runCommand(runImport, store, ["back.jsonl"]);
  assert.equal((await readRows(store)).length, 3);
});

test("--prune with an export whose categories become collections keeps the merchant's collections and their products", async () => {
  const store = await makeStore("prune-made");
  const wooCsv = (...names: readonly string[]): string =>
    `ID,Type,Name,Regular price,Categories\n${names.map((name, index) => `${index + 1},simple,${name},9,${name}s\n`).join("")}`;
  await writeFile(join(store, "woo.csv"), wooCsv("Rope", "Sail"));
  await runCommand(runImport, store, ["woo.csv"]);
  const renamedCollection = { kind: "collection", handle: "ropes", title: "Ropes and lines", rules: { tag: "Ropes" } };
  await writeRows(store, "own.jsonl", [renamedCollection, { ...renamedCollection, handle: "own", title: "Own" }]);
  assert.equal((await runCommand(runImport, store, ["own.jsonl"])).code, 0);
  await writeFile(join(store, "woo.csv"), wooCsv("Rope", "Buoy"));
  const { stdout, stderr } = await runCommand(runImport, store, ["woo.csv", "--prune"]);
  assert.match(stdout, /2 new or changed, 0 removed/, stderr);
  const titles = (await readRows(store)).map(
    ({ kind, json }) => `${kind} ${(JSON.parse(json) as { title: string }).title}`,
  );
  assert.deepEqual(titles.toSorted(), [
    "collection Buoys",
    "collection Own",
    "collection Ropes and lines",
    "collection Sails",
    "product Buoy",
    "product Rope",
  ]);
});

test("a row cannot use another row's handle or variant, and a deletion cannot leave a dangling reference", async () => {
  const store = await makeStore("clash");
  const rope = { kind: "product", id: 1, handle: "rope", title: "Rope", variants: [{ id: 7, price: 1 }] };
  await writeRows(store, "all.jsonl", [rope, { kind: "collection", handle: "all", title: "All", products: ["rope"] }]);
  await runCommand(runImport, store, ["all.jsonl"]);
  await writeRows(store, "clash.jsonl", [{ ...rope, id: 2 }]);
  const { stderr } = await runCommand(runImport, store, ["clash.jsonl"]);
  assert.match(stderr, /clash\.jsonl:1: handle: "rope" is already used by the product 1 in the store/);
  assert.match(stderr, /clash\.jsonl:1: variants: variant id 7 is already used/);
  await writeRows(store, "products.jsonl", []);
  const pruneResult = await runCommand(runImport, store, ["products.jsonl", "--prune"]);
  assert.match(pruneResult.stderr, /the store: collection all: products\[0\]: there is no product "rope"/);
  assert.equal((await readRows(store)).length, 2);
});

test("only one import runs at a time, and the remains of a killed one are removed", async () => {
  const store = await makeStore("lease");
  await writeRows(store, "products.jsonl", [{ handle: "rope", title: "Rope", variants: [{ price: 1 }] }]);
  const { database } = await openStore(store);
  const lease = await takeCatalogLease(database, "other");
  const insertRow = `INSERT INTO catalog_rows (kind, id, revision, position, deleted, handle, variant_ids, data)
    VALUES ('product', 'x', 1, 1, 0, 'x', '', '{}')`;
  await database.write([{ sql: insertRow, params: [] }]);
  await assert.rejects(runCommand(runImport, store, ["products.jsonl"]), /another import or export is running/);
  await lease.release();
  await database.close();
  assert.equal((await runCommand(runImport, store, ["products.jsonl"])).code, 0);
  assert.deepEqual(
    (await readRows(store)).map((row) => row.handle),
    ["rope"],
  );
});

test("cart writes succeed during an import", async () => {
  const store = await makeStore("beside");
  const products = Array.from({ length: 4_000 }, (_, n) => ({
    handle: `p${n}`,
    title: `P${n}`,
    variants: [{ price: n }],
  }));
  await writeRows(store, "products.jsonl", products);
  const { database } = await openStore(store);
  const carts = createCartStore(database, "one");
  let isDone = false;
  const cartWrites = (async () => {
    let revision = 0;
    for (; !isDone; revision += 1) {
      const cart = { ...emptyCart, id: "c", checkoutId: "cc", revision };
      assert.equal(await carts.save(cart, { ...cart, revision: revision + 1 }, { now: revision }), "saved");
    }
    return revision;
  })();
  assert.equal((await runCommand(runImport, store, ["products.jsonl"])).code, 0);
  isDone = true;
  const revisions = await cartWrites;
  assert.equal((await carts.find("c"))?.revision, revisions);
  await database.close();
});
