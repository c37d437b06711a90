import assert from "node:assert/strict";
import { once } from "node:events";
import type { Socket } from "node:net";
import { after, test } from "node:test";
import { add } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { openSocket } from "../support/raw-socket.ts";
import { startShop } from "../support/shop.ts";

/**
 * Shop that rejects requests only after ten seconds, because these tests share its thread and the machine may be busy.
 */
const shop = await startShop({ config: { server: { maxWait: 10_000 } } });
const client = shop.client();
await add(client, variant.unlimited);

/** Milliseconds for which the event loop is blocked, longer than a request may wait. */
const STALL_MS = 1_500;

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

/** Opens connections and receives one response on each. */
async function openAll(count: number, { origin }: Pick<typeof shop, "origin"> = shop): Promise<readonly Socket[]> {
  const sockets = Array.from({ length: count }, () => openSocket(origin));
  after(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(sockets.map((socket) => answer(socket, get("/healthz"))));
  return sockets;
}

/** Sends requests at once, each on its own connection. */
async function sendAll(requests: readonly string[], at = shop): Promise<readonly string[]> {
  const sockets = await openAll(requests.length, at);
  return Promise.all(requests.map((request, number) => answer(sockets[number] as Socket, request)));
}

function isOk(reply: string): boolean {
  return reply.startsWith("HTTP/1.1 200 ");
}

test("requests that arrive while the event loop is blocked succeed: a suspended machine is not overloaded", async () => {
  const usualShop = await startShop({ config: { server: { maxWait: 1_000 } } });
  const paths = ["/", "/search/suggest.json?q=rain", "/cart.js", "/search/suggest?q=rain&section_id=context"];
  for (const path of paths) await usualShop.client().get(path);
  const sockets = await openAll(paths.length, usualShop);
  const answering = paths.map((path, number) => answer(sockets[number] as Socket, get(path)));
  const end = performance.now() + STALL_MS;
  while (performance.now() < end);
  for (const reply of await Promise.all(answering)) assert.match(reply, /^HTTP\/1\.1 200 /);
});

test("a burst is answered, even if it takes many time slices", async () => {
  const paths = [
    "/search/suggest.json?q=rain",
    "/search/suggest?q=rain&section_id=context",
    "/search?q=rain",
    "/cart.js",
  ];
  const requests = Array.from({ length: 300 }, (_, number) =>
    get((paths[number % 4] ?? "").replace("rain", `r${number}`)),
  );
  for (const reply of await sendAll(requests)) assert.match(reply, /^HTTP\/1\.1 200 /);
});

test("concurrent writes all apply, with their sections", async () => {
  const before = Number((await client.get("/cart.js")).json().item_count);
  const plainRequest = await write("/cart/add.js", { id: variant.unlimited, quantity: 1 });
  const bundled = await write("/cart/add.js", { id: variant.unlimited, quantity: 1, sections: "cart-count" });
  const replies = await sendAll([...Array(150).fill(plainRequest), ...Array(50).fill(bundled)]);
  for (const reply of replies) assert.match(reply, /^HTTP\/1\.1 200 /);
  assert.equal((await client.get("/cart.js")).json().item_count, before + replies.length);
});

/** A shop with a very short maximum wait, so that a burst overloads it. */
const hasty = await startShop({ config: { server: { maxWait: 2 } } });

test("rejected requests get 503 with Retry-After in the format of their URL, and health checks respond", async () => {
  const paths = ["/search/suggest.json?q=r", "/search/suggest?section_id=context&q=r", "/cart.js?n=", "/search?q=r"];
  const requests = Array.from({ length: 400 }, (_, number) => get(`${paths[number % 4]}${number}`));
  const replies = await sendAll([...requests, get("/healthz"), get("/readyz")], hasty);
  const of = (kind: number): readonly string[] => replies.slice(0, 400).filter((_, number) => number % 4 === kind);
  const forms = [
    /\r\n\r\n\{"status":"503","message":"Service unavailable","description":"The server is overloaded/,
    /\r\ncontent-type: text\/plain/i,
    /"error":"overloaded"/,
    /<h1>The shop is currently unavailable\./,
  ];
  for (const [kind, form] of forms.entries()) {
    const rejected = of(kind).filter((reply) => !isOk(reply));
    assert.ok(rejected.length > 0, `none of ${paths[kind]}`);
    for (const reply of rejected) {
      assert.match(reply, /^HTTP\/1\.1 503 /);
      assert.match(reply, /\r\nretry-after: 1\r\n/i);
      assert.match(reply, /\r\ncache-control: no-store\r\n/i);
      assert.match(reply, form);
    }
  }
  for (const health of replies.slice(400)) assert.match(health, /^HTTP\/1\.1 200 /);
});

test("files are served during an overload", async () => {
  const requests = Array.from({ length: 200 }, (_, number) =>
    number % 2 === 0 ? get("/vitrine/vitrine.js") : get(`/search?q=file+${number}`),
  );
  const replies = await sendAll(requests, hasty);
  assert.ok(replies.some((reply) => reply.startsWith("HTTP/1.1 503 ")));
  for (const [number, reply] of replies.entries()) if (number % 2 === 0) assert.ok(isOk(reply));
});

for (const [name, more] of [
  ["with sections", { sections: ["cart-count", "context"] }],
  ["with long bodies", { other: "x".repeat(10_000) }],
] as const)
  test(`rejected writes ${name} are not applied, and their connections stay open`, async () => {
    const shopper = hasty.client();
    await add(shopper, variant.unlimited);
    const before = Number((await shopper.get("/cart.js")).json().item_count);
    const adding = await write("/cart/add.js", { id: variant.unlimited, quantity: 1, ...more }, shopper, hostOf(hasty));
    const sockets = await openAll(400, hasty);
    const replies = await Promise.all(sockets.map((socket) => answer(socket, adding)));
    const done = replies.filter(isOk).length;
    const rejected = replies.filter((reply) => /^HTTP\/1\.1 503 .*"error":"overloaded"/s.test(reply)).length;
    assert.equal(done + rejected, replies.length);
    assert.ok(done > 0 && rejected > 0, `${done} done, ${rejected} rejected`);
    for (const socket of sockets) assert.match(await answer(socket, get("/healthz")), /^HTTP\/1\.1 200 /);
    assert.equal(Number((await shopper.get("/cart.js")).json().item_count), before + done);
  });

test("concurrent anonymous requests for one page render it once, with separate tokens", async () => {
  const sockets = await openAll(30);
  const answers = await Promise.all(sockets.map((socket) => answer(socket, get("/collections/all"))));
  for (const one of answers) assert.match(one, /^HTTP\/1\.1 200 /);
  const tokens = answers.map((one) => /csrf_token=([^;]+)/.exec(one)?.[1]);
  assert.equal(new Set(tokens).size, answers.length);
});

test("after an overload the same connections serve requests", async () => {
  const [socket] = await openAll(1);
  assert.match(await answer(socket as Socket, get("/cart.js")), /^HTTP\/1\.1 200 /);
});
