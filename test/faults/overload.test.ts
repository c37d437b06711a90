import assert from "node:assert/strict";
import { once } from "node:events";
import type { Socket } from "node:net";
import { after, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { add } from "../support/assertions.ts";
import { variant } from "../support/catalogue.ts";
import { openSocket } from "../support/raw-socket.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop({ config: { server: { maxWait: 25 } } });
const client = shop.client();
await add(client, variant.unlimited);

/** Milliseconds for which the event loop does not turn. */
const STALL_MS = 400;

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: ${hostOf(shop)}\r\n\r\n`;
}

function hostOf({ origin }: Pick<typeof shop, "origin">): string {
  return new URL(origin).host;
}

async function write(path: string, body: object, shopper = client, host = hostOf(shop)): Promise<string> {
  const text = JSON.stringify(body);
  const token = await shopper.token();
  const cookies = [...shopper.cookies].map((pair) => pair.join("=")).join("; ");
  const headers = `Content-Type: application/json\r\nX-CSRF-Token: ${token}\r\nCookie: ${cookies}`;
  return `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
}

async function answer(socket: Socket, request: string): Promise<string> {
  const answered = once(socket, "data");
  socket.write(request);
  return String((await answered)[0]);
}

/** Connections that have been answered before. */
async function openAll(count: number, { origin }: Pick<typeof shop, "origin"> = shop): Promise<readonly Socket[]> {
  const sockets = Array.from({ length: count }, () => openSocket(origin));
  after(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(sockets.map((socket) => answer(socket, get("/healthz"))));
  return sockets;
}

/** So many requests are a crowd, and no shopper with a page's files. */
const crowd: readonly string[] = Array(120).fill(get("/api/csrf"));

/** Sends a crowd's requests and some more that then wait while the event loop stands. @returns how the answers to these begin */
async function askInCrowdWhileStalled(requests: readonly string[]): Promise<readonly string[]> {
  const answers = await askWhileStalled([...crowd, ...requests]);
  return answers.slice(crowd.length);
}

async function askWhileStalled(requests: readonly string[]): Promise<readonly string[]> {
  const sockets = await openAll(requests.length);
  const answers = requests.map((request, number) => answer(sockets[number] as Socket, request));
  const end = performance.now() + STALL_MS;
  while (performance.now() < end);
  const all = await Promise.all(answers);
  // What is read in the turn after a stall may have waited as well.
  await setTimeout(50);
  return all;
}

test("what has waited too long to be read is answered 503 with Retry-After, in the form of its address, and health is answered", async () => {
  const paths = ["/search/suggest.json?q=rain", "/search/suggest?q=rain&section_id=x", "/cart.js", "/", "/healthz"];
  const [suggestJson, suggestText, cart, page, health] = await askInCrowdWhileStalled(paths.map(get));
  for (const refused of [suggestJson, suggestText, cart, page]) {
    assert.match(refused ?? "", /^HTTP\/1\.1 503 /);
    assert.match(refused ?? "", /\r\nretry-after: 1\r\n/i);
    assert.match(refused ?? "", /\r\ncache-control: no-store\r\n/i);
  }
  assert.match(suggestJson ?? "", /\{"status":"503","message":"Too much to do","description":"There is more/);
  assert.match(suggestText ?? "", /content-type: text\/plain/i);
  assert.match(cart ?? "", /"error":"overloaded"/);
  assert.match(page ?? "", /<h1>Too much to do<\/h1>/);
  assert.match(health ?? "", /^HTTP\/1\.1 200 /);
});

test("a shopper alone is answered, however long the event loop stood: a machine that slept is no overload", async () => {
  const paths = ["/", "/search/suggest.json?q=rain", "/cart.js", "/search/suggest?q=rain&section_id=context"];
  for (const done of await askWhileStalled(paths.map(get))) assert.match(done, /^HTTP\/1\.1 200 /);
});

test("writes that wait all at once are each done, with their sections, however long it takes", async () => {
  const before = Number((await client.get("/cart.js")).json().item_count);
  const body = { id: variant.unlimited, quantity: 1, sections: "cart-count" };
  const requests = await Promise.all(Array.from({ length: 20 }, () => write("/cart/add.js", body)));
  for (const done of await askInCrowdWhileStalled(requests)) assert.match(done, /^HTTP\/1\.1 200 /);
  assert.equal((await client.get("/cart.js")).json().item_count, before + requests.length);
});

test("plain writes that come all at once are each done, however long that takes", async () => {
  const before = Number((await client.get("/cart.js")).json().item_count);
  const adding = await write("/cart/add.js", { id: variant.unlimited, quantity: 1 });
  const answers = await askInCrowdWhileStalled(Array(80).fill(adding));
  for (const done of answers) assert.match(done, /^HTTP\/1\.1 200 /);
  assert.equal((await client.get("/cart.js")).json().item_count, before + answers.length);
});

test("of writes with more sections than can be made soon some are answered 503, and these are not applied", async () => {
  const hasty = await startShop({ config: { server: { maxWait: 1 } } });
  const shopper = hasty.client();
  await add(shopper, variant.unlimited);
  const before = Number((await shopper.get("/cart.js")).json().item_count);
  const body = { id: variant.unlimited, quantity: 1, sections: ["cart-count", "context"] };
  const replies = await Promise.all(Array.from({ length: 400 }, () => shopper.post("/cart/add.js", body)));
  const done = replies.filter(({ status }) => status === 200).length;
  const refused = replies.filter(({ status }) => status === 503).length;
  assert.equal(done + refused, replies.length);
  assert.ok(done > 0 && refused > 0, `${done} done, ${refused} refused`);
  let cart = await shopper.get("/cart.js");
  while (cart.status === 503) cart = await shopper.get("/cart.js");
  assert.equal(Number(cart.json().item_count), before + done);
});

test("writes that come for longer, and faster, than they can be done are answered 503 before their bodies are read; these are not applied, and their connections go on", async () => {
  const hasty = await startShop({ config: { server: { maxWait: 1 } } });
  const shopper = hasty.client();
  await add(shopper, variant.unlimited);
  const before = Number((await shopper.get("/cart.js")).json().item_count);
  const body = { id: variant.unlimited, quantity: 1, other: "x".repeat(10_000) };
  const adding = await write("/cart/add.js", body, shopper, hostOf(hasty));
  let done = 0;
  let refused = 0;
  const keepAdding = async (socket: Socket): Promise<void> => {
    while (refused === 0) {
      const answered = await answer(socket, adding);
      if (/^HTTP\/1\.1 200 /.test(answered)) done += 1;
      else {
        assert.match(answered, /^HTTP\/1\.1 503 .*"error":"overloaded"/s);
        refused += 1;
      }
    }
    assert.match(await answer(socket, get("/healthz")), /^HTTP\/1\.1 200 /);
  };
  await Promise.all((await openAll(150, hasty)).map(keepAdding));
  let cart = await shopper.get("/cart.js");
  while (cart.status === 503) cart = await shopper.get("/cart.js");
  assert.equal(Number(cart.json().item_count), before + done);
});

test("of strangers who open one page at once one has it rendered, and each gets a token of their own", async () => {
  const sockets = await openAll(30);
  const answers = await Promise.all(sockets.map((socket) => answer(socket, get("/collections/all"))));
  for (const one of answers) assert.match(one, /^HTTP\/1\.1 200 /);
  const tokens = answers.map((one) => /csrf_token=([^;]+)/.exec(one)?.[1]);
  assert.equal(new Set(tokens).size, answers.length);
});

test("once the loop turns again everything is answered, on the same connections", async () => {
  const [socket] = await openAll(1);
  assert.match(await answer(socket as Socket, get("/cart.js")), /^HTTP\/1\.1 200 /);
});
