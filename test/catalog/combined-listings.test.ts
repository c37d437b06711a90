import assert from "node:assert/strict";
import { test } from "node:test";
import type { Product } from "../../src/catalog/product.ts";
import { formatRow } from "../../src/catalog/rows/format-row.ts";
import { parseRow } from "../../src/catalog/rows/parse-row.ts";
import { readPackedProduct } from "../../src/catalog/rows/read-packed-product.ts";
import { readFiles } from "../../src/import/read-files.fixture.ts";
import { product } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";

type Values = readonly (readonly [color: string, size: string, quantity?: number])[];

function shirt(id: number, handle: string, values: Values, fields: object = {}) {
  const variants = values.map(([color, size, inventory_quantity], index) => ({
    id: id * 10 + index,
    price: 100,
    options: [color, size],
    inventory_quantity,
  }));
  return { ...product(id, handle, handle, variants), options: ["Color", "Size"], ...fields };
}

const combined_listing = ["red-shirt", "blue-shirt", "green-shirt", "missing", "hidden-shirt", "mug"];
const rows = [
  shirt(
    2,
    "blue-shirt",
    [
      ["Blue", "M"],
      ["Blue", "L", 0],
    ],
    { combined_listing },
  ),
  shirt(
    1,
    "red-shirt",
    [
      ["Red", "S"],
      ["Red", "M"],
    ],
    {
      combined_listing,
      translations: { fr: { option_values: { Red: "Rouge" } } },
    },
  ),
  shirt(3, "green-shirt", [["Green", "XL"]], {
    combined_listing: combined_listing.filter((handle) => handle !== "green-shirt"),
  }),
  shirt(4, "hidden-shirt", [["Black", "S"]], { published: false }),
  { ...product(5, "mug", "Mug", [{ id: 51, price: 9, options: ["White"] }]), options: ["Color"] },
  shirt(6, "plain-shirt", [["Red", "S"]]),
];
const section =
  "{% for o in product.options_with_values %}{{ o.name }}:{% for v in o.values %} {{ v }}{% if v.selected %}*{% endif %}{% unless v.available %}-{% endunless %}>{{ v.variant.product.handle }}/{{ v.variant.id }}@{{ v.product_url | default: 'none' }}{% endfor %}\n{% endfor %}";
const ids =
  "{% for o in product.options_with_values %}{% for v in o.values %}{{ v }}={{ v.id }} {% endfor %}{% endfor %}";
const shop = startShop({ rows, themeFiles: { "sections/picker.liquid": section, "sections/ids.liquid": ids } });

async function renderPicker(path: string): Promise<readonly string[]> {
  const { text } = await (await shop).client().get(`${path}${path.includes("?") ? "&" : "?"}section_id=picker`);
  return text
    .replace(/^<div[^>]*>|<\/div>$/g, "")
    .trim()
    .split("\n");
}

test("the options of a product have the values of all products of its combined listing", async () => {
  assert.deepEqual(await renderPicker("/products/red-shirt?variant=11"), [
    "Color: Red*>red-shirt/11@/products/red-shirt Blue>blue-shirt/20@/products/blue-shirt Green>green-shirt/30@/products/green-shirt",
    "Size: S>red-shirt/10@/products/red-shirt M*>red-shirt/11@/products/red-shirt L->/@/products/blue-shirt XL->/@/products/green-shirt",
  ]);
  assert.deepEqual(await renderPicker("/products/blue-shirt"), [
    "Color: Red>red-shirt/11@/products/red-shirt Blue*>blue-shirt/20@/products/blue-shirt Green>green-shirt/30@/products/green-shirt",
    "Size: S->/@/products/red-shirt M*>blue-shirt/20@/products/blue-shirt L->blue-shirt/21@/products/blue-shirt XL->/@/products/green-shirt",
  ]);
});

test("values are in the language of the page, and links in its path", async () => {
  const [colors] = await renderPicker("/fr/products/blue-shirt");
  assert.match(colors ?? "", /^Color: Rouge>red-shirt\/11@\/fr\/products\/red-shirt Blue\*/);
});

test("a product without a combined listing has no product_url", async () => {
  assert.deepEqual(await renderPicker("/products/plain-shirt"), [
    "Color: Red*>plain-shirt/60@none",
    "Size: S*>plain-shirt/60@none",
  ]);
});

test("ids of option values select the same values on each product of a listing", async () => {
  const client = (await shop).client();
  const { text } = await client.get("/products/red-shirt?section_id=ids");
  const ids = Object.fromEntries(
    text
      .replace(/^<div[^>]*>|<\/div>$/g, "")
      .trim()
      .split(" ")
      .map((pair) => pair.split("=")),
  );
  const [, sizes] = await renderPicker(`/products/blue-shirt?option_values=${ids.Blue},${ids.L}`);
  assert.match(sizes ?? "", / L\*-/);
});

test("a row keeps its combined listing, and reports an invalid one", () => {
  const row = shirt(1, "red-shirt", [["Red", "S"]], { combined_listing: ["red-shirt", "blue-shirt"] });
  const product = parseRow(row, "product", () => {});
  assert.ok(product?.kind === "product");
  assert.deepEqual(readPackedProduct(formatRow(product)), product);
  const messages: string[] = [];
  const listing = { combined_listing: ["a", "a"], options: [], variants: [{ price: 1 }] };
  parseRow({ ...row, ...listing }, "product", (field, message) => messages.push(`${field} ${message}`));
  assert.deepEqual(messages, [
    "combined_listing needs options, such as a color, to select a product",
    "combined_listing names one product twice",
  ]);
});

test("a combined listing is read from a column of Shopify's export", async () => {
  const header = "Handle,Title,Option1 Name,Option1 Value,Variant Price,Combined Listing";
  const rows = 'red,Red,Color,Red,4,"red, blue"\nblue,Blue,Color,Blue,3,\n';
  const { acceptedRows, rejectedRows, convertedValues } = await readFiles([["export.csv", `${header}\n${rows}`]]);
  assert.deepEqual([...rejectedRows, ...convertedValues], []);
  assert.deepEqual(
    acceptedRows.map((row) => (row as Product).combinedListing),
    [["red", "blue"], undefined],
  );
});
