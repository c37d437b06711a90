import assert from "node:assert/strict";
import { test } from "node:test";
import { readFiles, readProducts } from "../../read-files.fixture.ts";
import type { RowError } from "../../row-errors.ts";

const describe = ({ line, field, message }: RowError): string => `${line} ${field} ${message}`;

test("a feed may use any prefix for the namespaces of Google and Atom", async () => {
  // Python's ElementTree names namespaces in this way.
  const item = "<ns1:id>T</ns1:id><ns0:title>Tee</ns0:title><ns1:price>9.00 EUR</ns1:price><ns2:price>1</ns2:price>";
  const products = await readProducts(
    "feed.xml",
    `<ns0:feed xmlns:ns0="http://www.w3.org/2005/Atom" xmlns:ns1="http://base.google.com/ns/1.0" xmlns:ns2="urn:x"><ns0:entry>${item}</ns0:entry></ns0:feed>`,
  );
  assert.deepEqual(
    products.map(({ title, variants }) => [title, variants[0]?.sku, variants[0]?.price]),
    [["Tee", "T", 900]],
  );
});

test("additional images of a feed may be separated by commas, and contain commas", async () => {
  const links = "https://a.test/w_40,h_40/1.jpg, https://a.test/2.jpg,//a.test/3.jpg,";
  const texts = {
    "feed.tsv": `id\ttitle\tlink\tprice\tadditional_image_link\nM\tMug\thttps://a.test/mug\t9 EUR\t${links}\n`,
    "feed.xml": `<rss><channel><item><g:id>M</g:id><title>Mug</title><g:price>9 EUR</g:price><g:additional_image_link>${links}</g:additional_image_link></item></channel></rss>`,
  };
  for (const [name, text] of Object.entries(texts)) {
    const images = (await readProducts(name, text)).flatMap((product) => product.images.map(({ src }) => src));
    assert.deepEqual(images, ["https://a.test/w_40,h_40/1.jpg", "https://a.test/2.jpg", "//a.test/3.jpg"], name);
  }
});

test("dates of a sale in a feed without a zone are in the time zone of the shop", async () => {
  const header = "id\ttitle\tlink\tprice\tsale_price\tsale_price_effective_date\n";
  const periods = ["2026-07-01/2026-07-02", "2026-07-01T00:00/2026-07-02T23:59", "2026-07-01T00:00Z/2026-07-02T23:59Z"];
  const rows = periods.map((period, index) => `${index}a\tMug ${index}\t\t9 EUR\t5 EUR\t${period}\n`);
  const pricesAt = async (time: string): Promise<readonly number[]> => {
    const options = { timezone: "America/New_York", now: Date.parse(time) };
    const products = await readProducts("feed.tsv", header + rows.join(""), options);
    return products.flatMap(({ variants }) => variants.map(({ price }) => price));
  };

  assert.deepEqual(await pricesAt("2026-07-01T00:00:00Z"), [900, 900, 500]);
  assert.deepEqual(await pricesAt("2026-07-01T04:00:00Z"), [500, 500, 500]);
  assert.deepEqual(await pricesAt("2026-07-03T03:59:30Z"), [500, 500, 900]);
  assert.deepEqual(await pricesAt("2026-07-03T04:00:00Z"), [900, 900, 900]);
});

test("a discontinued product of a feed has no stock", async () => {
  const [mug] = await readProducts(
    "feed.tsv",
    "id\ttitle\tlink\tprice\tavailability\nM\tMug\thttps://a.test/mug\t9 EUR\tdiscontinued\n",
  );
  assert.equal(mug?.variants[0]?.inventoryQuantity, 0);
});

test("weights and unit prices are read, and those that Google cannot use are ignored with a warning, as it does", async () => {
  const lines = [
    "id\ttitle\tlink\tprice\tshipping_weight\tunit_pricing_measure\tunit_pricing_base_measure",
    "M\tMug\t\t9 EUR\t0.5\t1 ct\t1 ct",
    "N\tCup\t\t9 EUR\t0.5 kg\t1 liter\t",
    "O\tOil\t\t9 EUR\t\t750ml\t100 ml",
    "P\tRug\t\t9 EUR\t\t1,5 sqm\t",
    "Q\tTea\t\t9 EUR\t\t250 g\t1 l",
  ];
  const { acceptedRows, rejectedRows, convertedValues } = await readFiles([["feed.tsv", `${lines.join("\n")}\n`]]);
  assert.deepEqual(rejectedRows, []);
  assert.deepEqual(
    acceptedRows.flatMap((row) =>
      row.kind === "product" ? row.variants.map(({ grams, unitPriceMeasure }) => unitPriceMeasure ?? grams) : [],
    ),
    [
      0,
      500,
      { quantity: { value: 750, unit: "ml" }, reference: { value: 100, unit: "ml" } },
      { quantity: { value: 1.5, unit: "m2" }, reference: { value: 1, unit: "m2" } },
      0,
    ],
  );
  assert.deepEqual(convertedValues.map(describe), [
    '2 shipping_weight is not a number and a unit, such as "1.5 kg": ignored',
    '3 unit_pricing_measure is not a number and a unit, such as "750 ml": ignored',
    "6 unit_pricing_base_measure is not an amount in a unit of the same kind as unit_pricing_measure: ignored",
  ]);
});

test("a barcode that a spreadsheet rounded is ignored with a warning", async () => {
  const text = "id,title,link,price,gtin\nM,Mug,,9 EUR,8.80609E+12\nC,Cup,,9 EUR,'4006381333931\n";
  const { acceptedRows, convertedValues } = await readFiles([["feed.csv", text]]);
  assert.deepEqual(
    acceptedRows.flatMap((row) => (row.kind === "product" ? row.variants.map(({ barcode }) => barcode) : [])),
    [undefined, "4006381333931"],
  );
  assert.deepEqual(convertedValues.map(describe), [
    "2 gtin is a number that a spreadsheet rounded, so digits are lost: ignored",
  ]);
});

test("an error of a feed in one line names the item", async () => {
  const items = ["M", "N"].map((id) => `<item><g:id>${id}</g:id><title>Mug</title><g:price>free</g:price></item>`);
  const untitled = "<item><g:id>O</g:id><g:price>9 EUR</g:price></item>";
  const text = `<rss><channel>${items.join("")}${untitled}</channel></rss>`;
  const { acceptedRows, rejectedRows } = await readFiles([["feed.xml", text]]);
  assert.deepEqual(acceptedRows, []);
  const messages = rejectedRows.map(describe);
  assert.deepEqual(messages.slice(2), ["1 title is required (item O)"]);
  for (const [index, id] of ["M", "N"].entries())
    assert.match(messages[index] ?? "", new RegExp(`^1 g:price "free" is not an amount .*\\(item ${id}\\)$`));
});
