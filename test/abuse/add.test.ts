import assert from "node:assert/strict";
import { test } from "node:test";
import { readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import type { Body } from "../support/client.ts";
import { startShop } from "../support/shop.ts";
import { assertPost, type Expectation, validationFailed, victim } from "./abuse-row.ts";

const shop = await startShop();
const client = await victim(shop);

const id = variant.tracked;
const tooLarge: Expectation = { status: 413, error: "payload_too_large" };
const large = "9007199254740993";

const rows: readonly (readonly [string, readonly Body[], Expectation])[] = [
  [
    "A2",
    ["", "null", "[]", '"x"', "1", "{", `{"id":${id}}\0`, `{"id":${id},}`, "\0", "undefined", "NaN", `{id:${id}}`],
    validationFailed("body"),
  ],
  ["A5 1e400", [`{"id":${id},"quantity":1e400}`, `{"id":${id},"quantity":-0}`], validationFailed("quantity")],
  [
    "A7",
    [
      0,
      -1,
      1.5,
      true,
      null,
      [id],
      {},
      "",
      "x".repeat(300),
      `${id} OR 1=1`,
      "__proto__",
      "constructor",
      `${id}\0`,
      "\ud800",
    ].map((bad) => ({ id: bad })),
    validationFailed(),
  ],
  ["A7 past 2^53", [`{"id":${large}}`, `{"items":[{"id":${large}}]}`, `{"id":1e3}`], validationFailed()],
  ["A12 ten thousand", [{ items: Array.from({ length: 10_000 }, () => ({ id })) }], tooLarge],
  [
    "A16 __proto__",
    [
      `{"id":${id},"__proto__":{"quantity":99,"polluted":1}}`,
      `{"id":${id},"\\u005f_proto__":{"polluted":1}}`,
      `{"id":${id},"constructor":{"prototype":{"polluted":1}}}`,
    ],
    validationFailed(),
  ],
  [
    "A18 nesting",
    [`{"id":${"[".repeat(30_000)}${"]".repeat(30_000)}}`, `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`],
    validationFailed(),
  ],
  [
    "A18 keys",
    [`{"id":"nosuch",${Array.from({ length: 6_000 }, (_, n) => `"${n}":1`).join(",")}}`],
    validationFailed(),
  ],
  ["A19", [`{"id":${id},"pad":"${"x".repeat(65_536)}"}`], tooLarge],
  [
    "A20",
    [
      Buffer.from(`{"id":${id},"note":"\xff"}`, "latin1"),
      Buffer.from(`{"id":${id}}`, "utf16le"),
      Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
    ],
    validationFailed("body"),
  ],
];
for (const [name, bodies, expected] of rows) {
  test(name, async () => {
    for (const body of bodies) await assertPost(client, "/cart/add.js", body, expected);
  });
}

test("A17 a duplicate key is rejected, or the last one counts", async () => {
  const shopper = shop.client();
  const reply = await shopper.post("/cart/add.js", `{"id":${id},"id":${variant.unlimited},"quantity":1}`);
  assert.ok([200, 400].includes(reply.status));
  const cart = await readCart(shopper);
  assert.ok(cart.line_count <= 1 && cart.items.every((line) => String(line.variant_id) === String(variant.unlimited)));
});

for (const encoding of ["gzip", "br", "deflate", "x-unheard-of"]) {
  test(`A23 Content-Encoding ${encoding}: no body is decompressed`, async () => {
    await assertPost(
      client,
      "/cart/add.js",
      { id, quantity: 1 },
      { status: [400, 415] },
      { "content-encoding": encoding },
    );
  });
}

test("A24 a GET changes nothing", async () => {
  const before = (await client.get("/cart.js")).text;
  for (const path of [`/cart/add.js?id=${id}&quantity=1`, `/cart/change?line=1&quantity=0`, "/cart/clear.js"]) {
    for (const accept of ["*/*", "text/html"]) {
      const reply = await client.get(path, { accept });
      assert.ok([303, 404, 405].includes(reply.status), String(reply.status));
    }
  }
  assert.equal((await client.get("/cart.js")).text, before);
});
