import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readCatalog } from "../../read-catalog.ts";
import type { RowError } from "../../row-errors.ts";

test("a feed may use any prefix for the namespaces of Google and Atom", async (t) => {
  const dir = await mkdtemp(join(tmpdir(), "vitrine-feed-"));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const path = join(dir, "feed.xml");
  // Python's ElementTree names namespaces in this way.
  const item = "<ns1:id>T</ns1:id><ns0:title>Tee</ns0:title><ns1:price>9.00 EUR</ns1:price><ns2:price>1</ns2:price>";
  await writeFile(
    path,
    `<ns0:feed xmlns:ns0="http://www.w3.org/2005/Atom" xmlns:ns1="http://base.google.com/ns/1.0" xmlns:ns2="urn:x"><ns0:entry>${item}</ns0:entry></ns0:feed>`,
  );
  const products: unknown[] = [];
  const onError = (error: object): void => assert.fail(JSON.stringify(error));
  for await (const { row } of readCatalog([{ path, name: "feed.xml" }], { currency: "EUR", onError }))
    if (row.kind === "product") products.push([row.title, row.variants[0]?.sku, row.variants[0]?.price]);
  assert.deepEqual(products, [["Tee", "T", 900]]);
});

test("additional images of a feed may be separated by commas, and contain commas", async (t) => {
  const dir = await mkdtemp(join(tmpdir(), "vitrine-feed-images-"));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const links = "https://a.test/w_40,h_40/1.jpg, https://a.test/2.jpg,//a.test/3.jpg,";
  const texts = {
    "feed.tsv": `id\ttitle\tlink\tprice\tadditional_image_link\nM\tMug\thttps://a.test/mug\t9 EUR\t${links}\n`,
    "feed.xml": `<rss><channel><item><g:id>M</g:id><title>Mug</title><g:price>9 EUR</g:price><g:additional_image_link>${links}</g:additional_image_link></item></channel></rss>`,
  };
  for (const [name, text] of Object.entries(texts)) {
    const path = join(dir, name);
    await writeFile(path, text);
    const images: string[] = [];
    const onError = (error: object): void => assert.fail(JSON.stringify(error));
    for await (const { row } of readCatalog([{ path, name }], { currency: "EUR", onError }))
      if (row.kind === "product") images.push(...row.images.map(({ src }) => src));
    assert.deepEqual(images, ["https://a.test/w_40,h_40/1.jpg", "https://a.test/2.jpg", "//a.test/3.jpg"], name);
  }
});

test("dates of a sale in a feed without a zone are in the time zone of the shop", async (t) => {
  const dir = await mkdtemp(join(tmpdir(), "vitrine-feed-sale-"));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const path = join(dir, "feed.tsv");
  const pricesAt = async (time: string): Promise<readonly number[]> => {
    const prices: number[] = [];
    const options = { currency: "EUR", timezone: "America/New_York", now: Date.parse(time) };
    const onError = (error: object): void => assert.fail(JSON.stringify(error));
    for await (const { row } of readCatalog([{ path, name: "feed.tsv" }], { ...options, onError }))
      if (row.kind === "product") prices.push(...row.variants.map(({ price }) => price));
    return prices;
  };
  const header = "id\ttitle\tlink\tprice\tsale_price\tsale_price_effective_date\n";
  const periods = ["2026-07-01/2026-07-02", "2026-07-01T00:00/2026-07-02T23:59", "2026-07-01T00:00Z/2026-07-02T23:59Z"];
  const rows = periods.map((period, index) => `${index}a\tMug ${index}\t\t9 EUR\t5 EUR\t${period}\n`);
  await writeFile(path, header + rows.join(""));

  assert.deepEqual(await pricesAt("2026-07-01T00:00:00Z"), [900, 900, 500]);
  assert.deepEqual(await pricesAt("2026-07-01T04:00:00Z"), [500, 500, 500]);
  assert.deepEqual(await pricesAt("2026-07-03T03:59:30Z"), [500, 500, 900]);
  assert.deepEqual(await pricesAt("2026-07-03T04:00:00Z"), [900, 900, 900]);
});

test("a discontinued product of a feed has no stock", async (t) => {
  const dir = await mkdtemp(join(tmpdir(), "vitrine-feed-stock-"));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const path = join(dir, "feed.tsv");
  await writeFile(path, "id\ttitle\tlink\tprice\tavailability\nM\tMug\thttps://a.test/mug\t9 EUR\tdiscontinued\n");
  const stocks: unknown[] = [];
  const onError = (error: object): void => assert.fail(JSON.stringify(error));
  for await (const { row } of readCatalog([{ path, name: "feed.tsv" }], { currency: "EUR", onError }))
    if (row.kind === "product") stocks.push(row.variants[0]?.inventoryQuantity);
  assert.deepEqual(stocks, [0]);
});

test("weights and unit prices are read, and those that Google cannot use are ignored with a warning, as it does", async (t) => {
  const dir = await mkdtemp(join(tmpdir(), "vitrine-feed-weight-"));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const path = join(dir, "feed.tsv");
  const lines = [
    "id\ttitle\tlink\tprice\tshipping_weight\tunit_pricing_measure\tunit_pricing_base_measure",
    "M\tMug\t\t9 EUR\t0.5\t1 ct\t1 ct",
    "N\tCup\t\t9 EUR\t0.5 kg\t1 liter\t",
    "O\tOil\t\t9 EUR\t\t750ml\t100 ml",
    "P\tRug\t\t9 EUR\t\t1,5 sqm\t",
    "Q\tTea\t\t9 EUR\t\t250 g\t1 l",
  ];
  await writeFile(path, `${lines.join("\n")}\n`);
  const variants: unknown[] = [];
  const notes: string[] = [];
  const onError = (error: object): void => assert.fail(JSON.stringify(error));
  const onNote = ({ line, field, message }: RowError): void => void notes.push(`${line} ${field} ${message}`);
  for await (const { row } of readCatalog([{ path, name: "feed.tsv" }], { currency: "EUR", onError, onNote }))
    if (row.kind === "product")
      for (const { grams, unitPriceMeasure } of row.variants) variants.push(unitPriceMeasure ?? grams);
  assert.deepEqual(variants, [
    0,
    500,
    { quantity: { value: 750, unit: "ml" }, reference: { value: 100, unit: "ml" } },
    { quantity: { value: 1.5, unit: "m2" }, reference: { value: 1, unit: "m2" } },
    0,
  ]);
  assert.deepEqual(notes, [
    '2 shipping_weight is not a number and a unit, such as "1.5 kg": ignored',
    '3 unit_pricing_measure is not a number and a unit, such as "750 ml": ignored',
    "6 unit_pricing_base_measure is not an amount in a unit of the same kind as unit_pricing_measure: ignored",
  ]);
});

test("an error of a feed in one line names the item", async (t) => {
  const dir = await mkdtemp(join(tmpdir(), "vitrine-feed-item-"));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const path = join(dir, "feed.xml");
  const items = ["M", "N"].map((id) => `<item><g:id>${id}</g:id><title>Mug</title><g:price>free</g:price></item>`);
  const untitled = "<item><g:id>O</g:id><g:price>9 EUR</g:price></item>";
  await writeFile(path, `<rss><channel>${items.join("")}${untitled}</channel></rss>`);
  const messages: string[] = [];
  const onError = ({ line, field, message }: RowError): void => void messages.push(`${line} ${field} ${message}`);
  for await (const { row } of readCatalog([{ path, name: "feed.xml" }], { currency: "EUR", onError }))
    assert.fail(row.kind);
  assert.deepEqual(messages.slice(2), ["1 title is required (item O)"]);
  for (const [index, id] of ["M", "N"].entries())
    assert.match(messages[index] ?? "", new RegExp(`^1 g:price "free" is not an amount .*\\(item ${id}\\)$`));
});
