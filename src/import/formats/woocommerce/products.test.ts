import assert from "node:assert/strict";
import { test } from "node:test";
import { readFiles, readProducts } from "../../read-files.fixture.ts";

test("dates of a sale in a WooCommerce export are in the time zone of the shop", async () => {
  const header = "ID,Type,Name,Date sale price starts,Date sale price ends,Sale price,Regular price,Categories\n";
  const text = `${header}1,simple,Tee,2026-07-02 0:00:00,2026-07-05 23:59:59,15,20,\n2,simple,Cap,,2026-07-05,5,8,\n`;
  const pricesAt = async (time: string): Promise<readonly number[]> => {
    const products = await readProducts("woo.csv", text, { timezone: "America/New_York", now: Date.parse(time) });
    return products.flatMap(({ variants }) => variants.map(({ price }) => price));
  };

  assert.deepEqual(await pricesAt("2026-07-02T03:59:59Z"), [2000, 500]);
  assert.deepEqual(await pricesAt("2026-07-02T04:00:00Z"), [1500, 500]);
  assert.deepEqual(await pricesAt("2026-07-06T03:59:59Z"), [1500, 500]);
  assert.deepEqual(await pricesAt("2026-07-06T04:00:00Z"), [2000, 800]);
});

test("products of WooCommerce's default category have no product type", async () => {
  const names = ["Uncategorized", "Sem categoria", "Uncategorized, Clothing > Hats"];
  const rows = names.map((name, index) => `${index + 1},simple,Tee ${index + 1},20,"${name}"\n`);
  const text = `ID,Type,Name,Regular price,Categories\n${rows.join("")}`;
  const { acceptedRows, rejectedRows } = await readFiles([["woo.csv", text]]);

  assert.deepEqual(rejectedRows, []);
  assert.deepEqual(
    acceptedRows.flatMap((row) => (row.kind === "product" ? [row.productType] : [])),
    ["", "", "Hats"],
  );
  for (const row of acceptedRows)
    if (row.kind !== "product") assert.match(row.kind === "collection" ? row.title : "", /^(?:Clothing|Hats)$/);
});

test("variations of a WooCommerce product may spell its attributes in lower case or as slugs", async () => {
  const attributeColumns = "Attribute 1 name,Attribute 1 value(s),Attribute 2 name,Attribute 2 value(s)";
  const rows = [
    'variable,S,Shoe,,,Colour,"Red, Blue",Shoe Size,"40, 41"',
    "variation,,Shoe,50,S,colour,Red,shoe-size,40",
    "variation,,Shoe,50,S,colour,Blue,pa_shoe-size,41",
  ];
  const products = await readProducts(
    "woo.csv",
    `Type,SKU,Name,Regular price,Parent,${attributeColumns}\n${rows.join("\n")}\n`,
  );
  assert.deepEqual(
    products.map(({ options, variants }) => [options, ...variants.map((variant) => variant.options)]),
    [
      [
        ["Colour", "Shoe Size"],
        ["Red", "40"],
        ["Blue", "41"],
      ],
    ],
  );
});

test("prices of a WooCommerce export with more decimals than the currency are rounded, unless they are ambiguous", async () => {
  const read = async (prices: readonly string[], currency: string): Promise<readonly (number | string)[]> => {
    const rows = prices.map((price, index) => `simple,S${index},Tee ${index},"${price}"\n`);
    const text = `Type,SKU,Name,Regular price\n${rows.join("")}`;
    const { acceptedRows, rejectedRows } = await readFiles([["woo.csv", text]], { currency });
    return [
      ...rejectedRows.map(({ message }) => message.slice(0, 7)),
      ...acceptedRows.flatMap((row) => (row.kind === "product" ? row.variants.map(({ price }) => price) : [])),
    ];
  };
  assert.deepEqual(
    await read(["20.6612", "0.9999", "20.664", "1.9950", "1.005", "7"], "EUR"),
    [2066, 100, 2066, 200, 101, 700],
  );
  assert.deepEqual(await read(["20,6612", "20,665"], "EUR"), [2066, 2067]);
  assert.deepEqual(await read(["1.999", "5"], "EUR"), ['"1.999"', 500]);
  assert.deepEqual(await read(["1.999", "19,99"], "EUR"), ['"1.999"', 1999]);
  assert.deepEqual(await read(["1,980", "1980.4", "1980.5001"], "JPY"), ['"1980.4', 1980, 1981]);
});
