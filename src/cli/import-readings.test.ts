import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { policyHandles } from "../catalog/content.ts";
import { makeStore, readRows, runCommand } from "./commands/import.fixture.ts";
import { run as runImport } from "./commands/import.ts";
import { run as runInit } from "./commands/init.ts";

interface StoredProduct {
  readonly published?: boolean;
  readonly variants: readonly { readonly inventory_quantity?: number; readonly grams?: number }[];
}

/** Imports a file.  @returns the products of the store by handle */
async function importFile(store: string, file: string, text: string) {
  await writeFile(join(store, file), text);
  const { code, stderr } = await runCommand(runImport, store, [file]);
  assert.equal(code, 0, stderr);
  const storedProducts = (await readRows(store)).filter(({ kind }) => kind === "product");
  return {
    stderr,
    products: new Map(storedProducts.map((row) => [row.handle, JSON.parse(row.json) as StoredProduct])),
  };
}

const quantities = (products: ReadonlyMap<string, StoredProduct>, ...handles: readonly string[]) =>
  handles.map((handle) => products.get(handle)?.variants[0]?.inventory_quantity);
const grams = (products: ReadonlyMap<string, StoredProduct>, ...handles: readonly string[]) =>
  handles.map((handle) => products.get(handle)?.variants[0]?.grams);

test("number formats of stock and weights in a Shopify export are detected by column, and a guess is reported", async () => {
  const store = await makeStore("shopify-numbers");
  const header = "Handle,Title,Variant Price,Variant Inventory Qty,Variant Grams\n";
  const shopifyImport = await importFile(
    store,
    "guess.csv",
    `${header}a,A,1,"1,000","1,200"\nb,B,1,2.000,1.500\nc,C,1,12,80\n`,
  );
  assert.deepEqual(quantities(shopifyImport.products, "a", "b", "c"), [1_000, 2_000, 12]);
  assert.deepEqual(grams(shopifyImport.products, "a", "b", "c"), [1_200, 1_500, 80]);
  const warnings = shopifyImport.stderr.match(/^warning: .*Variant Inventory Qty.*$/gm) ?? [];
  assert.equal(warnings.length, 2, shopifyImport.stderr);
  assert.match(warnings[0] ?? "", /"," in numbers such as 1,000 is read as a thousands separator: 1000/);

  const decimalImport = await importFile(
    store,
    "decimal.csv",
    `${header}a,A,1,"1,000","1,200"\nb,B,1,"0,000","80,5"\nc,C,1,1.250,9\n`,
  );
  assert.deepEqual(quantities(decimalImport.products, "a", "b", "c"), [1, 0, 1_250]);
  assert.deepEqual(grams(decimalImport.products, "a", "b", "c"), [1.2, 80.5, 9]);
  const lateImport = await importFile(store, "late.csv", `${header}a,A,1,2.000,1\nb,B,1,3.0,1\n`);
  assert.deepEqual(quantities(lateImport.products, "a", "b"), [2, 3]);
});

test("stock of Shopify's inventory export and of WooCommerce is read likewise, and weights by their unit", async () => {
  const store = await makeStore("other-numbers");
  await importFile(store, "products.csv", "Handle,Title,Variant Price\nrope,Rope,1\nmast,Mast,1\n");
  const header = "Handle,Title,Option1 Name,Option1 Value,SKU,HS Code,COO,Location,On hand (current),Committed\n";
  const stock = `${header}rope,Rope,Title,Default Title,,,,Here,"1,000",1\nmast,Mast,Title,Default Title,,,,Here,2.000,0\n`;
  const { products } = await importFile(store, "inventory.csv", stock);
  assert.deepEqual(quantities(products, "rope", "mast"), [999, 2_000]);

  const woo = await makeStore("woo-numbers");
  const text =
    'ID,Type,SKU,Name,Published,Stock,Weight (kg),Regular price\n1,simple,A,Anchor,1,"1,000","1,200",5\n2,simple,B,Buoy,1,3,1.250,5\n';
  const wooImport = await importFile(woo, "woo.csv", text);
  assert.deepEqual(quantities(wooImport.products, "anchor", "buoy"), [1_000, 3]);
  assert.deepEqual(grams(wooImport.products, "anchor", "buoy"), [1_200, 1_250]);
  assert.match(wooImport.stderr, /Weight \(kg\): "," in numbers such as 1,000 is read as the decimal sign: 1/);

  const feed = await makeStore("feed-numbers");
  const items =
    "id\ttitle\tlink\tprice\tavailability\tquantity\tshipping_weight\n1\tRope\thttps://a.test/rope\t2.00 USD\tin_stock\t1,000\t1,200 g\n2\tMast\thttps://a.test/mast\t2.00 USD\tin_stock\t2\t1,200 kg\n";
  const feedImport = await importFile(feed, "feed.tsv", items);
  assert.deepEqual(quantities(feedImport.products, "rope", "mast"), [1_000, 2]);
  assert.deepEqual(grams(feedImport.products, "rope", "mast"), [1_200, 1_200]);
});

test("rows of WooCommerce without a price are imported as unpublished, with a warning", async () => {
  const store = await makeStore("woo-prices");
  const header = "ID,Type,SKU,Name,Published,Regular price,Parent,Attribute 1 name,Attribute 1 value(s)\n";
  const lines = [
    "1,simple,A,Anchor,1,,,,",
    "2,simple,B,Buoy,1,5,,,",
    '3,variable,C,Cap,1,,,Size,"S, M"',
    "4,variation,,Cap,1,7,C,Size,S",
    "5,variation,,Cap,1,,C,Size,M",
    "6,variable,D,Dinghy,1,,,Size,S",
    "7,variation,,Dinghy,1,,D,Size,S",
    "8,simple,E,Ensign,1,0,,,",
  ];
  const { products, stderr } = await importFile(store, "woo.csv", `${header}${lines.join("\n")}\n`);
  const summaries = [...products].map(([handle, { published, variants }]) => [
    handle,
    published ?? true,
    variants.length,
  ]);
  assert.deepEqual(
    new Set(summaries.map(String)),
    new Set(["anchor,false,1", "buoy,true,1", "cap,true,1", "dinghy,false,1", "ensign,true,1"]),
  );
  assert.match(
    stderr,
    /warning: woo\.csv:2: Regular price: is empty: the product is not published \(and in 1 more place\)/,
  );
  assert.match(stderr, /warning: woo\.csv:6: Regular price: is empty: the variation is not imported/);
});

test("a wrong currency is reported on one line, for any number of rows", async () => {
  const store = await makeStore("currency");
  const lines = Array.from({ length: 250 }, (_, n) => `p${n},P ${n},${n + 1}.00 EUR,${n + 2}.00 EUR`);
  await writeFile(join(store, "a.csv"), `Handle,Title,Variant Price,Variant Compare At Price\n${lines.join("\n")}\n`);
  const { code, stderr } = await runCommand(runImport, store, ["a.csv"]);
  assert.equal(code, 1);
  assert.equal(
    stderr,
    `a.csv:2: Variant Price: "1.00 EUR" is an amount of EUR, and the store's currency is USD: correct it, or set "currency" in vitrine.config.ts (and in 499 more places)
Nothing was imported: 1 error. Correct it and import again, or leave such rows out with --skip-bad.
`,
  );
});

test("ignored prices of markets are reported by market, apart from other ignored columns", async () => {
  const store = await makeStore("markets");
  const columns = ["Price / Canada", "Compare At Price / Canada", "Included / Canada", "Price / Rest of World"];
  const text = `Handle,Title,Variant Price,${columns.join(",")},Colour\nrope,Rope,1,2,3,TRUE,4,blue\n`;
  const { stderr } = await importFile(store, "a.csv", text);
  assert.match(
    stderr,
    / {2}Ignored columns, with their number of non-empty rows: Colour \(1\)\.\n {2}Ignored prices of markets: Canada, Rest of World\. To import those of one market, use --market\.\n/,
  );
});

test("gift cards of a Shopify export are imported as unpublished, with a warning", async () => {
  const store = await makeStore("gift-cards");
  const text = "Handle,Title,Variant Price,Gift Card\ncard,Gift card,10,TRUE\nrope,Rope,1,FALSE\n";
  const { products, stderr } = await importFile(store, "a.csv", text);
  assert.deepEqual([products.get("card")?.published, products.get("rope")?.published], [false, undefined]);
  assert.match(stderr, /warning: a\.csv:2: Gift Card: is TRUE, but Vitrine does not issue gift card codes/);
});

test("--prune removes example products of a new store, but no policies and no page about the shop", async () => {
  for (const isChanged of [false, true]) {
    const store = join(await makeStore("outer"), "shop");
    assert.equal((await runCommand(runInit, ".", [store])).code, 0);
    assert.equal((await runCommand(runImport, store, ["catalog"])).code, 0);
    const page = { kind: "page", handle: "about", title: "About us", content: "<p>We make rope.</p>" };
    await writeFile(join(store, "more.jsonl"), JSON.stringify({ ...page, ...(isChanged ? {} : { handle: "terms" }) }));
    assert.equal((await runCommand(runImport, store, ["more.jsonl"])).code, 0);
    await writeFile(join(store, "export.csv"), "Handle,Title,Variant Price\nrope,Rope,1\n");
    const pruneResult = await runCommand(runImport, store, ["export.csv", "--prune"]);
    assert.equal(pruneResult.code, 0, pruneResult.stderr);
    const remainingRows = (await readRows(store)).map(({ kind, handle }) => `${kind} ${handle}`).sort();
    const policies = policyHandles
      .filter((handle) => handle !== "subscription-policy")
      .map((handle) => `page ${handle}`);
    const pages = isChanged ? ["page about"] : ["page about", "page terms"];
    assert.deepEqual(remainingRows, [...policies, ...pages, "product rope"].sort());
  }
});
