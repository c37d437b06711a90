import assert from "node:assert/strict";
import { test } from "node:test";
import { product } from "../support/catalog.ts";
import { type Client, createClient, type Reply } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { startShop } from "../support/shop.ts";
import { callRest, cartOf, codesOf, createAgentCart, submitOrder } from "../support/ucp.ts";
import { until } from "../support/until.ts";

const shop = await startShop({
  hasTheme: false,
  rows: [product(1, "last", "Last Lantern", [{ id: 1, price: 9_900, inventory_quantity: 1 }])],
});
/** Number of agents; fewer on PostgreSQL, where each needs several round trips. */
const AGENTS = shop.env.DATABASE_URL === undefined ? 100 : 25;
const token = await createApiToken(shop, "orders:read");

/** Submits the order form, and again while the server has no time for it, as `Retry-After` asks. */
async function submitUntilAnswered(client: Client, page: Reply): Promise<Reply> {
  return until(async () => {
    const reply = await submitOrder(client, page);
    return reply.status === 502 || reply.status === 503 ? undefined : reply;
  });
}

test(`${AGENTS} agents that compete for the last unit get one order and ${AGENTS - 1} clear errors`, async () => {
  const agents = await Promise.all(
    Array.from({ length: AGENTS }, async () => {
      const client = createClient(shop.origin);
      const { continue_url: link } = await createAgentCart(shop.origin, [{ id: 1 }], { address_country: "DE" });
      const { pathname, search } = new URL(link);
      return { client, page: await client.get(pathname + search) };
    }),
  );
  for (const { page } of agents) assert.equal(page.status, 200);
  const replies = await Promise.all(agents.map(({ client, page }) => submitUntilAnswered(client, page)));
  const orders = replies.filter(
    ({ status, headers }) => status === 303 && /^\/orders\//.test(String(headers.location)),
  );
  assert.equal(orders.length, 1);
  const errors = replies.filter((reply) => !orders.includes(reply));
  for (const { status, text } of errors) {
    // 409: the stock of this server still counts the unit. 422: it is known to be sold.
    assert.ok(status === 409 || status === 422, `${status}`);
    assert.match(text, /role="alert"/);
    assert.match(text, /Your cart or its prices changed|An item is no longer available/);
  }
  const { orders: stored } = (await shop.client().get("/api/orders", { authorization: `Bearer ${token}` })).json<{
    orders: object[];
  }>();
  assert.equal(stored.length, 1);
  const late = await callRest(shop.origin, "create_cart", cartOf([{ id: 1 }]));
  assert.deepEqual([late.status, codesOf(late)], [200, ["out_of_stock"]]);
});
