import assert from "node:assert/strict";
import { test } from "node:test";
import { assignTestGroup, interleave } from "../../src/predictive-search/team-draft.ts";
import { product } from "../support/catalog.ts";
import type { Client, Headers } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { logIn, postForm } from "../support/console.ts";
import { placeOrder } from "../support/orders.ts";
import type { SuggestJson } from "../support/replies.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

let now = Date.parse("2026-11-25T12:00:00Z");
const lamps = [1, 2, 3, 4, 5].map((id) => product(id, `lamp-${id}`, "Reading Lamp", [{ id: id * 10, price: 100 }]));
const shop = await startShop({
  rows: lamps,
  config: { console: true, trustProxy: ["127.0.0.1"] },
  hasTheme: false,
  now: () => now,
});
let { client: merchant, csrf } = await logIn(shop, await createApiToken(shop, "console"));
const rulesPage = async (): Promise<string> => (await merchant.get("/admin/rules")).text;

/** Sends a form of the rules page.  @returns the outcome in the URL of the next page */
async function send(path: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const { headers } = await postForm(shop, merchant, path, { csrf, ...fields });
  return /done=([a-z_]+)/.exec(headers.location ?? "")?.[1] ?? "";
}

async function draftPin(): Promise<string> {
  assert.equal(await send("/admin/rules", { name: "synonyms", query: "zzlight", value: "lamp" }), "added");
  assert.equal(await send("/admin/rules", { name: "pins", query: "lamp", value: "lamp-4" }), "added");
  return /name="revision" value="(\d+)"/.exec(await rulesPage())?.[1] ?? "";
}

interface Shopper {
  readonly client: Client;
  readonly headers: Headers;
  /** Coin sequence of the shopper. */
  readonly arm: number;
}

/** Opens a page as a shopper of another network. */
async function arrive(network: number): Promise<Shopper> {
  const client = shop.client();
  const headers = { "x-forwarded-for": `198.51.${network}.7`, accept: "text/html" };
  await client.get("/collections", headers);
  return { client, headers, arm: assignTestGroup(client.cookies.get("visitor") ?? "", now) };
}

async function suggested(
  { client, headers }: Pick<Shopper, "client" | "headers">,
  q = "lamp",
): Promise<readonly number[]> {
  const reply = await client.get(`/search/suggest.json?q=${q}&resources[type]=product`, headers);
  return reply.json<SuggestJson>().resources.results.products.map(({ handle }) => Number(handle.slice(5)));
}

/** Returns the products of a results page, in order. */
async function found(
  { client, headers }: Pick<Shopper, "client" | "headers">,
  path: string,
): Promise<readonly number[]> {
  const { text } = await client.get(path, headers);
  return [...new Set(text.matchAll(/\/products\/lamp-(\d)/g).map(([, number]) => Number(number)))];
}

const [live, draft] = [
  [1, 2, 3, 4, 5],
  [4, 1, 2, 3, 5],
];
const stranger = { client: shop.client(), headers: {} };
const shoppers = await Promise.all(Array.from({ length: 30 }, (_, network) => arrive(network)));

test("a test shows each shopper the interleaved results of one coin sequence, also from the cache, until it ends", async () => {
  assert.equal(await send("/admin/rules/test", { revision: await draftPin() }), "test_started");
  await until(
    async () =>
      (await suggested(shoppers[0] as Shopper))[0] === 4 || (await suggested(shoppers[0] as Shopper))[1] === 4,
    "the test",
  );
  for (let round = 0; round < 3; round += 1)
    for (const shopper of shoppers)
      assert.deepEqual(await suggested(shopper), interleave(live, draft, shopper.arm).numbers, `round ${round}`);
  assert.ok(new Set(shoppers.map(({ arm }) => arm)).size > 4);
  assert.deepEqual(await suggested(stranger), live, "without a cookie");
  for (const shopper of shoppers.slice(0, 8)) {
    assert.deepEqual(await suggested(shopper, "zzlight"), live, "only the draft has results");
    assert.deepEqual(await found(shopper, "/search?q=zzlight"), live);
  }
  assert.deepEqual(await suggested(stranger, "zzlight"), []);
  for (const { client, headers, arm } of shoppers.slice(0, 8)) {
    const shopper = { client, headers };
    assert.deepEqual(await found(shopper, "/search?q=lamp"), interleave(live, draft, arm).numbers);
    assert.deepEqual(await found(shopper, "/search?q=lamp&sort_by=price-ascending"), live);
  }
  assert.equal(await send("/admin/rules/test", { revision: "0" }), "test_running");
  const page = await rulesPage();
  assert.match(page, /No verdict yet\.<\/b>[\s\S]*Added to cart<\/dt><dd>– <small>fewer than five networks/);
  const [, id = ""] = /name="test" value="(\d+)"/.exec(page) ?? [];
  assert.equal(await send("/admin/rules/test/end", { test: "999", outcome: "stop" }), "test_changed");
  assert.equal(await send("/admin/rules/test/end", { test: id, outcome: "stop" }), "test_stopped");
  await until(async () => {
    const lists = await Promise.all(shoppers.map((shopper) => suggested(shopper)));
    return lists.every((numbers) => String(numbers) === String(live));
  }, "the end of the test");
  assert.match(await rulesPage(), /lamp: lamp-4/, "the draft remains");
});

test("products added to the cart decide, and the tested rules can be published", async () => {
  const [, revision = ""] = /name="revision" value="(\d+)"/.exec(await rulesPage()) ?? [];
  assert.equal(await send("/admin/rules/test", { revision }), "test_started");
  const isTested = async ({ arm, ...shopper }: Shopper): Promise<boolean> =>
    String(await suggested(shopper)) === String(interleave(live, draft, arm).numbers);
  await until(() => isTested(shoppers[0] as Shopper), "the test");
  for (const [count, { client, headers }] of shoppers.entries()) {
    now += 1_000;
    await client.get("/search?q=lamp", headers);
    const referer = `${shop.origin}/search?q=lamp`;
    // The first shoppers choose a product of both, which either side contributes.
    const id = count < 2 ? 10 : 40;
    assert.equal((await client.post("/cart/add.js", { id }, { ...headers, referer })).status, 200);
    // Another product of the same shopper on the same day does not count.
    assert.equal((await client.post("/cart/add.js", { id: 50 }, { ...headers, referer })).status, 200);
  }
  for (const { client, headers } of shoppers.slice(2, 9)) {
    now += 1_000;
    await client.get(await placeOrder(client, undefined, "", { id: 40 }), headers);
  }
  const result = async (): Promise<string> => (await rulesPage()).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  await until(async () => /Ordered 100% .* 7 of 7 shoppers/.test(await result()), "7 orders");
  assert.match(
    await result(),
    /Shoppers prefer the draft\. .* Added to cart (9\d|100)% [56]\d% to (99|100)%; (28|29|30) of 30 shoppers/,
  );
  const [, id = ""] = /name="test" value="(\d+)"/.exec(await rulesPage()) ?? [];
  assert.equal(await send("/admin/rules/test/end", { test: id, outcome: "publish" }), "published");
  await until(async () => String(await suggested(stranger)) === String(draft), "the published rules");
  assert.doesNotMatch(await rulesPage(), /Stop test|<h2>Draft/);
});

test("a test can be discarded with its draft, and ends by itself after four weeks", async () => {
  assert.equal(await send("/admin/rules", { name: "pins", section: "[all]", remove: "lamp: lamp-4" }), "removed");
  const revisionOf = async () => /name="revision" value="(\d+)"/.exec(await rulesPage())?.[1] ?? "";
  assert.equal(await send("/admin/rules/test", { revision: await revisionOf() }), "test_started");
  const arrived = await Promise.all(Array.from({ length: 8 }, (_, network) => arrive(network)));
  const isAnyTested = async (): Promise<boolean> => {
    for (const shopper of arrived) if (String(await suggested(shopper)) !== String(draft)) return true;
    return false;
  };
  await until(isAnyTested, "the test");
  now += 28 * 86_400_000;
  await until(async () => !(await isAnyTested()), "the end");
  ({ client: merchant, csrf } = await logIn(shop, await createApiToken(shop, "console")));
  const page = await rulesPage();
  assert.match(page, /The test ended on 23 Dec 2026\./);
  const [, id = ""] = /name="test" value="(\d+)"/.exec(page) ?? [];
  assert.equal(await send("/admin/rules/test/end", { test: id, outcome: "discard" }), "discarded");
  assert.doesNotMatch(await rulesPage(), /The test ended|<h2>Draft/);
});
