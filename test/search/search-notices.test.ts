import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { SearchPageAnswer, SuggestAnswer } from "@vitrine/client";
import { product, type RowJson } from "../support/catalog.ts";
import { runCommand } from "../support/command.ts";
import { startShop } from "../support/shop.ts";

const variants = (id: number) => [{ id, price: 100 }];
const rows: readonly RowJson[] = [
  product(1, "battery", "Rechargeable batteries", variants(11)),
  product(2, "brulee", "Crème Brûlée set", variants(21)),
  product(3, "fries", "French fries", variants(31)),
  { ...product(4, "rare", "Drill", variants(41)), description: "A cordlesss tool" },
  ...Array.from({ length: 60 }, (_, index) =>
    product(100 + index, `drill-${index}`, `Cordless drill ${index}`, variants(1_000 + index)),
  ),
  product(5, "charger", "Laptop charger", variants(51)),
];
const shop = await startShop({ rows, hasTheme: false });
after(() => shop.close());
const client = shop.client();

async function suggestedNotice(q: string, more = ""): Promise<SuggestAnswer["notice"]> {
  const reply = await client.get(`/search/suggest.json?q=${encodeURIComponent(q)}${more}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.json<SuggestAnswer>().notice;
}

async function resultsPage(q: string, more = ""): Promise<string> {
  const reply = await client.get(`/search?q=${encodeURIComponent(q)}${more}`);
  assert.equal(reply.status, 200);
  return reply.text;
}

test("a likely misspelling is reported with the corrected search, in suggestions and on the results page", async () => {
  const expected = { type: "corrected", terms: "rechargeable batteries", missing_terms: [], exact_url: null };
  assert.deepEqual(await suggestedNotice("rechargable bateries"), expected);
  const page = (await client.get("/search.json?q=rechargable+bateries")).json<SearchPageAnswer>();
  assert.deepEqual(page.notice, expected);
  assert.match(await resultsPage("rechargable bateries"), /Showing results for “rechargeable batteries”/);
});

test("the corrected search has the spelling of the result", async () => {
  assert.equal((await suggestedNotice("creme bruleee"))?.terms, "creme brûlée");
  assert.equal((await suggestedNotice("Rechargeable, bateries!"))?.terms, "Rechargeable, batteries!");
});

test("a search as typed, its inflected forms and prefixes have no notice", async () => {
  for (const q of ["batteries", "rechargeable battery", "rechar", "crème brulee", "cordless drill"])
    assert.equal(await suggestedNotice(q), undefined, q);
  assert.doesNotMatch(await resultsPage("batteries"), /search-notice/);
});

test("results with another word instead of the typed word are only similar", async () => {
  const notice = await suggestedNotice("wrench", "&type=product");
  assert.equal(notice?.type, "similar");
  assert.match(await resultsPage("wrench", "&type=product"), /No results for “wrench”. These are similar./);
});

test("results that lack words name the words that nothing contains", async () => {
  const notice = await suggestedNotice("laptop charger zebra");
  assert.deepEqual([notice?.type, notice?.missing_terms], ["partial", ["zebra"]]);
  assert.match(await resultsPage("laptop charger zebra"), /Missing: zebra/);
  const commonWords = await suggestedNotice("laptop fries");
  assert.deepEqual([commonWords?.type, commonWords?.missing_terms], ["partial", []]);
  assert.match(await resultsPage("laptop fries"), /No result matches all words\.</);
});

test("a search without corrections is offered if it has results, and finds only them", async () => {
  const notice = await suggestedNotice("cordlesss drill");
  assert.deepEqual([notice?.type, notice?.terms], ["corrected", "cordless drill"]);
  const url = String(notice?.exact_url);
  assert.equal(url, "/search?q=cordlesss%20drill&spelling=exact");
  const page = await resultsPage("cordlesss drill");
  assert.ok(page.includes(`<a href="${url.replace("&", "&amp;")}">Search instead for “cordlesss drill”</a>`), page);
  const exact = (await client.get(url.replace("/search?", "/search.json?"))).json<SearchPageAnswer>();
  assert.equal(exact.notice, undefined);
  assert.equal(exact.results[0]?.handle, "rare");
  assert.equal(exact.complete_results_count, 1);
  assert.equal((await client.get("/search.json?q=drill&spelling=fuzzy")).status, 422);
});

test("a search in another keyboard layout reports the converted text", async () => {
  const notice = await suggestedNotice("дфзещз срфкпук");
  assert.deepEqual([notice?.type, notice?.terms], ["corrected", "laptop charger"]);
});

test("vitrine search --explain shows points within a group of results, and --why-not compares a product with the one before", async () => {
  const explained = await runCommand(shop, "search", "--explain", "laptop charger zebra");
  assert.match(explained.out, /"zebra" is missing/);
  assert.match(explained.out, /lacks a word: ranks after all results with all words/);
  assert.doesNotMatch(explained.out, /-[\d,]{4,}/);
  const compared = await runCommand(shop, "search", "--why-not", "rare", "drill");
  assert.match(compared.out, /"rare" is product 1\b|"rare" is the first product/);
  const lower = await runCommand(shop, "search", "--why-not", "drill-1", "drill");
  assert.match(lower.out, /"drill-1" is product \d+, after "[\w-]+"\. It has [\d.]+ points|Both have the same points/);
  assert.match((await runCommand(shop, "search", "--why-not", "fries", "drill")).out, /"fries" is no result/);
  assert.match(
    (await runCommand(shop, "search", "--why-not", "boat", "drill")).out,
    /No product has the handle "boat"/,
  );
});

test("results with the last part of a compound are only similar, and are named as typed", async () => {
  const germanShop = await startShop({
    rows: [product(1, "rinse", "Spülung", variants(11)), product(2, "hair", "Haar", variants(21))],
    config: { locales: { default: "de", others: [] } },
    hasTheme: false,
  });
  const answer = await germanShop.client().get(`/search/suggest.json?q=${encodeURIComponent("Milde Haarspülungen")}`);
  const { notice } = answer.json<SuggestAnswer>();
  assert.deepEqual([notice?.type, notice?.terms], ["partial", "Milde spülungen"]);
  const single = await germanShop.client().get(`/search/suggest.json?q=${encodeURIComponent("haarspülung")}`);
  assert.equal(single.json<SuggestAnswer>().notice?.type, "similar");
});

test("in scripts without spaces, a result with all words has no notice, and one that lacks a word has", async () => {
  const titles = [
    ["zh", "黑色 网面 运动鞋", ["黑色运动鞋", "运动鞋黑色", "网面运动鞋"], ["红色运动鞋", "黑色羽绒服"]],
    ["ja", "保湿 高機能 化粧水", ["保湿化粧水"], ["保湿乳液", "美白化粧水"]],
    ["ja", "化粧 ポーチ 保湿", [], ["化粧水"]],
    ["th", "กาแฟ คั่ว สด", ["กาแฟสด"], ["กาแฟเย็น"]],
  ] as const;
  for (const [locale, title, complete, partial] of titles) {
    const localizedShop = await startShop({
      rows: [product(1, "item", title, variants(11))],
      config: { locales: { default: locale, others: [] } },
      hasTheme: false,
    });
    const typeOf = async (q: string) => {
      const answer = await localizedShop.client().get(`/search/suggest.json?q=${encodeURIComponent(q)}`);
      const { notice, resources } = answer.json<SuggestAnswer>();
      return resources.results.products?.length === 0 ? "none" : notice?.type;
    };
    for (const q of complete) assert.equal(await typeOf(q), undefined, q);
    for (const q of partial) assert.ok(["partial", "none"].includes(String(await typeOf(q))), q);
    await localizedShop.close();
  }
});
