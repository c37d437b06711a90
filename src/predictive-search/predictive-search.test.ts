import assert from "node:assert/strict";
import { test } from "node:test";
import { createSearcher, createSegmentBuilder } from "@vitrine/search";
import type { Row } from "../catalog/catalog.ts";
import { packCatalog } from "../catalog/packed/pack-base.ts";
import { openCatalog } from "../catalog/packed/packed-catalog.ts";
import { formatRow } from "../catalog/rows/format-row.ts";
import { parseRow } from "../catalog/rows/parse-row.ts";
import { listDocuments } from "./documents.ts";
import { findPredictiveHits, loadEntries } from "./predictive-search.ts";
import { schema } from "./schema.ts";
import type { SearchContext } from "./search-context.ts";
import { findSearchPage } from "./search-page.ts";
import { parseSuggestParams } from "./suggest-params.ts";

const now = Date.parse("2026-06-01T00:00:00Z");
const createProductRow = (handle: string, title: string, overrides: object = {}, variant: object = {}) => ({
  kind: "product",
  handle,
  title,
  variants: [{ price: 1000, ...variant }],
  ...overrides,
});
const productRows = [
  createProductRow("alpine", "Alpine Snowboard", {
    vendor: "Peak",
    translations: { fr: { title: "Planche à neige alpine" } },
  }),
  createProductRow("wax", "Snowboard Wax", {}, { sku: "NOR.0707-60", inventory_quantity: 0 }),
  createProductRow("boots", "Snow Boots", {
    description:
      "<Script>gibberish()</sCRIPT ><p>Warm &amp; dry&nbsp;<b>ankle</b>, cr&egrave;me br&ucirc;l&eacute;e, don&rsquo;t</p>",
  }),
  createProductRow("hidden", "Snow Secret", { published: false }),
  { kind: "collection", handle: "snow", title: "Snow", products: ["alpine"] },
  { kind: "page", handle: "snow-care", title: "Snow care", content: "How to wax." },
  { kind: "article", handle: "soon", title: "Snow soon", blog: "news", published_at: "2026-07-01T00:00:00Z" },
  { kind: "article", handle: "out", title: "Snow is here", blog: "news", published_at: "2026-05-01T00:00:00Z" },
  { kind: "bundle", handle: "kit", name: "Snow kit", type: "box_builder", products: ["alpine", "boots"] },
  {
    kind: "bundle",
    handle: "old",
    name: "Snow past",
    type: "box_builder",
    products: ["alpine"],
    ends_at: "2026-01-01T00:00:00Z",
  },
  { kind: "bundle", handle: "broken", name: "Snow broken", type: "box_builder", products: ["hidden"] },
];

function createShop(catalogRows: readonly object[] = productRows): SearchContext {
  const storedRows = catalogRows.map((row, position) => {
    const parsedRow = parseRow(row, undefined, (field, message) => assert.fail(`${field} ${message}`)) as Row;
    return { kind: parsedRow.kind, position, isDeleted: false, json: formatRow(parsedRow) };
  });
  const builder = createSegmentBuilder(schema, "en");
  const bytes = storedRows.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);
  const base = packCatalog(
    {
      revision: 1,
      size: { rows: storedRows.length, bytes },
      rows: (kinds) => storedRows.filter(({ kind }) => kinds.includes(kind)),
    },
    (entry, number) => {
      for (const document of listDocuments(entry, number, { default: "en", others: ["fr"] })) builder.add(document);
    },
    { locales: ["en", "fr"], metafields: [] },
  );
  const index = createSearcher(schema).open([builder.finish()]);
  return { catalog: openCatalog(base), index, locale: "en", now, typoTolerance: true };
}

const searchContext = createShop();
const suggest = (query: string, contextOverrides: Partial<SearchContext> = {}) => {
  const context = { ...searchContext, ...contextOverrides };
  return loadEntries(findPredictiveHits(parseSuggestParams(new URLSearchParams(query)), context), context);
};
const listHandles = (entries: readonly { readonly handle: string }[]) => entries.map((entry) => entry.handle);

test("suggestions and the results page have the same order (spec 4.1)", () => {
  // Create more matches than a search for ten hits scores. The good matches have high and low static ranks.
  const words = ["lamp", "desk", "oak", "brass", "lamp shade", "reading", "floor", "white", "lamp"];
  const wordAt = (number: number) => words[number % words.length] as string;
  const products = Array.from({ length: 3_000 }, (_, n) =>
    createProductRow(`p${n}`, `${wordAt(n * 7)} ${wordAt(n * 5 + (n >> 3))} ${wordAt(n >> 5)} ${n % 50}`, {
      description: n % 3 === 0 ? `For a ${wordAt(n >> 4)} and a ${wordAt(n >> 2)}` : "",
    }),
  );
  const largeShop = createShop(products);
  for (const q of ["lamp", "oak lamp", "lam", "white floor lamp", "desk oak brass", "reading lamp 7", "shade des"]) {
    const params = { q, types: ["product" as const], page: 1, perPage: 24 };
    const typedResults = suggest(`q=${q}&type=product`, largeShop);
    assert.deepEqual(
      listHandles(findSearchPage(params, largeShop).entries).slice(0, 10),
      listHandles(typedResults.products),
      q,
    );
  }
});

test("the results page counts all results and shows one page of them, best first", () => {
  const params = { q: "snow", types: ["product", "page"] as const, perPage: 3 };
  const firstPage = findSearchPage({ ...params, page: 1 }, searchContext);
  assert.equal(firstPage.total, 4);
  const secondPage = findSearchPage({ ...params, page: 2 }, searchContext);
  assert.deepEqual([...listHandles(firstPage.entries), ...listHandles(secondPage.entries)].sort(), [
    "alpine",
    "boots",
    "snow-care",
    "wax",
  ]);
  assert.deepEqual(listHandles(secondPage.entries), ["wax"]);
  assert.deepEqual(findSearchPage({ ...params, page: 3 }, searchContext).entries, []);
});

test("the results page has the articles published at the time of the request, also when its results are cached", () => {
  const params = { q: "snow", types: ["product", "article"] as const, page: 1, perPage: 10 };
  const articlesAt = (time: number) =>
    listHandles(
      findSearchPage(params, { ...searchContext, now: time }).entries.filter(({ kind }) => kind === "article"),
    );
  for (const time of [now, now, now * 2, now])
    assert.deepEqual(articlesAt(time).sort(), time === now ? ["out"] : ["out", "soon"]);
});

test("HTML is searched by its text", () => {
  for (const q of ["ankle", "brûlée", "creme", "don't"])
    assert.deepEqual(listHandles(suggest(`q=${q}`).products), ["boots"], q);
  for (const q of ["rsquo", "ucirc", "gibberish"]) assert.deepEqual(listHandles(suggest(`q=${q}`).products), [], q);
});

test("a notice and completions spell corrected words as the shop does, in any field", () => {
  const shop = createShop([
    createProductRow("p1", "Stora boken", { vendor: "Bokförlaget Ängen", product_type: "Kokböcker" }),
    createProductRow("p2", "Grå väska", { options: ["Färg"] }, { options: ["Mörkblå"] }),
    createProductRow("p3", "Cadeau", { description: "<p>Avec une poignée sculptée</p>" }),
  ]);
  for (const [q, terms] of [
    ["kokbökcer", "kokböcker"],
    ["bokforlagte", "bokförlaget"],
    ["mörkbal", "mörkblå"],
    ["graa väksa", "grå väska"],
    ["poingee scultpee", "poignée sculptée"],
  ] as const) {
    const { notice, queries } = suggest(`q=${q}`, shop);
    assert.equal(notice?.terms, terms);
    for (const { text } of queries) assert.ok(text.startsWith(terms), `${q}: ${text}`);
  }
});

test("a word is in another keyboard layout only if it is found in full in that layout", () => {
  const shop = createShop([createProductRow("p1", "Roof window RC 2"), createProductRow("p2", "Rain coat")]);
  for (const [q, handles] of [
    ["кфшт", ["p2"]],
    ["кфшт кфыз", ["p2"]],
    ["велюкс", []],
  ] as const) {
    const page = findSearchPage({ q, types: ["product"], page: 1, perPage: 10 }, shop);
    for (const entries of [page.entries, suggest(`q=${q}`, shop).products])
      assert.deepEqual(listHandles(entries), handles, q);
  }
});

test("a text in another keyboard layout has the same results and notice as on the results page", () => {
  const shop = { ...createShop([createProductRow("coffee", "Εσπρέσο κόκκοι")]), locale: "el" };
  for (const q of ["espresso", "εσπρεσο", "esprέso"]) {
    const page = findSearchPage({ q, types: ["product"], page: 1, perPage: 10 }, shop);
    const suggestions = suggest(`q=${q}`, shop);
    assert.deepEqual(listHandles(suggestions.products), listHandles(page.entries), q);
    assert.deepEqual(suggestions.notice, page.notice, q);
  }
});
