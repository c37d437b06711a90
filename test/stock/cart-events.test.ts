import assert from "node:assert/strict";
import { type ClientRequest, get, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { after, test } from "node:test";
import { createApp } from "../../src/app.ts";
import { createThreadedApp } from "../../src/threads/threaded-app.ts";
import { add } from "../support/assertions.ts";
import { product, rows, variant } from "../support/catalog.ts";
import { type Client, createClient, send } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { openSocket } from "../support/raw-socket.ts";
import { makeStore, startShop, testSecret } from "../support/shop.ts";
import { freshDatabase, serverVariable } from "../support/test-database.ts";
import { until } from "../support/until.ts";

let ahead = 0;
const shop = await startShop({ now: () => Date.now() + ahead, config: { trustProxy: ["127.0.0.1"] } });
const token = await createApiToken(shop, "catalog:write", "stock:write");

interface Following {
  readonly reply: IncomingMessage;
  readonly text: () => string;
  /** Resolves with the data of the next unread event. */
  next(): Promise<{ readonly revision: number; readonly id: string }>;
  /** Resolves when the response has ended. */
  readonly ended: Promise<void>;
  close(): void;
}

const cookieOf = ({ cookies }: Client): string => [...cookies].map((pair) => pair.join("=")).join("; ");

/** Opens a stream like a browser. */
async function follow(client: Client, origin = shop.origin, headers: Record<string, string> = {}): Promise<Following> {
  let asked: ClientRequest | undefined;
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    asked = get(`${origin}/cart/events`, { headers: { cookie: cookieOf(client), ...headers }, agent: false }, resolve);
    asked.once("error", reject);
  });
  let text = "";
  let told = 0;
  let arrived = (): void => undefined;
  reply.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    arrived();
  });
  const ended = new Promise<void>((resolve) => reply.once("end", resolve));
  reply.once("error", () => undefined);
  return {
    reply,
    text: () => text,
    async next() {
      for (;;) {
        const events = [...text.matchAll(/id: (\S+)\nevent: cart\ndata: (.*)\n\n/g)];
        const [, id = "", data] = events[told] ?? [];
        if (data !== undefined) {
          told += 1;
          const value = JSON.parse(data);
          assert.deepEqual(Object.keys(value), ["revision"]);
          return { ...value, id };
        }
        await new Promise<void>((resolve) => {
          arrived = resolve;
        });
      }
    },
    ended,
    close: () => asked?.destroy(),
  };
}

const bearer = { authorization: `Bearer ${token}` };

async function changeCatalogue(row: object): Promise<void> {
  const headers = { ...bearer, "content-type": "application/x-ndjson" };
  const reply = await send(shop.origin, "POST", "/admin/catalog", { headers, body: JSON.stringify(row) });
  assert.equal(reply.status, 200, reply.text);
}

async function changeStock(line: object): Promise<void> {
  const headers = { ...bearer, "content-type": "application/json" };
  const reply = await send(shop.origin, "POST", "/admin/stock", { headers, body: JSON.stringify(line) });
  assert.equal(reply.status, 200, reply.text);
}

async function shopper(id: number, origin = shop.origin): Promise<Client> {
  const client = createClient(origin);
  await add(client, id, 1);
  return client;
}

test("a stream reports cart changes on other devices, and changes of prices, discounts and stock", async () => {
  const [client, other] = [await shopper(variant.scarce), await shopper(variant.unlimited)];
  const device = createClient(shop.origin);
  for (const [name, value] of client.cookies) device.cookies.set(name, value);
  const [here, elsewhere] = [await follow(client), await follow(other)];
  assert.equal(here.reply.statusCode, 200);
  assert.equal(here.reply.headers["content-type"], "text/event-stream");
  assert.equal(here.reply.headers["cache-control"], "no-store");
  assert.equal(here.reply.headers["content-encoding"], undefined);
  assert.equal(here.reply.headers["x-content-type-options"], "nosniff");
  const first = await here.next();
  assert.deepEqual([first.revision, (await elsewhere.next()).revision], [1, 1]);
  assert.match(here.text(), /^retry: \d+\n/);

  await add(device, variant.unlimited, 1);
  const second = await here.next();
  assert.equal(second.revision, 2);

  await changeCatalogue(
    product(8, "brass-button", "Brass Button", [{ id: variant.scarce, price: 99, inventory_quantity: 3 }]),
  );
  const third = await here.next();
  assert.equal(third.revision, 2);
  assert.notEqual(third.id, second.id);
  assert.match((await client.get("/cart.js")).text, /"price":99\b/);

  await changeStock({ variant_id: variant.scarce, quantity: 0 });
  const fourth = await here.next();
  assert.deepEqual([fourth.revision, fourth.id === third.id], [2, false]);

  const discount = { kind: "discount", id: 880, title: "Tide", value_type: "percentage", value: 10 };
  await changeCatalogue(discount);
  const fifth = await here.next();
  assert.equal(fifth.revision, 2);
  assert.equal((await elsewhere.next()).revision, 1);
  assert.equal(elsewhere.text().match(/event:/g)?.length, 2, "the discount is the first news to the other cart");

  here.close();
  const again = await follow(client, shop.origin, { "last-event-id": fifth.id });
  await add(device, variant.unlimited, 1);
  assert.equal((await again.next()).revision, 3, "what was told is not told again");
  const late = await follow(client, shop.origin, { "last-event-id": fifth.id });
  assert.equal((await late.next()).revision, 3, "and nothing is missed in between");
  for (const one of [elsewhere, again, late]) one.close();
});

test("a discount that starts or ends is reported, one with a code to its carts", async () => {
  const [client, other] = [await shopper(variant.unlimited), await shopper(variant.unlimited)];
  const after = (ms: number): string => new Date(Date.now() + ahead + ms).toISOString();
  const [hour, day] = [3_600_000, 86_400_000];
  const coded = { kind: "discount", id: 881, title: "Ebb", code: "EBB", value_type: "percentage", value: 10 };
  await changeCatalogue({ ...coded, ends_at: after(2 * hour) });
  await changeCatalogue({ ...coded, id: 882, code: undefined, title: "Flood", starts_at: after(day) });
  await client.post("/cart/update.js", { discount: "EBB" });
  // The catalog change applies after a moment.
  const isApplicable = async () => /"code":"EBB","applicable":true/.test((await client.get("/cart.js")).text);
  await until(isApplicable, "the discount starts");
  const [here, elsewhere] = [await follow(client), await follow(other)];
  const [first, elsewhereFirst] = [await here.next(), await elsewhere.next()];
  ahead += 3 * hour;
  const second = await here.next();
  assert.deepEqual([second.revision, second.id === first.id], [first.revision, false]);
  ahead += day;
  assert.equal((await here.next()).revision, first.revision);
  const began = await elsewhere.next();
  assert.deepEqual([began.revision, began.id === elsewhereFirst.id], [1, false]);
  assert.equal(elsewhere.text().match(/event:/g)?.length, 2, "a code that ended is no news to a cart without it");
  here.close();
  elsewhere.close();
});

test("a stream in one thread or server reports writes of others", async () => {
  const storeDir = await makeStore({ rows });
  const database = await freshDatabase();
  const options = { storeDir, secret: testSecret, logLevel: "silent", ...database };
  const threaded = await createThreadedApp(options, 2);
  after(() => threaded.close());
  const origins = [await threaded.listen("127.0.0.1", 0)];
  if (database.databaseUrl !== undefined) {
    const second = await createApp(options);
    after(() => second.close());
    origins.push(await second.listen("127.0.0.1", 0));
  }
  const client = await shopper(variant.unlimited, origins[0]);
  const streams = await Promise.all([...origins, ...origins].map((origin) => follow(client, origin)));
  for (const stream of streams) assert.equal((await stream.next()).revision, 1);
  let revision = 1;
  // Any thread may accept a connection.
  for (const origin of [...origins, ...origins]) {
    const device = createClient(origin);
    for (const [name, value] of client.cookies) device.cookies.set(name, value);
    await add(device, variant.unlimited, 1);
    revision += 1;
    for (const stream of streams) assert.equal((await stream.next()).revision, revision);
  }
  for (const stream of streams) stream.close();
});

// Streams are counted in memory.
const skip = process.env[serverVariable] !== undefined;
test("a thousand streams are served, and one more is rejected with Retry-After", { skip }, async () => {
  const most = 1_000;
  const clients = await Promise.all(Array.from({ length: most / 5 + 1 }, () => shopper(variant.unlimited)));
  const from = (cart: number): Record<string, string> => ({
    "x-forwarded-for": `192.0.${Math.floor(cart / 4 / 250)}.${1 + (Math.floor(cart / 4) % 250)}`,
  });
  const open: Following[] = [];
  for (const [cart, client] of clients.slice(0, -1).entries()) {
    const streams = await Promise.all(Array.from({ length: 5 }, () => follow(client, shop.origin, from(cart))));
    assert.deepEqual(new Set(streams.map(({ reply }) => reply.statusCode)), new Set([200]), `${open.length}`);
    open.push(...streams);
  }
  const last = clients.at(-1);
  assert.ok(last);
  const refused = await follow(last, shop.origin, from(most));
  assert.deepEqual([refused.reply.statusCode, refused.reply.headers["retry-after"]], [503, "60"]);
  assert.equal((await shop.client().get("/cart.js")).status, 200, "whatever else is asked is answered");
  for (const one of open) one.close();
});

test("a missing or empty cart gets 204, other methods are rejected, HEAD responds at once, and a language prefix changes nothing", async () => {
  const client = shop.client();
  const reply = await client.get("/cart/events");
  assert.deepEqual([reply.status, reply.text, reply.headers["cache-control"]], [204, "", "no-store"]);
  await add(client, variant.unlimited, 1);
  const head = await client.send("HEAD", "/fr/cart/events");
  assert.deepEqual([head.status, head.headers["content-type"]], [200, "text/event-stream"]);
  const posted = await client.post("/cart/events");
  assert.deepEqual([posted.status, posted.headers.allow], [405, "GET, HEAD"]);
  await client.post("/cart/clear.js");
  assert.equal((await client.get("/cart/events")).status, 204);
});

test("a cart has five streams and an IP address twenty, and a closed stream frees its slot", async () => {
  const clients = await Promise.all(Array.from({ length: 5 }, () => shopper(variant.unlimited)));
  const [first] = clients;
  assert.ok(first);
  const open: Following[] = [];
  for (let count = 0; count < 5; count += 1) open.push(await follow(first));
  const refused = await first.get("/cart/events");
  assert.deepEqual([refused.status, refused.headers["retry-after"]], [503, "60"]);
  assert.equal(refused.json().error, "overloaded");
  for (const client of clients.slice(1, 4)) for (let count = 0; count < 5; count += 1) open.push(await follow(client));
  assert.deepEqual(new Set(open.map(({ reply }) => reply.statusCode)), new Set([200]));
  const last = clients[4];
  assert.ok(last);
  assert.equal((await last.get("/cart/events")).status, 503);
  open.pop()?.close();
  let freed = await follow(last);
  while (freed.reply.statusCode === 503) freed = await follow(last);
  assert.equal(freed.reply.statusCode, 200);
  for (const one of [...open, freed]) one.close();
});

test("further data on the connection closes a stream, in the same packet and later", async () => {
  const client = await shopper(variant.unlimited);
  const request = `GET /cart/events HTTP/1.1\r\nHost: a\r\nCookie: ${cookieOf(client)}\r\n\r\n`;
  const next = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
  const whole = (socket: Socket, text = ""): Promise<string> =>
    new Promise((resolve) => {
      socket.on("data", (chunk) => {
        text += chunk.toString();
        if (text.includes("event: cart")) socket.write(next);
      });
      socket.on("close", () => resolve(text));
    });
  const [both, later] = [openSocket(shop.origin), openSocket(shop.origin)];
  both.write(request + next);
  later.write(request);
  for (const text of await Promise.all([whole(both), whole(later)])) {
    assert.match(text, /^HTTP\/1.1 200 OK[\s\S]*connection: close[\s\S]*\r\n0\r\n\r\n$/i);
    assert.equal(text.match(/HTTP\/1.1/g)?.length, 1);
  }
});

test("a shutdown closes all streams", async () => {
  const stopping = await startShop({ rows });
  const client = await shopper(variant.unlimited, stopping.origin);
  const stream = await follow(client, stopping.origin);
  await stream.next();
  const closed = stopping.app.close();
  await stream.ended;
  await closed;
});
