import assert from "node:assert/strict";
import { test } from "node:test";
import { assertMutated, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import type { Body } from "../support/client.ts";
import { startShop } from "../support/shop.ts";
import { assertPost, type Expectation, validationFailed, victim } from "./abuse-row.ts";

const shop = await startShop();
const client = await victim(shop);

const id = variant.tracked;
const out: Expectation = { status: 422, error: "out_of_stock", body: /Harbour Raincoat/ };
const insufficientStock: Expectation = { status: 422, error: "insufficient_stock", body: /Harbour Raincoat/ };
const tooLarge: Expectation = { status: 413, error: "payload_too_large" };
const large = "9007199254740993";

const rows: readonly (readonly [string, readonly Body[], Expectation])[] = [
  ["A1", [{}, { quantity: 1 }], validationFailed("id|item|items")],
  [
    "A2",
    ["", "null", "[]", '"x"', "1", "{", `{"id":${id}}\0`, `{"id":${id},}`, "\0", "undefined", "NaN", `{id:${id}}`],
    validationFailed("body"),
  ],
  [
    "A3",
    [{ items: [] }, { items: {} }, { items: "x" }, { items: 1 }, { items: [null] }, { items: [[1]] }, { items: ["x"] }],
    validationFailed(),
  ],
  ["A4", [{ id, quantity: 0 }, { items: [{ id, quantity: 0 }] }], validationFailed()],
  [
    "A5",
    [-1, -9007199254740991, 1.5, 1e21, "abc", "2.5", true, null, [1], {}, "0x10", " 1 ", "", "١", "1_0"].map(
      (quantity) => ({ id, quantity }),
    ),
    validationFailed("quantity"),
  ],
  ["A5 1e400", [`{"id":${id},"quantity":1e400}`, `{"id":${id},"quantity":-0}`], validationFailed("quantity")],
  [
    "A6",
    [2 ** 31, 2 ** 53, 10_000].map((quantity) => ({ id: variant.unlimited, quantity })),
    validationFailed("quantity"),
  ],
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
  ["A9 sold out", [{ id: variant.soldOut }], out],
  ["A9 too little", [{ id, quantity: 9 }], insufficientStock],
  [
    "A10",
    [
      {
        items: [
          { id, quantity: 1 },
          { id: variant.soldOut, quantity: 1 },
        ],
      },
    ],
    out,
  ],
  [
    "A11",
    [
      {
        items: [
          { id, quantity: 5 },
          { id, quantity: 5 },
        ],
      },
    ],
    insufficientStock,
  ],
  ["A12", [{ items: Array.from({ length: 101 }, () => ({ id })) }], validationFailed("items")],
  ["A12 ten thousand", [{ items: Array.from({ length: 10_000 }, () => ({ id })) }], tooLarge],
  [
    "A13",
    [
      { id, quantity: 1, cartId: "x" },
      { id, cartId: null },
      { items: [{ id, cartId: "x" }] },
      { id, x: [[{ cart_id: 1 }]] },
    ],
    validationFailed("cartId"),
  ],
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

test("A8 an unpublished and an unknown variant get equal responses", async () => {
  const hidden = await client.post("/cart/add.js", { id: variant.unpublished });
  const unknown = await client.post("/cart/add.js", { id: variant.unknown });
  assert.equal(hidden.status, unknown.status);
  const scrub = (text: string): string => text.replaceAll(/\b(31|999999)\b/g, "#");
  assert.equal(scrub(hidden.text), scrub(unknown.text));
});

test("A14, A15 prices, customers and discounts in the body are ignored", async () => {
  const shopper = await victim(shop);
  const body = { id, variantId: variant.unlimited, price: 0, line_price: 1, customerId: 1, final_price: -5 };
  const cart = assertMutated(await shopper.post("/cart/add.js", body));
  assert.deepEqual([cart.item_count, cart.total_price_cents], [3, 36_000]);
});

test("A17 a duplicate key is rejected, or the last one counts", async () => {
  const shopper = shop.client();
  const reply = await shopper.post("/cart/add.js", `{"id":${id},"id":${variant.unlimited},"quantity":1}`);
  assert.ok([200, 400].includes(reply.status));
  const cart = await readCart(shopper);
  assert.ok(cart.line_count <= 1 && cart.items.every((line) => String(line.variant_id) === String(variant.unlimited)));
});

const types = [
  undefined,
  "",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/json\tx",
  "application/json garbage",
  "application/jsonx",
  "application/json, text/plain",
  "application/json; charset=utf-16",
  "text/json",
  "application/ld+json",
];
for (const type of types) {
  test(`A21 Content-Type ${JSON.stringify(type) ?? "absent"}: 400 validation_failed, field body`, async () => {
    await assertPost(client, "/cart/add.js", { id, quantity: 1 }, validationFailed("body"), { "content-type": type });
  });
}

for (const type of [
  "APPLICATION/JSON; charset=UTF-8",
  " application/json",
  "application/json;",
  'application/json;charset="utf-8"',
]) {
  test(`A22 Content-Type "${type}" is JSON, and validated in full`, async () => {
    for (const quantity of [-1, 1.5, "abc", true, null, [1], 0]) {
      await assertPost(client, "/cart/add.js", { id, quantity }, validationFailed("quantity"), {
        "content-type": type,
      });
    }
    assertMutated(await shop.client().post("/cart/add.js", { id, quantity: 1 }, { "content-type": type }));
  });
}

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

test("A25 an invalid sections_url is rejected before anything is added", async () => {
  const expected = { status: 400, error: "invalid_sections_url" };
  await assertPost(client, "/cart/add.js?sections_url=//evil.test", { id, quantity: 1 }, expected);
});
