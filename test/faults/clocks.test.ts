import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, test } from "node:test";
import { add, assertMutated, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { type Client, createClient } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { placeOrder } from "../support/orders.ts";
import { type ServerProcess, serve, wrongClock } from "../support/server-process.ts";
import { makeStore, openShop, startShop } from "../support/shop.ts";
import { createEmptyDatabase, takePostgres } from "../support/test-database.ts";

const DAY = 86_400_000;
const storeDir = await makeStore({});
after(() => rm(storeDir, { recursive: true, force: true }));

test("3 a server whose clock starts forty days ahead deletes no cart", async () => {
  const first = await openShop(storeDir);
  const client = createClient(first.origin);
  await add(client, variant.unlimited, 2);
  await first.close();
  await stop(await serve(storeDir, "", wrongClock(40 * DAY)));
  const again = await openShop(storeDir);
  assert.equal((await readCart(at(again, client))).item_count, 2);
  await again.close();
});

test("5 Idempotency-Key: two servers of one database whose clocks are two days apart apply a keyed write once", async () => {
  const DATABASE_URL = await createEmptyDatabase(await takePostgres());
  const right = await openShop(storeDir, DATABASE_URL);
  const fastServer = await serve(storeDir, "", { DATABASE_URL, ...wrongClock(2 * DAY) });
  const client = createClient(right.origin);
  await client.token();
  const other = at(fastServer, client);
  const send = (by: Client, key: string) =>
    by.post("/cart/add.js", { id: variant.unlimited, quantity: 1 }, { "idempotency-key": key });
  // The response to the first write, which creates the cart, is lost.
  const replies = [await send(client, "first"), await send(other, "first"), await send(other, "second")];
  replies.push(await send(client, "second"));
  const carts = replies.map((reply) => assertMutated(reply));
  assert.deepEqual(
    carts.map((cart) => cart.item_count),
    [1, 1, 2, 2],
  );
  assert.equal(new Set(carts.map((cart) => cart.id)).size, 1);
  await Promise.all([right.close(), stop(fastServer)]);
});

test("a shop whose clock is set back by two hours takes orders and API calls at once", async () => {
  let now = Date.now();
  const shop = await startShop({ now: () => now, hasTheme: false });
  const token = await createApiToken(shop, "orders:read");
  const listOrders = () => shop.client().get("/api/orders", { authorization: `Bearer ${token}` });
  await placeOrder(shop.client());
  assert.equal((await listOrders()).status, 200);
  now -= 2 * 3_600_000;
  await placeOrder(shop.client());
  assert.equal((await listOrders()).json<{ orders: readonly unknown[] }>().orders.length, 2);
});

/** Returns a client with the same cookies for another server. */
function at({ origin }: { readonly origin: string }, client: Client): Client {
  const other = createClient(origin);
  for (const [name, value] of client.cookies) other.cookies.set(name, value);
  return other;
}

async function stop({ child, finished }: ServerProcess): Promise<void> {
  child.kill("SIGTERM");
  await finished;
}
