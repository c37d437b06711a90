import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Row } from "../catalog/catalog.ts";
import { localize } from "../catalog/localize.ts";
import type { Product } from "../catalog/product.ts";
import { formatRow } from "../catalog/rows/format-row.ts";
import { parseRow, readRow } from "../catalog/rows/parse-row.ts";
import { readPackedProduct } from "../catalog/rows/read-packed-product.ts";
import { isAvailable } from "../catalog/stock.ts";
import { readFiles } from "./read-files.fixture.ts";
import { describeRowError } from "./row-errors.ts";

const header =
  "Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Grams," +
  "Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Price,Variant Compare At Price," +
  "Image Src,Image Position,Image Alt Text,Variant Image,Status,Google Shopping / MPN";

const csv = `${header}
coat,Raincoat,"<p>Two
lines, ""quoted""</p>",Ansty,Rainwear,"rain, coat,rain",TRUE,Size,S,RC-S,900,shopify,3,deny,120.5,150.00,b.png,2,Back,,active,x
coat,,,,,,,,M,RC-M,910,shopify,-2,continue,120.50,0,a.png,1,Front,m.png,,
coat,,,,,,,,,,,,,,,,c.png,3,,,,
mug,Mug,,Ansty,,,true,Title,Default Title,,,,,,4,,,,,,draft,
`;

test("a Shopify export yields products: options, stock, money, images in order, unlisted ones unpublished", async () => {
  const { rows, errors } = await read("export.csv", csv, "USD");
  assert.deepEqual(errors, []);
  const [coat, mug] = rows as Product[];
  assert.equal(coat?.description, '<p>Two\nlines, "quoted"</p>');
  assert.deepEqual(coat?.tags, ["rain", "coat"]);
  assert.deepEqual(coat?.options, ["Size"]);
  assert.deepEqual(
    coat?.variants.map(({ title, price, compareAtPrice, inventoryQuantity, inventoryPolicy, grams, image }) => [
      title,
      price,
      compareAtPrice,
      inventoryQuantity,
      inventoryPolicy,
      grams,
      image,
    ]),
    [
      ["S", 12_050, 15_000, 3, "deny", 900, undefined],
      ["M", 12_050, undefined, -2, "continue", 910, "m.png"],
    ],
  );
  assert.deepEqual(
    coat?.images.map(({ src, alt }) => [src, alt]),
    [
      ["a.png", "Front"],
      ["b.png", "Back"],
      ["c.png", undefined],
      ["m.png", undefined],
    ],
  );
  assert.deepEqual(
    [mug?.options, mug?.variants[0]?.title, mug?.variants[0]?.inventoryQuantity, mug?.published],
    [[], "Default Title", undefined, false],
  );
});

test("a Shopify row with tracked stock but no quantity is sold out, with a warning", async () => {
  const csvWithoutQuantities = csv
    .replace("shopify,3,deny", "shopify,,deny")
    .replace("shopify,-2,continue", "shopify,,continue");
  const { rows, errors, notes } = await read("uncounted.csv", csvWithoutQuantities, "USD");
  const [coat, mug] = rows as Product[];
  assert.deepEqual(
    [...(coat?.variants ?? []), ...(mug?.variants ?? [])].map((variant) => [
      variant.inventoryQuantity,
      isAvailable(variant),
    ]),
    [
      [0, false],
      [0, true],
      [undefined, true],
    ],
  );
  assert.deepEqual(errors, []);
  assert.deepEqual(notes, [
    "uncounted.csv:2: Variant Inventory Qty: is empty, but stock is tracked: imported as 0 (sold out)",
  ]);
});

test("a second import of a CSV yields the same ids, despite other changes", async () => {
  const ids = (rows: readonly Row[]) =>
    (rows as Product[]).map(({ id, variants }) => [id, variants.map((variant) => variant.id)]);
  const firstImport = await read("first.csv", csv, "USD");
  const secondImport = await read("second.csv", csv.replace("Raincoat", "Oilskin").replace("RC-S", "NEW"), "KWD");
  assert.deepEqual(ids(secondImport.rows), ids(firstImport.rows));
  assert.equal((secondImport.rows[0] as Product).variants[0]?.price, 120_500);
  for (const [id, variants] of ids(firstImport.rows)) {
    for (const numericId of [id, ...(variants ?? [])].flat())
      assert.ok(Number.isSafeInteger(Number(numericId)) && Number(numericId) > 0);
  }
});

test("errors of a CSV contain the line of their row, after cells with several lines", async () => {
  const invalidCsv = csv
    .replace("120.50,0", '"1,205",0')
    .replace(",,4,,,", ",,4.999,,,")
    .replace("true,Title", "maybe,Title");
  const { errors } = await read("bad.csv", invalidCsv, "USD");
  assert.deepEqual(
    errors.map((error) => error.split(": ").slice(0, 2).join(": ")),
    ["bad.csv:4: Variant Price", "bad.csv:6: Published", "bad.csv:6: Variant Price"],
  );
  const unclosedQuote = await read("unclosed.csv", `${csv}cap,"Cap\n`, "USD");
  assert.match(unclosedQuote.errors.join("\n"), /^unclosed\.csv:7: is not CSV: a quoted cell/);
  const otherTable = await read("other.csv", "name,price\n", "USD");
  assert.match(
    otherTable.errors.join("\n"),
    /other\.csv:1: is not in a known format .* its columns are name, price; Shopify's .* also needs/,
  );
});

test("a JSON file contains a list or one row; errors contain the lines of items", async () => {
  const page = (handle: string, fields = "") => `{ "handle": "${handle}", "title": "[ \\" {" ${fields}}`;
  const text = `\n[\n  ${page("a")},\n  ${page("b", ',\n "content": 1')},\n\n ${page("c")}, 7\n]`;
  const { rows, errors } = await read("pages.json", text, "USD");
  assert.deepEqual(
    rows.map((row) => "handle" in row && row.handle),
    ["a", "c"],
  );
  assert.deepEqual(errors, ["pages.json:4: content: must be a string", "pages.json:7: a page must be an object { … }"]);
  assert.equal((await read("pages.json", page("one"), "USD")).rows.length, 1);
  assert.match((await read("pages.json", "[\n1,\n2,,\n]", "USD")).errors.join(), /^pages\.json:3: is not JSON/);
  assert.equal((await read("pages.jsonl", `\uFEFF${page("bom")}\r\n\r\n${page("two")}`, "USD")).rows.length, 2);
});

test("the template of a product is read from an export's column and from rows of each kind with pages", async () => {
  const { rows, errors } = await read(
    "export.csv",
    "Handle,Title,Variant Price,Template Suffix\nmug,Mug,4,pre-order\ncup,Cup,3,\n",
    "USD",
  );
  assert.deepEqual(errors, []);
  assert.deepEqual(
    rows.map((row) => (row as Product).templateSuffix),
    ["pre-order", undefined],
  );
  const fields: Readonly<Record<string, string>> = {
    collections: "",
    pages: "",
    articles: ',"blog":"news"',
  };
  for (const [kind, unexpectedFields] of Object.entries(fields)) {
    const row = (suffix: string): string =>
      `{"handle":"a","title":"A"${unexpectedFields},"template_suffix":"${suffix}"}`;
    const [firstImport] = (await read(`${kind}.jsonl`, row("wide"), "USD")).rows;
    assert.equal((firstImport as Product | undefined)?.templateSuffix, "wide", kind);
    assert.match(formatRow(firstImport as Product), /"template_suffix":"wide"/);
    const [error] = (await read(`${kind}.jsonl`, row("../wide"), "USD")).errors;
    assert.match(String(error), /must be the part of a file name after the type/);
  }
});

test("a written row is read back unchanged", () => {
  const text = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
    .map((letter) => `x${letter.replaceAll("\0", "")}x`);
  const row = fc.record(
    {
      kind: fc.constant("product"),
      id: fc.oneof(fc.integer({ min: 1, max: 2 ** 53 - 1 }), fc.constantFrom("007", "gid-1", "9007199254740993")),
      handle: fc.constantFrom("a", "ü", "雨"),
      title: text,
      vendor: text,
      product_type: text,
      tags: fc.array(text, { maxLength: 3 }),
      images: fc.constantFrom([], [{ src: "/a.jpg", alt: "A", width: 3 }, { src: "b.jpg" }]),
      media: fc.constantFrom([], [{ src: "/a.mp4", alt: "A", poster: "p.jpg", width: 3, height: 2 }]),
      created_at: fc.constantFrom("2026-07-01", "2026-07-01T10:00:00Z"),
      updated_at: fc.constantFrom("2026-07-02", ""),
      description: fc.string(),
      published: fc.boolean(),
      popularity: fc.double({ min: 0, max: 1, noNaN: true }),
      variants: fc.tuple(
        fc.record(
          {
            price: fc.nat(),
            title: text,
            sku: text,
            barcode: text,
            compare_at_price: fc.nat(),
            inventory_quantity: fc.integer({ min: -9, max: 9 }),
            inventory_policy: fc.constantFrom("deny", "continue", null),
            requires_shipping: fc.boolean(),
            taxable: fc.boolean(),
            grams: fc.nat(1_000_000),
            weight_unit: fc.constantFrom("g", "kg", "lb", "oz"),
            cost: fc.nat(),
            unit_price_measure: fc.constantFrom(
              { quantity: { value: 750, unit: "ml" }, reference: { value: 1, unit: "l" } },
              null,
            ),
            quantity_rule: fc.constantFrom({ min: 2, max: 8, increment: 2 }, { min: 1 }, null),
          },
          { requiredKeys: ["price"] },
        ),
      ),
      requires_customer: fc.boolean(),
      gift_card: fc.boolean(),
      category: text,
      template_suffix: fc.constantFrom("wide", "pre-order", ""),
      seo: fc.record({ title: text, description: text }, { requiredKeys: [] }),
      metafields: fc.dictionary(fc.constantFrom("a", "b"), fc.jsonValue()),
      translations: fc.constantFrom({ fr: { title: "Corde", options: [], seo: { title: "Corde à linge" } } }, {}),
    },
    { requiredKeys: ["kind", "handle", "title", "variants"] },
  );
  fc.assert(
    fc.property(row, (json) => {
      fc.pre(!json.description?.includes("\0") && json.description?.isWellFormed() !== false);
      const parsed = parseRow(JSON.parse(JSON.stringify(json)), undefined, (field, message) =>
        assert.fail(`${field}: ${message}`),
      );
      assert.ok(parsed !== undefined);
      const formattedRow = formatRow(parsed);
      assert.deepEqual(readRow("product", formattedRow), parsed);
      assert.equal(formatRow(readRow("product", formattedRow)), formattedRow);
      assert.deepEqual(readPackedProduct(formattedRow), parsed);
      assert.equal(formatRow(readPackedProduct(formattedRow)), formattedRow);
    }),
  );
});

test("a product in another language has its texts, options and values, and the default ones where missing", () => {
  const json = {
    handle: "coat",
    title: "Coat",
    product_type: "Coats",
    options: ["Colour"],
    variants: [
      { price: 1, option1: "Red" },
      { price: 1, option1: "Blue", title: "The blue one" },
    ],
    translations: {
      fr: { title: "Manteau", body: "<p>Sec</p>", options: ["Couleur"], option_values: { Red: "Rouge" } },
    },
  };
  const coat = parseRow(json, "product", (field, message) => assert.fail(`${field}: ${message}`)) as Product;
  const french = localize(coat, "fr");
  assert.deepEqual(
    [french.title, french.description, french.productType, french.options],
    ["Manteau", "<p>Sec</p>", "Coats", ["Couleur"]],
  );
  assert.deepEqual(
    french.variants.map(({ title, options }) => [title, options]),
    [
      ["Rouge", ["Rouge"]],
      ["The blue one", ["Blue"]],
    ],
  );
  assert.equal(localize(coat, "ja"), coat);
  assert.equal(localize(coat, "constructor"), coat);
});

async function read(
  name: string,
  text: string,
  currency: string,
): Promise<{ readonly rows: readonly Row[]; readonly errors: readonly string[]; readonly notes: readonly string[] }> {
  const { acceptedRows: rows, rejectedRows, convertedValues } = await readFiles([[name, text]], { currency });
  return { rows, errors: rejectedRows.map(describeRowError), notes: convertedValues.map(describeRowError) };
}

test("dates of an export are read in each of its formats; others are dropped", async () => {
  const datedCsv = csv
    .split("\n")
    .map((line, index) => (index === 0 ? `${line},Created At,Published At,Updated At` : line))
    .join("\n")
    .replace(",,active,x", ",,active,x,2024-05-01 10:00:00 +0200,2024-05-02T00:00:00Z,yesterday");
  const { rows, errors } = await read("dated.csv", datedCsv, "USD");
  assert.deepEqual(errors, []);
  const [coat] = rows.filter((row) => row.kind === "product");
  assert.deepEqual(
    [coat?.createdAt, coat?.publishedAt, coat?.updatedAt],
    ["2024-05-01T10:00:00+02:00", "2024-05-02T00:00:00Z", undefined],
  );
});
