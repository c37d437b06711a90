import assert from "node:assert/strict";
import { test } from "node:test";
import { add, assertMutated, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import type { MutationJson } from "../support/replies.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop();

test("200 concurrent adds to one cart all apply", async () => {
  const client = shop.client();
  await add(client, variant.backorder);
  const replies = await Promise.all(
    Array.from({ length: 200 }, () => client.post("/cart/add.js", { id: variant.unlimited, quantity: 1 })),
  );
  const counts = replies.map((reply) => assertMutated(reply).item_count).sort((a, b) => a - b);
  assert.deepEqual(
    counts,
    Array.from({ length: 200 }, (_, n) => n + 2),
    "each answer is the cart after its own add",
  );
  assert.equal((await readCart(client)).item_count, 201);
});

test("concurrent writes over 64 sockets equal their serial execution in revision order", async () => {
  const client = shop.client();
  await add(client, variant.backorder, 1);
  const { revision: start } = await add(client, variant.notShipped, 1);
  const writes = Array.from({ length: 160 }, (_, n) => write(n));
  const replies = await Promise.all(writes.map(([path, body]) => client.post(path, body)));
  const done = replies
    .map((reply, n) => ({ cart: assertMutated(reply), write: writes[n] as Write }))
    .sort((a, b) => a.cart.revision - b.cart.revision);
  const model = { added: 0, changed: 1, note: "" };
  let revision = start;
  for (const {
    cart,
    write: [, body],
  } of done) {
    if ("id" in body) model.added += Number(body.quantity);
    else if ("note" in body) model.note = String(body.note);
    else model.changed = Number(body.quantity);
    assert.ok(
      cart.revision === revision + 1 || (cart.revision === revision && !("id" in body)),
      "each change counts once",
    );
    revision = cart.revision;
    assert.deepEqual(
      {
        added: quantityOf(cart, variant.unlimited),
        changed: quantityOf(cart, variant.backorder),
        note: cart.note ?? "",
      },
      model,
    );
  }
});

test("queued writes have independent keys, conditions and errors", async () => {
  const client = shop.client();
  const { revision } = await add(client, variant.backorder);
  const singleItem = { id: variant.unlimited, quantity: 1 };
  const twice = <T>(make: (n: number) => Promise<T>) => Promise.all([...range(20), ...range(20)].map(make));
  const [plainReply, keyed, conditional, rejectedReply, conflicting] = await Promise.all([
    Promise.all(range(40).map(() => client.post("/cart/add.js", singleItem))),
    twice((n) => client.post("/cart/add.js", singleItem, { "idempotency-key": `batch-${n}` })),
    Promise.all(range(20).map(() => client.post("/cart/add.js", singleItem, { "if-match": `"${revision}"` }))),
    Promise.all(range(20).map(() => client.post("/cart/change.js", { id: "no-such-line", quantity: 1 }))),
    twice((n) => client.post("/cart/add.js", { ...singleItem, quantity: 100 }, { "idempotency-key": `batch-${n}` })),
  ]);
  for (const reply of rejectedReply) assert.equal(reply.status, 400, reply.text);
  const accepted = conditional.filter(({ status }) => status === 200);
  assert.ok(accepted.every((reply) => assertMutated(reply).revision === revision + 1) && accepted.length <= 1);
  assert.ok(conditional.every(({ status }) => status === 200 || status === 412));
  let pieces = 1 + plainReply.length + accepted.length;
  for (const n of range(20)) {
    const [first, again, other, otherAgain] = [keyed[n], keyed[n + 20], conflicting[n], conflicting[n + 20]];
    // The write that came first owns the key.
    const [mine, theirs] = first?.status === 200 ? [first, other] : [other, first];
    pieces += mine === first ? 1 : 100;
    assert.deepEqual([mine?.status, theirs?.status], [200, 409]);
    assert.equal((mine === first ? again : otherAgain)?.text, mine?.text);
    assert.equal((mine === first ? otherAgain : again)?.status, 409);
  }
  for (const reply of plainReply) assertMutated(reply);
  assert.equal((await readCart(client)).item_count, pieces);
});

test("concurrent writes to many carts stay separate", async () => {
  const clients = Array.from({ length: 40 }, () => shop.client());
  await Promise.all(
    clients.map(async (client, n) => {
      await client.token();
      await Promise.all([add(client, variant.unlimited, n + 1), client.get("/cart.js")]);
      for (let more = 0; more < 3; more += 1) await add(client, variant.backorder, 1);
    }),
  );
  const carts = await Promise.all(clients.map(readCart));
  assert.deepEqual(
    carts.map((cart) => cart.item_count),
    clients.map((_, n) => n + 4),
  );
  assert.equal(new Set(carts.map(({ id }) => id)).size, 40);
});

test("searches respond while one cart is written continuously", async () => {
  const client = shop.client();
  await add(client, variant.unlimited);
  const writes = Promise.all(Array.from({ length: 100 }, () => client.post("/cart/add.js", { id: variant.unlimited })));
  const searches = await Promise.all(Array.from({ length: 20 }, () => client.get("/search/suggest.json?q=rain")));
  assert.ok(searches.every(({ status }) => status === 200));
  for (const reply of await writes) assertMutated(reply);
});

type Write = readonly [string, Readonly<Record<string, string | number>>];

function range(length: number): readonly number[] {
  return Array.from({ length }, (_, n) => n);
}

function write(n: number): Write {
  if (n % 4 === 0) return ["/cart/change.js", { line: 1, quantity: (n % 50) + 1 }];
  if (n % 7 === 0) return ["/cart/update.js", { note: `note ${n}` }];
  return ["/cart/add.js", { id: variant.unlimited, quantity: (n % 3) + 1 }];
}

function quantityOf(cart: MutationJson, id: number): number {
  return cart.items.find((line) => String(line.variant_id) === String(id))?.quantity ?? 0;
}
