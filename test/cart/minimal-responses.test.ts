import assert from "node:assert/strict";
import { test } from "node:test";
import { variant } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop({ hasTheme: false, config: { compat: true } });
const minimal = { prefer: "respond-async, return=minimal" };

interface CartAnswer {
  readonly id: string;
  readonly revision: number;
  readonly items: readonly { readonly quantity: number }[];
  readonly added?: readonly string[];
  readonly [field: string]: unknown;
}

test("Prefer: return=minimal returns the cart of a write once: lines as items, its id, issues, and sections", async () => {
  const client = shop.client();
  const body = { items: [{ id: variant.unlimited, quantity: 2 }], sections: "cart-icon-bubble" };
  const added = await client.post("/cart/add.js", body, minimal);
  assert.equal(added.headers["preference-applied"], "return=minimal");
  const { cart, lines, ...expected } = (await client.get("/cart.js")).json<CartAnswer>();
  const { added: keys, sections, ...answer } = added.json<CartAnswer>();
  assert.deepEqual([cart, keys?.length, Object.keys(sections as object)], [undefined, 1, ["cart-icon-bubble"]]);
  assert.ok(Array.isArray(lines));
  for (const field of Object.keys(expected)) assert.deepEqual(answer[field], expected[field], field);
  for (const field of ["lines", "cart"]) assert.equal(field in answer, false, field);

  const full = await client.post("/cart/change.js", { line: 1, quantity: 3 });
  const short = await client.post("/cart/change.js", { line: 1, quantity: 3 }, minimal);
  assert.equal(full.headers["preference-applied"], undefined);
  const fullAnswer = full.json<CartAnswer & { readonly cart: CartAnswer }>();
  assert.deepEqual(short.json<CartAnswer>().items, fullAnswer.cart.items);
  assert.deepEqual(fullAnswer.lines, fullAnswer.items);
});

test("a write that is repeated with its key returns the length that the repeated request asks for", async () => {
  const client = shop.client();
  const send = (headers: Readonly<Record<string, string>>) =>
    client.post("/cart/add.js", { id: variant.unlimited, quantity: 1 }, { ...headers, "idempotency-key": "once" });
  const [full, short] = [await send({}), await send(minimal)];
  assert.equal(short.json<CartAnswer>().revision, full.json<CartAnswer>().revision);
  assert.deepEqual(["cart" in full.json<CartAnswer>(), "cart" in short.json<CartAnswer>()], [true, false]);
});
