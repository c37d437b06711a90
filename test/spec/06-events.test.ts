import assert from "node:assert/strict";
import { test } from "node:test";
import { startShop } from "../support/shop.ts";

test("6 there is no event, webhook or notification mechanism: its usual paths are 404", async () => {
  const shop = await startShop();
  try {
    for (const path of ["/events", "/webhooks", "/api/events", "/api/webhooks"]) {
      assert.equal((await shop.client().get(path)).status, 404);
    }
  } finally {
    await shop.close();
  }
});
