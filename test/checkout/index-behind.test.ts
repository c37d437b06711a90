import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../support/assertions.ts";
import { product } from "../support/catalog.ts";
import { address, checkoutOf, submit } from "../support/checkout-page.ts";
import { send } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { startShop } from "../support/shop.ts";

/** Number of imported rows, enough to keep the index rebuild running for a while. */
const ROWS = 1_000;

const row = (id: number, description: string) => ({
  ...product(id, `mug-${id}`, `Mug ${id}`, [{ id, price: 1_000, inventory_quantity: 5 }]),
  description,
});
const ids = Array.from({ length: ROWS }, (_, index) => index + 1);
const shop = await startShop({ hasTheme: false, rows: ids.map((id) => row(id, "White")) });
const token = await createApiToken(shop, "catalog:write", "checkouts:complete");
const bearer = { authorization: `Bearer ${token}` };

test("variants whose stock never changed are ordered while the index is behind the catalog", async () => {
  const shoppers = await Promise.all(
    ids.slice(0, 6).map(async (id) => {
      const client = shop.client();
      await add(client, id);
      return { client, checkout: await checkoutOf(client) };
    }),
  );
  const edited = await send(shop.origin, "POST", "/admin/catalog", {
    headers: { ...bearer, "content-type": "application/x-ndjson" },
    body: ids.map((id) => JSON.stringify(row(id, "Blue"))).join("\n"),
  });
  assert.equal(edited.status, 200, edited.text);
  const replies = await Promise.all(
    shoppers.map(({ client, checkout }, index) => {
      if (index % 2 === 0) return submit(client, checkout, { ...address, order: "" });
      const payment = { amount: 1_000, currency: "USD", reference: `payment-${index}` };
      const path = `/api/checkouts/${checkout.url.split("/").at(-1)}/complete`;
      return client.send("POST", path, {
        headers: { ...bearer, "content-type": "application/json" },
        body: JSON.stringify(payment),
      });
    }),
  );
  const statuses = replies.map(({ status, headers }) => `${status} ${headers.location?.split("/")[1] ?? ""}`);
  assert.deepEqual(new Set(statuses), new Set(["303 orders", "200 "]));
});
