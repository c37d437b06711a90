import assert from "node:assert/strict";
import { test } from "node:test";
import type { CartJson } from "../support/replies.ts";
import { startShop } from "../support/shop.ts";
import { assertReply, victim } from "./abuse-row.ts";

const shop = await startShop();
const client = await victim(shop);
const validToken = String(client.cookies.get("cart"));

const cookies: readonly (readonly [string, string])[] = [
  ["R1 none", "x=1"],
  [
    "R2 a flipped character",
    `cart=${validToken.slice(0, 20)}${validToken[20] === "A" ? "B" : "A"}${validToken.slice(21)}`,
  ],
  ["R2 cut short", `cart=${validToken.slice(0, -5)}`],
  ["R2 empty", "cart="],
  ["R2 three parts", "cart=a.b.c"],
  ["R2 junk of 4 KB", `cart=${"j".repeat(4_096)}`],
  ["R2 quotes and percent", 'cart="%%%"; cart=%E0%A4%A'],
  ["R6 an unknown key", `cart=../../x.${validToken.split(".").slice(1).join(".")}`],
  ["H11 __proto__", "__proto__=x; constructor=y"],
];
for (const [name, cookie] of cookies) {
  test(`${name}: an empty cart is returned, and none is created`, async () => {
    const reply = await client.get("/cart.js", { cookie });
    assertReply(reply, { status: 200 });
    const cart = reply.json<CartJson>();
    assert.deepEqual([cart.id, cart.item_count, cart.attributes], [null, 0, {}]);
    assert.ok(!("note" in cart));
    assert.match(String(reply.headers["cache-control"]), /no-store/);
    assert.ok(!(reply.headers["set-cookie"] ?? []).some((line) => /^cart=[^;]/.test(line)));
  });
}

test("R4 of two cart cookies the valid one is used", async () => {
  for (const cookie of [`cart=bad; cart=${validToken}`, `cart=${validToken}; cart=bad`]) {
    const reply = await client.get("/cart.js", { cookie });
    assertReply(reply, { status: 200 });
    assert.ok([0, 2].includes(reply.json<CartJson>().item_count));
  }
});

test("R9 no JSONP", async () => {
  const reply = await client.get("/cart.js?callback=x&jsonp=x");
  assertReply(reply, { status: 200, body: /^\{/ });
  assert.match(String(reply.headers["content-type"]), /^application\/json/);
});

for (const path of [
  "/cart.js%2f",
  "/cart.js;.css",
  "/cart.js/x.css",
  "/cart.js/",
  "/CART.JS",
  "/cart.js%00",
  "/cart%2ejs%2f",
  "//cart.js",
]) {
  test(`R10 ${path} is not the cart`, async () => {
    const reply = await client.get(path);
    assertReply(reply, { status: [301, 400, 404] });
    assert.ok(!reply.text.includes("item_count"));
  });
}

test("H11 many and long cookies", async () => {
  const manyCookies = Array.from({ length: 900 }, (_, n) => `c${n}=${n}`).join("; ");
  assertReply(await client.get("/cart.js", { cookie: manyCookies }), { status: [200, 431] });
  assertReply(await client.get("/cart.js", { cookie: `a=${"x".repeat(8_000)}; cart=${validToken}` }), {
    status: [200, 431],
  });
});

test("H12 invalid percent escapes in a path get a response without the path", async () => {
  for (const path of [
    "/%",
    "/%ff",
    "/%00",
    "/cart.js%00",
    "/products/%E0%A4%A",
    "/assets/%2e%2e%2f%2e%2e%2fpackage.json",
    "/assets/../../package.json",
    "/media/..%2f..%2fvitrine.config.ts",
  ]) {
    const reply = await client.get(path);
    assertReply(reply, { status: [400, 404] });
    assert.ok(!reply.text.includes("%ff") && !reply.text.includes("defineStore"));
  }
});
