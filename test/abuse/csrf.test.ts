import assert from "node:assert/strict";
import { test } from "node:test";
import { add, assertMutated } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import type { Headers } from "../support/client.ts";
import { startShop } from "../support/shop.ts";
import { assertPost, assertReply, victim } from "./abuse-row.ts";
import { routeTable } from "./route-table.ts";

const shop = await startShop();
const host = new URL(shop.origin).host;
const client = await victim(shop);
const token = await client.token();
const attacker = shop.client();
const foreignToken = await attacker.token();
const cartCookie = String(client.cookies.get("cart"));

/** All writes of the cart, with a body that would change a cart. */
const routes = ["", "/en", "/fr", "/ja"].flatMap((prefix) =>
  routeTable
    .filter(({ access }) => access === "cart token")
    .map(({ path, body = {} }) => ({ path: prefix + path, body })),
);

const pair = (value: string): Headers => ({ "x-csrf-token": value, cookie: `csrf_token=${value}; cart=${cartCookie}` });
const flip = (text: string): string => text.slice(0, -6) + (text.at(-6) === "A" ? "B" : "A") + text.slice(-5);

const attacks: readonly (readonly [string, Headers, string | readonly string[]])[] = [
  ["K1 no header", { "x-csrf-token": undefined }, "csrf_missing"],
  ["K1 an empty header", { "x-csrf-token": "" }, "csrf_missing"],
  ["K1 white space", { "x-csrf-token": "   " }, "csrf_missing"],
  ["K2 one character differs", { "x-csrf-token": flip(token) }, "csrf_mismatch"],
  ["K2 a longer token", { "x-csrf-token": `${token}x` }, "csrf_mismatch"],
  ["K2 a shorter token", { "x-csrf-token": token.slice(0, -1) }, "csrf_mismatch"],
  ["K2 another visitor's token in the header", { "x-csrf-token": foreignToken }, "csrf_mismatch"],
  ["K3 both abc", pair("abc"), "csrf_invalid"],
  ["K3 both a.b.c", pair("a.b.c"), "csrf_invalid"],
  ["K3 both with parts in another order", pair(token.split(".").reverse().join(".")), "csrf_invalid"],
  ["K3 both tampered", pair(flip(token)), "csrf_invalid"],
  ["K3 both the cart cookie", pair(cartCookie), "csrf_invalid"],
  ["K5 no cookie", { cookie: `cart=${cartCookie}` }, "csrf_missing"],
  ["K5 an empty cookie", { cookie: `csrf_token=; cart=${cartCookie}` }, "csrf_missing"],
  [
    "K7 two cookies, the header the planted one",
    { "x-csrf-token": "planted", cookie: `csrf_token=planted; csrf_token=${token}; cart=${cartCookie}` },
    "csrf_invalid",
  ],
  ["K8 another header", { "x-csrf-token": undefined, "csrf-token": token, "x-xsrf-token": token }, "csrf_missing"],
  ["K9 evil", { origin: "https://evil.test" }, "csrf_origin_blocked"],
  ["K9 null", { origin: "null" }, "csrf_origin_blocked"],
  ["K9 null of another site", { origin: "null", "sec-fetch-site": "cross-site" }, "csrf_origin_blocked"],
  ["K9 null without a page", { origin: "null", "sec-fetch-site": "none" }, "csrf_origin_blocked"],
  ["K9 no text", { origin: "" }, "csrf_origin_blocked"],
  ["K9 a slash at the end", { origin: `${shop.origin}/` }, "csrf_origin_blocked"],
  ["K9 another scheme", { origin: `file://${host}` }, "csrf_origin_blocked"],
  ["K9 a subdomain", { origin: "http://sub.127.0.0.1" }, "csrf_origin_blocked"],
  ["K9 a longer port", { origin: `${shop.origin}1` }, "csrf_origin_blocked"],
  ["K9 a user", { origin: `http://x@${host}` }, "csrf_origin_blocked"],
  [
    "K9 with a referrer of the shop",
    { origin: "https://evil.test", referer: `${shop.origin}/` },
    "csrf_origin_blocked",
  ],
  ["K9 only a referrer", { referer: "https://evil.test/page" }, "csrf_origin_blocked"],
  ["K9 a referrer without scheme", { referer: host }, "csrf_origin_blocked"],
  ["K9 a suffix", { origin: `http://${host}.evil.test` }, "csrf_origin_blocked"],
  ["K9 another port", { origin: "http://127.0.0.1:444" }, "csrf_origin_blocked"],
  ["K9 credentials in the origin", { origin: `http://${host}@evil.test` }, "csrf_origin_blocked"],
  ["K9 two origins, separated by a comma", { origin: `${shop.origin}, https://evil.test` }, "csrf_origin_blocked"],
  ["K9 two origins", { origin: `http://${host} https://evil.test` }, "csrf_origin_blocked"],
  ["K10 cross-site", { "sec-fetch-site": "cross-site", origin: shop.origin }, "csrf_origin_blocked"],
  ["K10 same-site", { "sec-fetch-site": "same-site", origin: shop.origin }, "csrf_origin_blocked"],
  ["K10 same-site without an origin", { "sec-fetch-site": "same-site" }, "csrf_origin_blocked"],
  ["K13 an unknown value", { "sec-fetch-site": "foo" }, "csrf_origin_blocked"],
  ["K14 a tampered cart cookie", { cookie: `csrf_token=${token}; cart=${flip(cartCookie)}` }, "csrf_invalid"],
  ["K16 __proto__", pair("__proto__"), "csrf_invalid"],
  ["K16 a key id of __proto__", pair(["__proto__", ...token.split(".").slice(1)].join(".")), "csrf_invalid"],
  ["K16 not ASCII", { "x-csrf-token": "t\u00f6ken" }, "csrf_mismatch"],
  ["K16 two headers", { "x-csrf-token": [token, token] }, "csrf_mismatch"],
  ["K16 long", { "x-csrf-token": "x".repeat(6_000) }, "csrf_mismatch"],
  [
    "K17 a form of another site",
    { origin: "https://evil.test", "content-type": "text/plain", "x-csrf-token": undefined },
    "csrf_origin_blocked",
  ],
  [
    "K20 a method override",
    { "x-csrf-token": undefined, "x-http-method-override": "GET", "x-method-override": "GET" },
    "csrf_missing",
  ],
];

for (const { path, body } of routes) {
  test(`K1 to K20 on POST ${path}`, async () => {
    const before = (await client.get("/cart.js")).text;
    for (const [name, headers, error] of attacks) {
      const isExpress = path.includes("buyNow");
      // Express checkout reads another cookie, so an invalid main cart cookie has no effect.
      if (isExpress && name.startsWith("K14")) continue;
      const reply = await client.post(path, body, headers);
      try {
        assertReply(reply, { status: 403, error: String(error) });
      } catch (cause) {
        throw new Error(`${name} on ${path}`, { cause });
      }
      client.cookies.set("cart", cartCookie);
    }
    // The check precedes the parsing of the body.
    await assertPost(client, path, "{ not JSON", { status: 403, error: "csrf_missing" }, { "x-csrf-token": undefined });
    assert.equal((await client.get("/cart.js")).text, before);
  });
}

test("K8 a token in the query or the body is ignored", async () => {
  const expected = { status: 403, error: "csrf_missing" };
  const headers = { "x-csrf-token": undefined };
  await assertPost(
    client,
    `/cart/clear.js?csrf_token=${token}&x-csrf-token=${token}&_method=GET`,
    { _csrf: token },
    expected,
    headers,
  );
});

test("K19 the token is not readable by another site", async () => {
  const reply = await shop.client().get("/api/csrf", { origin: "https://evil.test", "sec-fetch-site": "cross-site" });
  assert.ok([200, 403].includes(reply.status));
  assert.ok(!Object.keys(reply.headers).some((name) => name.startsWith("access-control")));
  assert.ok(!reply.text.includes(String(reply.headers["x-csrf-token"])));
});

for (const path of [
  "/CART/ADD.JS",
  "/cart//add.js",
  "/cart/add.js/",
  "/cart/./add.js",
  "/cart/%61dd.js",
  "/Cart/add",
  "/xx/cart/add.js",
  "/cart/add.json",
]) {
  test(`K21 ${path} checks the token or does not exist`, async () => {
    const before = (await client.get("/cart.js")).text;
    const reply = await client.post(path, { id: variant.unlimited, quantity: 1 }, { "x-csrf-token": undefined });
    assert.ok([301, 308, 400, 403, 404, 405].includes(reply.status), String(reply.status));
    assert.equal((await client.get("/cart.js")).text, before);
  });
}

test("K15 another visitor's token pair works only for that visitor's cart", async () => {
  const shopper = shop.client();
  await add(shopper, variant.tracked, 3);
  const before = (await shopper.get("/cart.js")).text;
  const headers = { cookie: `csrf_token=${foreignToken}`, "x-csrf-token": foreignToken };
  assert.equal(assertMutated(await attacker.post("/cart/clear.js", {}, headers)).item_count, 0);
  assert.equal((await shopper.get("/cart.js")).text, before);
});
