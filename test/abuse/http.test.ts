import assert from "node:assert/strict";
import { test } from "node:test";
import { variant } from "../support/catalog.ts";
import { exchange, openSocket } from "../support/raw-socket.ts";
import { startShop } from "../support/shop.ts";
import { assertReply, victim } from "./abuse-row.ts";

const shop = await startShop();
const client = await victim(shop);
const host = new URL(shop.origin).host;

const get = (path: string, more = ""): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`;
const post = (head: string, body: string): string =>
  `POST /cart/clear.js HTTP/1.1\r\nHost: ${host}\r\n${head}\r\n${body}`;

const refusedBytes: readonly (readonly [string, string])[] = [
  ["H1 content-length and transfer-encoding", post("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")],
  ["H1 two content-lengths", post("Content-Length: 2\r\nContent-Length: 3\r\n", "{}x")],
  ["H1 a signed content-length", post("Content-Length: +2\r\n", "{}")],
  ["H1 transfer-encoding xchunked", post("Transfer-Encoding: xchunked\r\n", "2\r\n{}\r\n0\r\n\r\n")],
  ["H1 chunked, identity", post("Transfer-Encoding: chunked, identity\r\n", "2\r\n{}\r\n0\r\n\r\n")],
  ["H1 a blank before the colon", `GET / HTTP/1.1\r\nHost : ${host}\r\n\r\n`],
  ["H1 NUL in a header", get("/cart.js", "X: a\0b\r\n")],
  ["H1 a bare line feed in a header", get("/cart.js", "X: a\rb\r\n")],
  ["H2 no host", "GET /cart.js HTTP/1.1\r\nConnection: close\r\n\r\n"],
  ["H2 two hosts", get("/cart.js", "Host: evil.test\r\n")],
  ["H2 HTTP/0.9", "GET /cart.js\r\n\r\n"],
  [
    "H4 a chunk extension of 20 KB",
    post("Transfer-Encoding: chunked\r\n", `2;${"x".repeat(20_480)}\r\n{}\r\n0\r\n\r\n`),
  ],
  ["no HTTP at all", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
];
for (const [name, bytes] of refusedBytes) {
  test(`${name}: rejected and closed, with at most one response`, async () => {
    const text = await exchange(shop.origin, bytes);
    assert.equal(text.match(/HTTP\/1\.1 /g)?.length ?? 0, text === "" ? 0 : 1);
    assert.match(text, /^(HTTP\/1\.1 4\d\d |$)/);
    assert.ok(!text.includes("item_count"));
  });
}

test("H1 a transfer encoding that the server does not decode is 400, as is chunked in HTTP/1.0", async () => {
  const chunks = "2\r\n{}\r\n0\r\n\r\n";
  const gzip = post("Transfer-Encoding: gzip, chunked\r\n", chunks);
  const http10 = post("Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n", chunks).replace("/1.1", "/1.0");
  for (const bytes of [gzip, http10]) assert.match(await exchange(shop.origin, bytes), /^HTTP\/1\.1 400 /);
});

test("H2 an absolute URL with another host is not served under that host", async () => {
  const text = await exchange(
    shop.origin,
    `GET http://evil.test/cart HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
  );
  assert.match(text, /^HTTP\/1\.1 [234]\d\d /);
  assert.ok(!text.includes("evil.test"));
});

test("a request without a host is served over HTTP/1.0, as health checks send it", async () => {
  for (const path of ["/readyz", "/cart.js"])
    assert.match(await exchange(shop.origin, `GET ${path} HTTP/1.0\r\n\r\n`), /^HTTP\/1\.1 200 /, path);
  const text = await exchange(shop.origin, "GET http://evil.test/cart HTTP/1.0\r\n\r\n");
  assert.match(text, /^HTTP\/1\.1 400 /);
});

test("H2 an absolute URL of the shop may lack a path", async () => {
  for (const path of ["", "?page=2"]) {
    const request = get("/").replace("GET /", `GET http://${host}${path}`);
    assert.match(await exchange(shop.origin, request), /^HTTP\/1\.1 200 /, path);
  }
});

test("H3 too many headers, or too long ones: 431", async () => {
  const long = await exchange(shop.origin, get("/cart.js", `X: ${"x".repeat(20_000)}\r\n`));
  assert.match(long, /^HTTP\/1\.1 431 /);
  const pipelinedReplies = await exchange(
    shop.origin,
    get("/cart.js", Array.from({ length: 2_500 }, (_, n) => `X${n}: ${n}\r\n`).join("")),
  );
  assert.match(pipelinedReplies, /^HTTP\/1\.1 (431|400) /);
});

test("H7 headers named __proto__ and constructor are ordinary headers", async () => {
  const text = await exchange(shop.origin, get("/cart.js", "__proto__: x\r\nconstructor: y\r\n"));
  assert.match(text, /^HTTP\/1\.1 200 /);
});

for (const method of ["TRACE", "CONNECT", "PROPFIND", "OPTIONS", "FOO"]) {
  test(`H8 ${method} is rejected without CORS headers`, async () => {
    const preflight = "Origin: https://evil.test\r\nAccess-Control-Request-Method: POST\r\n";
    const target = method === "CONNECT" ? "evil.test:443" : "/cart/add.js";
    const text = await exchange(
      shop.origin,
      `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n${preflight}Connection: close\r\n\r\n`,
    );
    assert.match(text, /^(HTTP\/1\.1 (204|40[0-9]|501) |$)/);
    assert.doesNotMatch(text, /access-control-allow|evil\.test/i);
  });
}

test("H9 upgrades are rejected, and expectations are met or rejected", async () => {
  const upgrade = await exchange(
    shop.origin,
    get("/cart.js", "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n").replace(
      "Connection: close",
      "Connection: Upgrade, HTTP2-Settings",
    ),
  );
  assert.doesNotMatch(upgrade, /^HTTP\/1\.1 101/);
  assert.match(await exchange(shop.origin, get("/cart.js", "Expect: foo\r\n")), /^HTTP\/1\.1 (417|200) /);
});

test("H9 an upgrade request gets the last response of its connection", async () => {
  const upgradeRequests = `${get("/cart.js", "Upgrade: websocket\r\n").replace("close", "upgrade")}${get("/api/csrf")}`;
  const text = await exchange(shop.origin, upgradeRequests);
  assert.match(text, /^HTTP\/1\.1 200 [\s\S]*\r\nConnection: close\r\n/i);
  assert.equal(text.match(/HTTP\/1\.1 /g)?.length, 1);
});

test("H10 1,000 pipelined requests are answered, in order", async () => {
  const count = 1_000;
  const bytes = Array.from(
    { length: count },
    (_, n) =>
      `GET /search/suggest.json?q=a&limit=${n === 50 ? 99 : 1} HTTP/1.1\r\nHost: ${host}\r\n${n === count - 1 ? "Connection: close\r\n" : ""}\r\n`,
  );
  const text = await exchange(shop.origin, bytes.join(""));
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => match[1]);
  assert.equal(statuses.length, count);
  assert.equal(statuses.indexOf("422"), 50);
});

test("H10 a connection is closed after 10,000 requests, although more were sent", async () => {
  const text = await exchange(shop.origin, `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(20_000));
  assert.equal(text.match(/HTTP\/1\.1 200 /g)?.length, 10_000);
  assert.ok((text.match(/HTTP\/1\.1 /g)?.length ?? 0) < 12_000);
});

test("H10 other clients are served between the pages of a pipeline, and of many", async () => {
  const pages = (count: number): string => `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(count - 1) + get("/");
  for (const [connections, each] of [
    [1, 200],
    [200, 1],
  ] as const) {
    let isOver = false;
    const flood = Promise.all(Array.from({ length: connections }, () => exchange(shop.origin, pages(each)))).finally(
      () => {
        isOver = true;
      },
    );
    let between = 0;
    for (; !isOver; between += 1) assert.equal((await client.get("/cart.js")).status, 200);
    for (const text of await flood) assert.equal(text.match(/^HTTP\/1\.1 200 /gm)?.length, each);
    assert.ok(between >= 40, `${between} of others' requests were answered meanwhile`);
  }
});

test("H10 a connection with more than ten thousand waiting requests is closed", async () => {
  const sockets = Array.from({ length: 20 }, () => openSocket(shop.origin));
  const closed = sockets.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
  for (const socket of sockets) {
    socket.on("error", () => undefined).resume();
    socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(1_500));
  }
  await Promise.race(closed);
  assert.equal((await client.get("/cart.js")).status, 200);
  for (const socket of sockets) socket.destroy();
});

test("A19 an endless chunked body is cut off at 64 KiB", async () => {
  const token = await client.token();
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const head = `Cookie: ${cookie}\r\nX-CSRF-Token: ${token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n`;
  const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
  const text = await exchange(shop.origin, post(head, chunk.repeat(8)));
  assert.match(text, /^HTTP\/1\.1 413 /);
});

test("every response has nosniff and contains no server internals", async () => {
  for (const path of [
    "/",
    "/cart",
    "/cart.js",
    "/nope",
    "/search/suggest.json?q=a",
    "/search/suggest?q=a",
    "/products/canvas-tote",
    "/robots.txt",
    "/sitemap.xml",
    "/healthz",
    "/readyz",
  ]) {
    const reply = await client.get(path);
    assertReply(reply, { status: [200, 404, 422] });
    assert.equal(reply.headers["x-powered-by"], undefined);
    assert.equal(reply.headers.server, undefined);
  }
});

test("pages carry a strict content security policy and no inline script", async () => {
  const page = await client.get("/");
  const policy = String(page.headers["content-security-policy"]);
  assert.match(policy, /default-src|script-src/);
  assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval/);
  assert.doesNotMatch(page.text, /<script(?![^>]*\bsrc=)(?![^>]*type="application\/(ld\+)?json")[^>]*>/);
});

test("search responses and sections contain no secret of the visitor", async () => {
  const token = await client.token();
  for (const path of [
    "/search/suggest.json?q=rain",
    "/search/suggest?q=rain&section_id=predictive-search",
    "/cart.js?sections=cart-count,one,context",
  ]) {
    assert.ok(!(await client.get(path)).text.includes(token));
  }
});

test("the cart is unchanged at the end", async () => {
  const reply = await client.get("/cart.js");
  assert.match(reply.text, /"item_count":2/);
  assert.ok(reply.text.includes(String(variant.tracked)));
});
