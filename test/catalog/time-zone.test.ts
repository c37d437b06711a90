import assert from "node:assert/strict";
import { test } from "node:test";
import { readCart } from "../support/assertions.ts";
import { article, bundle, rows, variant } from "../support/catalog.ts";
import { send } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

const sale = (title: string, value: number, starts_at: string) => {
  return { kind: "discount", code: title, title, value_type: "percentage", value, starts_at };
};
let now = Date.parse("2026-07-01T03:59:00Z");
const shop = await startShop({
  now: () => now,
  config: { timezone: "America/New_York" },
  rows: [
    ...rows,
    sale("JULY", 10, "2026-07-01"),
    { ...bundle(701, "july-box", "July box", "box_builder", ["canvas-tote"]), starts_at: "2026-07-01" },
    article(702, "july-news", "July news", "2026-07-01"),
  ],
});
const client = shop.client();

async function visibleDates(code: string): Promise<readonly unknown[]> {
  await client.post("/cart/update.js", { updates: { [variant.unlimited]: 1 }, discount: code });
  const paths = ["/bundles/july-box", "/blogs/journal/july-news"];
  const pages = await Promise.all(paths.map((path) => client.get(path)));
  return [(await readCart(client)).total_discount_cents > 0, ...pages.map(({ status }) => status)];
}

test("a date without a time zone begins at midnight of the store's time zone, for discounts, bundles and articles", async () => {
  assert.deepEqual(await visibleDates("JULY"), [false, 404, 404]);
  now = Date.parse("2026-07-01T04:00:01Z");
  assert.deepEqual(await visibleDates("JULY"), [true, 200, 200]);
});

test("rows from other systems use the store's time zone too", async () => {
  const token = await createApiToken(shop, "catalog:write");
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify(sale("SECOND", 20, "2026-07-02"));
  const reply = await send(shop.origin, "POST", "/admin/catalog", { headers, body });
  assert.equal(reply.status, 200, reply.text);
  now = Date.parse("2026-07-02T04:00:01Z");
  await until(async () => (await visibleDates("SECOND"))[0] === true);
  now = Date.parse("2026-07-02T03:59:00Z");
  assert.equal((await visibleDates("SECOND"))[0], false);
});
