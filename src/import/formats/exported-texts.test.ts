import assert from "node:assert/strict";
import { test } from "node:test";
import { readFiles, readProducts } from "../read-files.fixture.ts";

test("a numeric SKU of a Shopify export is imported without the apostrophe before it", async () => {
  const [mug] = await readProducts("export.csv", "Handle,Title,Variant SKU,Variant Price\nmug,Mug,'016,4\n");
  assert.equal(mug?.variants[0]?.sku, "016");
});

test("products that Shopify's Search & Discovery recommends are imported as lists", async () => {
  const namespace = "shopify--discovery--product_recommendation";
  const [mug] = await readProducts(
    "export.csv",
    `Handle,Title,Variant Price,Related products (product.metafields.${namespace}.related_products),Related products settings (product.metafields.${namespace}.related_products_display),Metafield: custom.set [list.product_reference]\nmug,Mug,4,cup; jug,only manual,"cup, [x]"\n`,
  );
  const list = (...value: string[]) => ({ type: "list.product_reference", value });
  assert.deepEqual(mug?.metafields, {
    [namespace]: { related_products: list("cup", "jug"), related_products_display: "only manual" },
    custom: { set: list("cup", "[x]") },
  });
});

test("a Shopify unit price is imported unless it is the price of one item", async () => {
  const measure = ["Total Measure", "Total Measure Unit", "Base Measure", "Base Measure Unit"];
  const header = `Handle,Title,Variant Price,${measure.map((name) => `Unit Price ${name}`).join()}`;
  const rows = ["mug,Mug,4,1.0,item,1,item", "eggs,Eggs,3,6.0,item,1,item"];
  const products = await readProducts("export.csv", [header, ...rows].join("\n"));
  assert.deepEqual(
    products.map(({ variants }) => variants[0]?.unitPriceMeasure?.quantity.value),
    [undefined, 6],
  );
});

test("character references are decoded in texts of WooCommerce that are not HTML", async () => {
  const [tea] = await readProducts(
    "woo.csv",
    "ID,Type,SKU,Name,Description,Regular price,Categories,Brands\n1,simple,A&amp;B,Tea &amp; Milk,<p>1 &lt; 2</p>,4,Food &amp; Drink,R&#038;D\n",
  );
  assert.deepEqual(
    [tea?.title, tea?.variants[0]?.sku, tea?.productType, tea?.vendor, tea?.description],
    ["Tea & Milk", "A&B", "Food & Drink", "R&D", "<p>1 &lt; 2</p>"],
  );
});

test("texts of WooCommerce that are shown as plain text lose their tags", async () => {
  const [tea] = await readProducts(
    "woo.csv",
    'ID,Type,SKU,Name,Regular price,Tags,Categories,Attribute 1 name,Attribute 1 value(s),Meta: note\n1,simple,H2O,"Tea <strong>Bio</strong><br />H<sub>2</sub>O, 1 &lt;b&gt;, < 3",4,<i>Hot</i>,Food > <b>Tea</b>,Origin,"<a href=""/nepal"">Nepal</a>",<b>New</b>\n',
  );
  assert.deepEqual(
    [tea?.title, tea?.tags, tea?.metafields],
    [
      "Tea Bio H2O, 1 <b>, < 3",
      ["Hot", "Food", "Food > Tea"],
      { attributes: { origin: "Nepal" }, meta: { note: "<b>New</b>" } },
    ],
  );
});

test("titles of a feed lose their tags", async () => {
  const products = await readProducts(
    "feed.tsv",
    `${feedHeader}\n1\tTea <b>Bio</b><br>100 g &amp; more\thttps://a.example/tea\tin_stock\t<b>Hot</b>\t4.00\n`,
  );
  assert.deepEqual(
    products.map(({ title, description }) => [title, description]),
    [["Tea Bio 100 g & more", "<p><b>Hot</b></p>"]],
  );
});

test("texts that a feed escapes twice are decoded, except in HTML", async () => {
  const items = [
    "<g:title>Anna&amp;#039;s tea &amp;amp; milk</g:title><g:description>&amp;lt;!--StartFragment --&amp;gt;Hot&amp;nbsp;tea &amp;amp; milk</g:description>",
    "<g:title>Rope</g:title><g:description>&lt;p>1 &amp;lt; 2&lt;/p></g:description>",
  ].map((item, index) => `<item><g:id>${index}</g:id><g:price>4 EUR</g:price>${item}</item>`);
  const products = await readProducts(
    "feed.xml",
    `<rss xmlns:g="http://base.google.com/ns/1.0"><channel>${items.join("")}</channel></rss>`,
  );
  assert.deepEqual(
    products.map(({ title, description }) => [title, description]),
    [
      ["Anna's tea & milk", "<p>Hot\u00a0tea &amp; milk</p>"],
      ["Rope", "<p>1 &lt; 2</p>"],
    ],
  );
});

const feedHeader = "id\ttitle\tlink\tavailability\tdescription\tprice";

test("the text of a feed loses its comments, and keeps what only looks like one", async () => {
  const [mug] = await readProducts(
    "feed.tsv",
    `${feedHeader}\n1\tMug <!-- a -- b -->blue<!---->\thttps://a.example/mug\tin_stock\t1 --> 2 <!-- <!-- x --> 3 <!--\t4.00\n`,
  );
  assert.deepEqual([mug?.title, mug?.description], ["Mug blue", "<p>1 --&gt; 2  3 &lt;!--</p>"]);
});

test("very long texts of feeds and exports are read in linear time", async () => {
  const startUsage = process.cpuUsage();
  for (const [description, price] of [
    ["<A".repeat(150_000), "4.00"],
    ["<!--".repeat(75_000), "4.00"],
    ["Mug", `x${" ".repeat(300_000)}x`],
  ] as const)
    await readFiles([
      ["feed.tsv", `${feedHeader}\n1\tMug\thttps://a.example/mug\tin_stock\t${description}\t${price}\n`],
    ]);
  const separators = ",".repeat(150_000);
  await readFiles([
    ["export.csv", `Handle,Title,Variant Price,Image Src\nmug,Mug,4,"https://a.example/1.png${separators}x"\n`],
  ]);
  await readFiles([["export.csv", `${"Currency code,".repeat(20_000)}Notes\n1\n`]]);
  const { user, system } = process.cpuUsage(startUsage);
  // A pattern that rescans the text for each character would take minutes.
  assert.ok(user + system < 5_000_000);
});
