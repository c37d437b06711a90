import assert from "node:assert/strict";
import { test } from "node:test";
import { add, assertCartError, assertMutated, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop();

const writes: readonly (readonly [string, object])[] = [
  ["/cart/add.js", { id: variant.unlimited }],
  ["/cart/change.js", { line: 1, quantity: 5 }],
  ["/cart/update.js", { note: "By the door" }],
  ["/cart/clear.js", {}],
];

for (const [path, body] of writes) {
  test(`5 If-Match ${path}: the current revision allows the write, any other is 412 cart_changed with the current cart`, async () => {
    const client = shop.client();
    const { revision } = await add(client, variant.backorder, 2);
    const before = await readCart(client);
    for (const stale of [`"${revision - 1}"`, `"${revision + 1}"`, `W/"${revision}"`, String(revision), '""', ""]) {
      const reply = await client.post(`${path}?sections=cart-count`, body, { "if-match": stale });
      const error = assertCartError(reply, 412, "cart_changed");
      assert.deepEqual(error.cart, before, stale);
      assert.match(String(error.sections?.["cart-count"]), /count=2/);
    }
    const list = `"${revision - 1}", "${revision}"`;
    assert.equal(assertMutated(await client.post(path, body, { "if-match": list })).revision, revision + 1);
    assert.equal(assertMutated(await client.post("/cart/update.js", { note: "x" }, { "if-match": "*" })).note, "x");
  });
}

test("5 If-Match: one of ten concurrent writes on one revision succeeds", async () => {
  const client = shop.client();
  const { revision } = await add(client, variant.backorder, 2);
  const replies = await Promise.all(
    Array.from({ length: 10 }, () =>
      client.post("/cart/add.js", { id: variant.unlimited }, { "if-match": `"${revision}"` }),
    ),
  );
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array.from({ length: 9 }, () => 412)]);
  assert.equal((await readCart(client)).item_count, 3);
});

test("5 If-Match: a first write succeeds for revision 0 only", async () => {
  const body = { id: variant.unlimited };
  const client = shop.client();
  assertCartError(await client.post("/cart/add.js", body, { "if-match": '"1"' }), 412, "cart_changed");
  assert.equal((await readCart(client)).id, null);
  assert.equal(assertMutated(await client.post("/cart/add.js", body, { "if-match": '"0"' })).revision, 1);
});
