import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { type App, createApp } from "../../src/app.ts";
import { assertMutated, readCart } from "../assertions.ts";
import { variant } from "../catalogue.ts";
import { createClient } from "../client.ts";
import { type PostgresServer, startPostgres } from "../postgres-server.ts";
import { makeStore, testSecret } from "../shop.ts";
import { startProxy, type TcpProxy } from "../tcp-proxy.ts";

let postgres: PostgresServer;
let cable: TcpProxy;
let app: App;
let storeDir = "";
let origin = "";

before(async () => {
  postgres = await startPostgres();
  const url = new URL(await postgres.createDatabase("shop"));
  cable = await startProxy(Number(url.port));
  url.port = String(cable.port);
  storeDir = await makeStore({});
  app = await createApp({ storeDir, secret: testSecret, logLevel: "silent", databaseUrl: url.href });
  origin = await app.listen("127.0.0.1", 0);
});
after(async () => {
  await app.close();
  await cable.close();
  await postgres.remove();
  await rm(storeDir, { recursive: true });
});

test("connections broken at any moment of a keyed add, before its commit and after: sent again, it is applied once", async () => {
  const client = createClient(origin);
  const rounds = 120;
  let lost = 0;
  let lostAfterCommit = 0;
  for (let round = 0; round < rounds; round += 1) {
    const send = () =>
      client.post("/cart/add.js", { id: variant.unlimited, quantity: 1 }, { "idempotency-key": `round-${round}` });
    const first = send();
    await pause((round % 24) * 0.25);
    cable.restore();
    let reply = await first;
    if (reply.status !== 200) {
      lost += 1;
      assert.deepEqual([reply.status, reply.json().error], [502, "cart_service_unavailable"]);
      if (client.cookies.has("cart") && (await countItems()) === round + 1) lostAfterCommit += 1;
    }
    for (const deadline = performance.now() + 5_000; reply.status !== 200; reply = await send()) {
      assert.ok(performance.now() < deadline, reply.text);
      await setTimeout(5);
    }
    assert.equal(assertMutated(reply).item_count, round + 1, `round ${round}`);
  }
  assert.equal((await readCart(client)).item_count, rounds);
  assert.ok(lost > 0, "some answers were lost");
  process.stdout.write(`# ${lost} of ${rounds} answers were lost, ${lostAfterCommit} of them after the commit\n`);

  async function countItems(): Promise<number> {
    for (;;) {
      const reply = await client.get("/cart.js");
      if (reply.status === 200) return reply.json<{ item_count: number }>().item_count;
    }
  }
});

test("a read that meets a connection broken meanwhile is asked again on another: the shopper sees the cart", async () => {
  const client = createClient(origin);
  assertMutated(await client.post("/cart/add.js", { id: variant.unlimited, quantity: 1 }));
  for (let round = 0; round < 50; round += 1) {
    const reading = readCart(client);
    await pause((round % 10) * 0.2);
    cable.restore();
    assert.equal((await reading).item_count, 1, `round ${round}`);
  }
});

/** Timers count whole milliseconds. */
async function pause(ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
}
