import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../support/assertions.ts";
import { product } from "../support/catalog.ts";
import type { Client, Headers } from "../support/client.ts";
import { runCommand } from "../support/command.ts";
import { placeOrder } from "../support/orders.ts";
import type { SuggestJson } from "../support/replies.ts";
import { startShop, type TestShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

const DAY = 86_400_000;
/** Time at noon, so that no day ends during a test. */
let now = Math.floor(Date.now() / DAY) * DAY + DAY / 2;
const rows = ["lantern", "beacon", "candle"].flatMap((word, kind) =>
  Array.from({ length: 3 }, (_, n) => {
    const id = kind * 10 + n + 1;
    return product(id, `${word}-${n}`, `Storm ${word}`, [{ id: id * 100, price: 1_000 }]);
  }),
);
const config = { trustProxy: ["127.0.0.1"], search: { implicitFeedback: true } };

/** A shopper, by default in a separate network. */
interface Shopper {
  readonly client: Client;
  readonly headers: Headers;
}

function shopper(shop: TestShop, n: number, address = `198.${n}.100.7`): Shopper {
  return { client: shop.client(), headers: { "x-forwarded-for": address, accept: "text/html" } };
}

async function open({ client, headers }: Shopper, path: string, more: Headers = {}): Promise<void> {
  assert.equal((await client.get(path, { ...headers, ...more })).status, 200, path);
}

const from = (shop: TestShop, path: string): Headers => ({ referer: shop.origin + path });

/** Searches on the results page, opens a product, and adds it to the cart. */
async function selects(shop: TestShop, who: Shopper, q: string, handle: string): Promise<void> {
  const search = `/search?q=${encodeURIComponent(q)}`;
  await open(who, search);
  await open(who, `/products/${handle}`, from(shop, search));
}

async function handlesFound(shop: TestShop, q: string): Promise<readonly string[]> {
  const reply = await shop.client().get(`/search/suggest.json?type=product&q=${encodeURIComponent(q)}`);
  return reply.json<SuggestJson>().resources.results.products.map(({ handle }) => String(handle));
}

const people = <T>(count: number, does: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => does(n)));

/** Starts the next day, and waits until the clicks of the previous day count.  @param isThere condition to poll */
async function nextDay(isThere: () => Promise<boolean>): Promise<void> {
  now += DAY;
  await soon(isThere);
}

async function soon(isThere: () => Promise<boolean>): Promise<void> {
  await until(() => {
    now += 60_000;
    return isThere();
  }, String(isThere));
}

test("products clicked and added by shoppers of many networks rank higher from the next day on", async () => {
  const shop = await startShop({ rows, config, now: () => now });
  /** Returns the last of the three products that match all words. */
  const last = async (q: string) => (await handlesFound(shop, q))[2];
  const [lantern = "", beacon = "", candle = ""] = await Promise.all(
    ["storm lantern", "storm beacon", "storm candle"].map(last),
  );
  const firstCandle = (await handlesFound(shop, "storm candle"))[0];

  await people(45, async (n) => selects(shop, shopper(shop, n), "storm lantern", lantern));
  // Clicks a suggestion on any page, then adds the product to the cart.
  await people(45, async (n) => {
    const who = shopper(shop, n);
    await open(who, "/collections");
    await open(who, "/search/suggest.json?q=storm%20beac", from(shop, "/collections"));
    await open(who, `/products/${beacon}`, from(shop, "/collections"));
    const id = Number(rows.find((row) => row.handle === beacon)?.id) * 100;
    const added = await who.client.post(
      "/cart/add.js",
      { id },
      { ...who.headers, ...from(shop, `/products/${beacon}`) },
    );
    assert.equal(added.status, 200);
  });
  // None of these clicks count: one shopper a hundred times, a network with many shoppers, shoppers who opted out or
  // came without a search, and missing products.
  const eager = shopper(shop, 0);
  for (let n = 0; n < 100; n += 1) await selects(shop, eager, "storm candle", candle);
  await people(100, async (n) => selects(shop, shopper(shop, 0, `198.0.100.${n}`), "storm candle", candle));
  for (const header of [{ "sec-gpc": "1" }, { dnt: "1" }, { "sec-purpose": "prefetch" }, { referer: undefined }])
    await people(45, async (n) => {
      const who = shopper(shop, n);
      await open(who, "/search?q=storm%20candle");
      await open(who, `/products/${candle}`, { ...from(shop, "/search?q=storm%20candle"), ...header });
    });
  await people(45, async (n) => {
    const who = shopper(shop, n);
    await open(who, "/search?q=storm%20candle");
    await open(who, "/collections");
    await open(who, `/products/${candle}`, from(shop, "/collections"));
  });
  // The product does not match all words of this query.
  await people(45, async (n) => selects(shop, shopper(shop, n), "storm candle", "lantern-0"));

  assert.equal(await last("storm lantern"), lantern, "not on the same day");
  await nextDay(async () => (await handlesFound(shop, "storm lantern"))[0] === lantern);
  assert.equal(
    (await handlesFound(shop, "storm beacon"))[0],
    beacon,
    "what was chosen from a beginning is learned of the whole word",
  );
  assert.equal((await handlesFound(shop, "storm candle"))[0], firstCandle);
  assert.ok(
    (await handlesFound(shop, "storm candle")).indexOf("lantern-0") > 2,
    "it stays behind what holds all words",
  );
});

test("click boosts are off by default", async () => {
  const shop = await startShop({ rows, config: { trustProxy: ["127.0.0.1"] }, now: () => now });
  const before = await handlesFound(shop, "storm lantern");
  await people(45, async (n) => selects(shop, shopper(shop, n), "storm lantern", before[2] ?? ""));
  now += DAY;
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  assert.equal(shop.app.shop.signals.tracksVisits, false);
  assert.deepEqual(await handlesFound(shop, "storm lantern"), before);
});

test("products paid for by several buyers rank higher and are recommended together from the next day on", async () => {
  // Commands run with the clock of the next day.
  let late = DAY;
  const [kettle, pan] = ["kettle", "pan"].map((word, n) =>
    product(90 + n, word, word, [{ id: 9_000 + n, price: 500 }]),
  );
  const shop = await startShop({
    rows: [...rows, kettle, pan].flatMap((row) => row ?? []),
    hasTheme: false,
    config: { search: { popularityFromOrders: true } },
    now: () => Date.now() - late,
  });
  const idOf = (handle: string) => Number(rows.find((row) => row.handle === handle)?.id) * 100;
  const last = async (q: string) => (await handlesFound(shop, q))[2] ?? "";
  const [lantern, beacon, candle] = [
    await last("storm lantern"),
    await last("storm beacon"),
    await last("storm candle"),
  ];
  let number = 1_000;
  /** Places an order, by default a paid one. */
  const buys = async (handle: string, email: string, quantity = 1, then: "paid" | "cancel" | undefined = "paid") => {
    const client = shop.client();
    // Six buyers also buy the kettle, and one of them the pan.
    if (handle === lantern && then === "paid") await add(client, 9_000, 1);
    if (handle === lantern && email === "buyer-0@example.com") await add(client, 9_001, 1);
    await placeOrder(client, email, "", { id: idOf(handle), quantity });
    number += 1;
    if (then !== undefined) await orders("paid", "--reference", `bank ${number}`);
    if (then === "cancel") await orders("cancel", "--note", "sent back");
  };
  const orders = async (verb: string, ...options: string[]) => {
    const { code, err } = await runCommand(shop, "orders", verb, String(number), ...options);
    assert.equal(code, 0, err);
  };
  for (let n = 0; n < 6; n += 1) {
    await buys(lantern, `buyer-${n}@example.com`);
    // Another order of the same buyer on the same day does not count.
    await buys(lantern, `buyer-${n}@example.com`, 1, "cancel");
    // None of these count more: many orders of one buyer, a large quantity, unpaid orders, and canceled ones.
    await buys(beacon, n % 2 === 0 ? "Ada@example.com" : "ada@example.com", 90);
    await buys(candle, `buyer-${n}@example.com`, 1, n % 2 === 0 ? undefined : "cancel");
  }
  const complements = async (): Promise<readonly unknown[]> => {
    const query = new URLSearchParams({ product_id: String(idOf(lantern) / 100), intent: "complementary" });
    const reply = await shop.client().get(`/recommendations/products.json?${query}`);
    return reply.json<{ products: readonly { handle: string }[] }>().products.map(({ handle }) => handle);
  };
  assert.equal(await last("storm lantern"), lantern, "not on the same day");
  assert.notEqual((await complements())[0], "kettle");
  late = 0;
  await soon(async () => (await handlesFound(shop, "lantern"))[0] === lantern);
  assert.equal((await handlesFound(shop, "storm lant"))[0], lantern);
  assert.equal((await complements())[0], "kettle");
  assert.notEqual((await complements())[1], "pan", "only one customer bought both");
  assert.equal(await last("storm beacon"), beacon);
  assert.equal(await last("storm candle"), candle);
  const { out } = await runCommand(shop, "search", "lantern", "--explain");
  assert.match(out, new RegExp(`product ${lantern}\\)(\n  .*)*\n +0\\.\\d\\d  often bought`));
  assert.equal(out.split("often bought").length, 2, out);
});
