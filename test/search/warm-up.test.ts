import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { test } from "node:test";
import { createApp } from "../../src/app.ts";
import { product } from "../support/catalog.ts";
import { send } from "../support/client.ts";
import { makeStore, testSecret } from "../support/shop.ts";
import { until } from "../support/until.ts";

test("a server with many products is ready after searches that no statistic contains", async (t) => {
  const rows = Array.from({ length: 1_000 }, (_, index) =>
    product(index + 1, `lamp-${index}`, `Storm lantern of brass ${index}`, [{ id: index + 1, price: 4_900 }]),
  );
  const storeDir = await makeStore({ rows });
  const app = await createApp({ storeDir, secret: testSecret, logLevel: "silent" });
  t.after(() => app.close().then(() => rm(storeDir, { recursive: true })));
  // A request would arrive later, maybe after the searches.
  assert.equal(await app.shop.process.isReady(), false);
  const origin = await app.listen("127.0.0.1", 0);
  assert.equal((await send(origin, "GET", "/search/suggest.json?q=storm")).status, 200);
  await until(async () => (await send(origin, "GET", "/readyz")).status === 200);
  assert.equal(app.shop.process.searchTimes.count(), 1);
});
