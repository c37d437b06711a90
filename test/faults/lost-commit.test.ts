import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { type App, createApp } from "../../src/app.ts";
import { DEFAULT_CONNECTIONS } from "../../src/storage/postgres/postgres.ts";
import { assertMutated, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { createClient, type Reply } from "../support/client.ts";
import { makeStore, testSecret } from "../support/shop.ts";
import { startProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { createEmptyDatabase, takePostgres } from "../support/test-database.ts";
import { until } from "../support/until.ts";

const postgres = await takePostgres();
let cable: TcpProxy;
let app: App;
let storeDir = "";
let origin = "";
/** Another server on the same database, connected without a proxy. */
let other: App;
let otherOrigin = "";

before(async () => {
  const url = new URL(await createEmptyDatabase(postgres));
  const directPort = url.port;
  cable = await startProxy(Number(directPort));
  url.port = String(cable.port);
  storeDir = await makeStore({});
  app = await createApp({ storeDir, secret: testSecret, logLevel: "silent", databaseUrl: url.href });
  origin = await app.listen("127.0.0.1", 0);
  url.port = directPort;
  other = await createApp({ storeDir, secret: testSecret, logLevel: "silent", databaseUrl: url.href });
  otherOrigin = await other.listen("127.0.0.1", 0);
});
after(async () => {
  await app.close();
  await other.close();
  await cable.close();
  await rm(storeDir, { recursive: true });
});

test("a connection broken at any point of an add: 200 is stored and 502 is not, also with another server writing", async () => {
  const client = createClient(origin);
  assertMutated(await client.post("/cart/add.js", { id: variant.unlimited, quantity: 1 }));
  const otherClient = createClient(otherOrigin);
  for (const [name, value] of client.cookies) otherClient.cookies.set(name, value);
  // Number of rounds. Each of 24 moments is tested three times.
  const rounds = Number(process.env.VITRINE_ROUNDS ?? 72);
  const rejectedReplies: Reply[] = [];
  let addedCount = 1;
  for (let round = 0; round < rounds; round += 1) {
    const body = { id: variant.unlimited, quantity: 1 };
    const headers = round % 2 === 0 ? {} : { "idempotency-key": `round-${round}` };
    const adds = [
      client.post("/cart/add.js", body, headers),
      ...(round % 3 === 0 ? [otherClient.post("/cart/add.js", body)] : []),
    ];
    await pause((round % 24) * 0.25);
    cable.restore();
    for (const reply of await Promise.all(adds)) {
      if (reply.status === 200) addedCount += 1;
      else rejectedReplies.push(reply);
    }
    assert.equal((await readCart(otherClient)).item_count, addedCount, `round ${round}`);
  }
  for (const reply of rejectedReplies)
    assert.deepEqual([reply.status, reply.json().error], [502, "cart_service_unavailable"]);
  assert.ok(rejectedReplies.length < rounds / 10, `${rejectedReplies.length} of ${rounds} were refused`);
});

test("a keyed add that got 502 applies once when repeated", async () => {
  const client = createClient(origin);
  assertMutated(await client.post("/cart/add.js", { id: variant.unlimited, quantity: 1 }));
  const send = () =>
    client.post("/cart/add.js", { id: variant.unlimited, quantity: 1 }, { "idempotency-key": "in-the-dark" });
  const first = send();
  await pause(1);
  cable.silence();
  const rejectedReplies = await first;
  assert.ok([200, 502].includes(rejectedReplies.status), rejectedReplies.text);
  cable.restore();
  const reply = await until(async () => {
    const secondReply = await send();
    return secondReply.status === 200 && secondReply;
  }, "the write succeeds");
  assert.equal(assertMutated(reply).item_count, 2);
  assert.equal((await readCart(client)).item_count, 2);
});

test("reads succeed when all pooled connections break at once and the database stays reachable", async () => {
  const client = createClient(origin);
  assertMutated(await client.post("/cart/add.js", { id: variant.unlimited, quantity: 1 }));
  for (let round = 0; round < 50; round += 1) {
    // As many concurrent reads as the pool has connections, so that all are open and idle after.
    const warmUp = Array.from({ length: DEFAULT_CONNECTIONS }, () => readCart(client));
    for (const cart of await Promise.all(warmUp)) assert.equal(cart.item_count, 1, `round ${round}, before the break`);
    const reading = readCart(client);
    await pause((round % 10) * 0.2);
    cable.restore();
    assert.equal((await reading).item_count, 1, `round ${round}`);
  }
});

/** Waits even for fractions of a millisecond, which timers do not support. */
async function pause(ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
}
