import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { runProgram } from "../support/command.ts";

const demo = fileURLToPath(new URL("../../examples/harbour-outfitters", import.meta.url));

interface Row {
  readonly handle: string;
  readonly code?: string;
  readonly type?: string;
  readonly ends_at?: string;
  readonly requires_customer?: boolean;
  readonly translations?: Readonly<Record<string, { readonly title?: string }>>;
  readonly images?: readonly { readonly src: string; readonly alt?: string }[];
  readonly variants: readonly {
    readonly inventory_quantity?: number | null;
    readonly requires_shipping?: boolean;
    readonly price: number;
  }[];
}

function rowsOf(kind: string): readonly Row[] {
  const text = readFileSync(`${demo}/catalog/${kind}.jsonl`, "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
}

test("every store of examples/ passes vitrine check", async () => {
  const stores = globSync("examples/*/vitrine.config.ts", { cwd: fileURLToPath(new URL("../..", import.meta.url)) });
  assert.ok(stores.length > 0);
  for (const config of stores) {
    const dir = fileURLToPath(new URL(`../../${config.replace("/vitrine.config.ts", "")}`, import.meta.url));
    const { code, out, err } = await runProgram(["check", dir]);
    assert.equal(code, 0, out + err);
  }
});

test("the demo store sells at least 80 products, with every kind of variant", () => {
  const products = rowsOf("products");
  assert.ok(products.length >= 80, String(products.length));
  const variants = products.flatMap((product) => product.variants);
  const stocks = variants.map(({ inventory_quantity }) => inventory_quantity);
  assert.ok(stocks.includes(0), "sold out");
  assert.ok(stocks.includes(3), "three left");
  assert.ok(
    stocks.some((stock) => stock === undefined || stock === null),
    "not tracked",
  );
  assert.ok(
    variants.some((variant) => variant.requires_shipping === false),
    "not shipped",
  );
  assert.ok(
    products.some((product) => product.requires_customer),
    "for members",
  );
  assert.ok(products.some((product) => product.variants.length === 1));
});

test("the demo store has collections, pages, articles, four live bundles and one ended, and discount codes", () => {
  for (const kind of ["collections", "pages", "articles", "gift_cards", "customers"])
    assert.ok(rowsOf(kind).length > 0, kind);
  assert.ok(rowsOf("collections").length >= 12);
  const now = new Date().toISOString();
  const bundles = rowsOf("bundles");
  const ended = bundles.filter(({ ends_at }) => ends_at !== undefined && ends_at < now);
  assert.deepEqual([bundles.length - ended.length, ended.length], [4, 1]);
  assert.deepEqual([...new Set(bundles.map(({ type }) => type))].sort(), ["box_builder", "frequently_bought_together"]);
  assert.ok(rowsOf("discounts").some(({ code }) => code !== undefined));
});

test("all texts of the demo store exist in French, Japanese and Arabic", () => {
  for (const kind of ["products", "collections", "pages", "articles", "bundles"]) {
    for (const row of rowsOf(kind)) {
      for (const locale of ["fr", "ja", "ar"])
        assert.ok(row.translations?.[locale]?.title, `${kind} ${row.handle} ${locale}`);
    }
  }
});

test("every product has an existing image with alt text", () => {
  const media = new Set(globSync("media/**/*", { cwd: demo }));
  for (const { handle, images = [] } of rowsOf("products")) {
    assert.ok(images.length > 0, handle);
    for (const { src, alt } of images) {
      assert.ok(alt, `${handle}: alt`);
      assert.ok(media.has(src.replace(/^\//, "")), `${handle}: ${src}`);
    }
  }
});

test("codes and handles are unique, and prices are positive", () => {
  for (const kind of ["products", "collections", "pages", "bundles"]) {
    const handles = rowsOf(kind).map(({ handle }) => handle);
    assert.equal(new Set(handles).size, handles.length, kind);
  }
  for (const { handle, variants } of rowsOf("products")) for (const { price } of variants) assert.ok(price > 0, handle);
});
