import assert from "node:assert/strict";
import { test } from "node:test";
import { product } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

test("a server with many products is ready after searches that no statistic contains", async () => {
  const rows = Array.from({ length: 1_000 }, (_, index) =>
    product(index + 1, `lamp-${index}`, `Storm lantern of brass ${index}`, [{ id: index + 1, price: 4_900 }]),
  );
  const shop = await startShop({ rows });
  try {
    const client = shop.client();
    assert.equal((await client.get("/readyz")).status, 503);
    assert.equal((await client.get("/search/suggest.json?q=storm")).status, 200);
    await until(async () => (await client.get("/readyz")).status === 200);
    assert.equal(shop.app.shop.process.searchTimes.count(), 1);
  } finally {
    await shop.close();
  }
});
