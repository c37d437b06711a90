import assert from "node:assert/strict";
import { test } from "node:test";
import { add, assertCartError, assertInvalid, assertMutated, readCart } from "../support/assertions.ts";
import { product, rows, variant } from "../support/catalog.ts";
import type { Client, Reply } from "../support/client.ts";
import { customerToken } from "../support/customer-token.ts";
import { startShop } from "../support/shop.ts";

/** Variants sold in multiples of 5: one without limit, one with 12 in stock. */
const [byFives, fewByFives] = [9_001, 9_002];
const rule = { min: 5, increment: 5 };
const shop = await startShop({
  rows: [
    ...rows,
    product(9_001, "shackles", "Shackles", [{ id: byFives, price: 100, quantity_rule: rule }]),
    product(9_002, "cleats", "Cleats", [{ id: fewByFives, price: 100, quantity_rule: rule, inventory_quantity: 12 }]),
  ],
});

/** Returns the quantity of the first line (0 if it was removed), and codes, quantities and messages of the issues. */
function outcome(reply: Reply): readonly unknown[] {
  const { items, issues } = assertMutated(reply);
  return [items[0]?.quantity ?? 0, ...issues.map(({ code, quantity, message }) => [code, quantity, message])];
}

const change = (client: Client, quantity: number): Promise<Reply> =>
  client.post("/cart/change.js", { line: 1, quantity });

const lowerings: readonly (readonly [number, number, number])[] = [
  [50, 49, 45],
  [50, 45, 45],
  [50, 12, 10],
  [50, 3, 5],
  [10, 9, 5],
  [5, 4, 0],
  [5, 1, 0],
];
for (const [before, wanted, after] of lowerings) {
  test(`4.4 in multiples of 5: ${before} reduced to ${wanted} becomes ${after}, and the issue reports it`, async () => {
    for (const body of [{ line: 1, quantity: wanted }, { updates: [wanted] }]) {
      const client = shop.client();
      await add(client, byFives, before);
      const effect = after === 0 ? "It was removed from your cart." : `The quantity is now ${after}.`;
      const issue = ["quantity_rule", after, `Shackles is sold in multiples of 5, minimum 5. ${effect}`];
      const path = "line" in body ? "/cart/change.js" : "/cart/update.js";
      assert.deepEqual(outcome(await client.post(path, body)), after === wanted ? [after] : [after, issue]);
    }
  });
}

test("4.4 in multiples of 5: an increase is rounded up", async () => {
  const client = shop.client();
  await add(client, byFives, 5);
  const message = "Shackles is sold in multiples of 5, minimum 5. The quantity is now 15.";
  assert.deepEqual(outcome(await change(client, 12)), [15, ["quantity_rule", 15, message]]);
});

test("4.4 in multiples of 5 with 12 in stock: the issue reports the resulting quantity", async () => {
  const client = shop.client();
  await add(client, fewByFives, 5);
  const byRule = "Cleats is sold in multiples of 5, minimum 5. The quantity is now 10.";
  const byStock = "Only 12 of Cleats available. Cleats is sold in multiples of 5, minimum 5. The quantity is now 10.";
  assert.deepEqual(outcome(await change(client, 12)), [10, ["quantity_rule", 10, byRule]]);
  assert.deepEqual(outcome(await change(client, 11)), [10, ["quantity_rule", 10, byRule]]);
  assert.deepEqual(outcome(await change(client, 20)), [10, ["inventory_cap", 10, byStock]]);
  assert.deepEqual(outcome(await change(client, 9)), [5, ["quantity_rule", 5, byRule.replace("10", "5")]]);
});

test("4.3 in multiples of 5 with 12 in stock: an add that would need 15 is rejected with the available quantity", async () => {
  const client = shop.client();
  const error = assertCartError(
    await client.post("/cart/add.js", { id: fewByFives, quantity: 12 }),
    422,
    "insufficient_stock",
  );
  assert.match(error.message, /Only 12 of Cleats available\. Cleats is sold in multiples of 5, minimum 5\./);
});

test("4.5 a line whose quantity does not change is not checked", async () => {
  const client = shop.client();
  await add(client, byFives, 10);
  const { revision } = await add(client, variant.unlimited);
  const same = assertMutated(await client.post("/cart/update.js", { updates: [10, 1] }));
  assert.deepEqual([same.revision, same.issues], [revision, []]);
});

test("5 only signed-in customers can increase a line of a product for members, and anyone can reduce or remove it", async () => {
  const client = shop.client();
  client.cookies.set("customer", customerToken("7"));
  await add(client, variant.membersOnly, 5);
  client.cookies.delete("customer");
  const before = await readCart(client);
  assertCartError(await change(client, 6), 401, "customer_required");
  assertCartError(await client.post("/cart/update.js", { updates: [6] }), 401, "customer_required");
  assertCartError(await client.post("/cart/add.js", { id: variant.membersOnly }), 401, "customer_required");
  assert.deepEqual(await readCart(client), before);
  const loginIssue = (quantity: number) => ["customer_required", quantity, "Log in to buy Captain's Cap."];
  const noteUpdate = await client.post("/cart/update.js", { updates: [5], note: "Ring" });
  assert.deepEqual(outcome(noteUpdate), [5, loginIssue(5)]);
  assert.deepEqual(outcome(await change(client, 4)), [4, loginIssue(4)]);
  assert.deepEqual(outcome(await change(client, 0)), [0]);
});

test("7.2 an error response lists twenty errors and the number of further ones", async () => {
  const client = shop.client();
  const ids = Array.from({ length: 70 }, (_, n) => 500_000 + n);
  const bodies: readonly (readonly [string, object, string])[] = [
    ["/cart/add.js", { items: ids.map((id) => ({ id })) }, "items.0.id"],
    ["/cart/add.js", { items: ids.map(() => ({ id: variant.unlimited, quantity: 0 })) }, "items.0.quantity"],
    ["/cart/update.js", { updates: Object.fromEntries(ids.map((id) => [id, 1])) }, "updates.500000"],
    ["/cart/update.js", { updates: Object.fromEntries(ids.map((id) => [id, "x"])) }, "updates.500000"],
  ];
  for (const [path, body, field] of bodies) {
    const { fields, message } = assertInvalid(await client.post(path, body), field);
    assert.equal(fields?.length, 20);
    assert.match(message, / The request has 50 more errors\.$/);
  }
  const items = ids.map((_, n) => ({ id: variant.soldOut, properties: { n: String(n) } }));
  const short = assertCartError(await client.post("/cart/add.js", { items }), 422, "out_of_stock");
  assert.deepEqual([short.fields?.length, short.issues?.length], [20, 20]);
  assert.match(short.message, / 50 more errors\.$/);
});
