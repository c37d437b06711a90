import assert from "node:assert/strict";
import { test } from "node:test";
import { buildCatalog, buildConfig, buildProduct, buildRequest, buildVariant } from "../example-shop.fixture.ts";
import { filterByTags } from "./tags.ts";

/** Enough products that tags are read from an index instead of from each product. */
const products = Array.from({ length: 5_001 }, (_, n) =>
  buildProduct({
    id: String(n + 1),
    handle: `product-${n}`,
    tags: [`Tag ${n}`, "Common"],
    variants: [buildVariant({ id: String(n + 1) })],
    translations: n === 7 ? { fr: { tags: ["Étiquette 7", "Commun"] } } : {},
  }),
);

test("products of a tag in a long list are found by its handle, in the default and the shopper's language", () => {
  const catalog = buildCatalog(products);
  const config = buildConfig();
  const list = { key: "all", numbers: () => catalog.numbers("product") };
  const findTaggedNumbers = (locale: string, ...tags: readonly string[]): readonly number[] => [
    ...filterByTags({ request: buildRequest({ catalog, locale }), config }, list, tags).numbers(),
  ];
  assert.deepEqual(findTaggedNumbers("en", "tag-7"), [7]);
  assert.deepEqual(findTaggedNumbers("fr", "tag-7"), [7]);
  assert.deepEqual(findTaggedNumbers("fr", "etiquette-7"), [7]);
  assert.deepEqual(findTaggedNumbers("en", "etiquette-7"), []);
  assert.deepEqual(findTaggedNumbers("en", "nothing"), []);
  assert.deepEqual(findTaggedNumbers("en", "common", "tag-5000"), [5_000]);
  assert.equal(findTaggedNumbers("en", "common").length, products.length);
});

test("the products of a long list are read once per language, and never in the default one", () => {
  const fullCatalog = buildCatalog(products);
  let readCount = 0;
  const catalog = {
    ...fullCatalog,
    entry(number: number) {
      readCount += 1;
      return fullCatalog.entry(number);
    },
  };
  const list = { key: "all", numbers: () => catalog.numbers("product") };
  const countReads = (locale: string, tag: string): number => {
    const previousReads = readCount;
    filterByTags({ request: buildRequest({ catalog, locale }), config: buildConfig() }, list, [tag]).numbers();
    return readCount - previousReads;
  };
  assert.equal(countReads("en", "tag-1"), 0);
  assert.ok(countReads("fr", "tag-2") >= 5_000);
  assert.equal(countReads("fr", "tag-3"), 0);
});
