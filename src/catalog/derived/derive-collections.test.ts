import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { Row } from "../catalog.ts";
import { packCatalog } from "../packed/pack-base.ts";
import { openCatalog } from "../packed/packed-catalog.ts";
import { formatRow } from "../rows/format-row.ts";
import { isHandle } from "../rows/identity.ts";
import { parseRow } from "../rows/parse-row.ts";
import { addDerivedCollections, deriveCollections } from "./derive-collections.ts";

type ProductData = readonly (readonly [type: string, vendor: string, ...tags: string[]])[];

function shopOf(productData: ProductData) {
  const rows = productData.map(([product_type, vendor, ...tags], position) => {
    const value = {
      handle: `p${position}`,
      title: "P",
      product_type,
      vendor,
      tags: tags.filter((tag) => tag !== ""),
      variants: [{ price: 1 }],
    };
    const row = parseRow(value, "product", (field, message) => assert.fail(`${field} ${message}`)) as Row;
    return { kind: "product" as const, position, isDeleted: false, json: formatRow(row) };
  });
  const bytes = rows.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);
  const source = {
    revision: 1,
    size: { rows: rows.length, bytes },
    rows: (kinds: readonly string[]) => (kinds.includes("product") ? rows : []),
  };
  const catalog = openCatalog(packCatalog(source, () => {}, { locales: ["en"], metafields: [] }));
  const collections = deriveCollections(catalog, { allProducts: new Map([["en", "All"]]) });
  return { collections, catalogWithCollections: addDerivedCollections(catalog, collections) };
}

const titles = (productData: ProductData): readonly string[] =>
  shopOf(productData).collections.map(({ collection: { handle, title } }) => `${handle} ${title}`);

test("derived collections have the last path segment as name, in one spelling, distinct where names collide", () => {
  assert.deepEqual(titles([]), []);
  assert.deepEqual(titles([["A", "V"]]), ["all All"]);
  assert.deepEqual(
    titles([
      ["Home > Mugs", "Kiln"],
      ["Home > Mugs", "Kiln"],
      ["Garden > Pots", "Wheel"],
      ["Garden > Pots", "Wheel"],
      ["Kitchen > Pots", "Uncategorized"],
      ["Kitchen > Pots", "Uncategorized"],
    ]),
    ["all All", "garden-pots Garden › Pots", "mugs Mugs", "kitchen-pots Kitchen › Pots", "kiln Kiln", "wheel Wheel"],
  );
  const collidingTitles = titles([
    ["Types", "Ñ-1"],
    ["types", "Ñ-1"],
    ["Tea", "N 1"],
    ["tea", "N 1"],
    ["tea!", ""],
    ["tea!", ""],
  ]);
  assert.equal(new Set(collidingTitles.map((title) => title.split(" ")[0])).size, collidingTitles.length);
  assert.ok(
    collidingTitles.some((title) => /^types-type-\d{4} Types$/.test(title)),
    collidingTitles.join(),
  );
});

test("a long title of a derived collection is shortened without cutting a character in half", () => {
  const type = `A${"🚢".repeat(200)}`;
  const [title = ""] = titles([
    [type, ""],
    [type, ""],
    ["Mugs", ""],
  ]).filter((text) => text.includes("🚢"));
  assert.match(title, /🚢…$/u);
  assert.ok(title.isWellFormed());
});

test("tags for programs, notes of the merchant, and tags of nearly all products create no collections", () => {
  const internalTags =
    "_hidden ship-heavy Shipping:Freight spo-default YGroup_x wholesale B2B color=red bis-hidden no-discount exclude-google hidden 20230114 #sync noindex";
  const publicTags = [
    "mugs",
    "No-iron",
    "Shipwrecks",
    "Wholemeal",
    "gift for men",
    "1950s",
    "Hidden pictures",
    "Test tubes",
  ];
  const productData: ProductData = Array.from({ length: 20 }, (_, number) => [
    "",
    "",
    ...internalTags.split(" "),
    ...(number < 19 ? ["catalogue"] : []),
    ...(number < 8 ? publicTags : []),
  ]).map((title, number) => (number === 19 ? ["", "", "mugs"] : title)) as unknown as ProductData;
  assert.deepEqual(
    titles(productData)
      .map((title) => title.replace(/^\S+ /, ""))
      .sort(),
    [
      "All",
      "1950s",
      "Gift for men",
      "Hidden pictures",
      "Mugs",
      "No-iron",
      "Shipwrecks",
      "Test tubes",
      "Wholemeal",
    ].sort(),
  );
  const fewProducts: ProductData = [
    ["", "", "tea"],
    ["", "", "tea"],
    ["", "", ""],
  ];
  assert.deepEqual(
    titles(fewProducts),
    ["all All", "tea Tea"],
    "in a small catalog, a collection may contain all products but one",
  );
});

test("every derived collection has at least two products, those that match its rule, and each product lists its own", () => {
  const word = fc.constantFrom("", "a", "A ", "b", "B > a", "c", "n/a", "★");
  const products = fc.array(fc.tuple(word, word, word), { maxLength: 14 });
  fc.assert(
    fc.property(products, (productData) => {
      const { collections, catalogWithCollections } = shopOf(productData);
      for (const { collection } of collections) {
        const { handle, rules } = collection;
        assert.ok(isHandle(handle), handle);
        const productNumbers = [...catalogWithCollections.collectionProducts(handle)];
        const fold = (text = ""): string => text.trim().toLowerCase();
        const expected = productData.flatMap(([type, vendor, tag], number) => {
          const isMatch =
            rules === undefined ||
            (rules.productType !== undefined && fold(rules.productType) === fold(type)) ||
            (rules.vendor !== undefined && fold(rules.vendor) === fold(vendor)) ||
            (rules.tag !== undefined && fold(rules.tag) === fold(tag));
          return isMatch ? [number] : [];
        });
        assert.deepEqual(productNumbers, expected, handle);
        if (handle !== "all") assert.ok(productNumbers.length >= 2 && productNumbers.length < productData.length);
        for (const number of productNumbers)
          assert.ok(catalogWithCollections.collectionsOf(`p${number}`).includes(handle));
      }
    }),
    { numRuns: 150 },
  );
});
