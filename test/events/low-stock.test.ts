import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { product, rows } from "../support/catalog.ts";
import { createApiToken, runCommand } from "../support/command.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";
import { startReceiver } from "../support/webhook-receiver.ts";

const manyVariants = Array.from({ length: 250 }, (_, index) => ({
  id: 80_000 + index,
  price: 100,
  inventory_quantity: 50,
}));
const receiver = await startReceiver();
const shop = await startShop({
  rows: [
    ...rows,
    product(901, "lamp", "Lantern", [{ id: 9011, price: 100, inventory_quantity: 9 }]),
    product(902, "buoy", "Buoy", [{ id: 9021, price: 100, inventory_quantity: 9 }]),
    ...manyVariants.map((variant, index) => product(30_000 + index, `part-${index}`, `Part ${index}`, [variant])),
  ],
  hasTheme: false,
  config: { events: { webhooks: [{ url: receiver.url, secret: receiver.secret }], stockLow: 5 } },
});
const token = await createApiToken(shop, "stock:write");

async function change(...lines: readonly object[]): Promise<void> {
  const reply = await shop.client().send("POST", "/admin/stock", {
    headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" },
    body: lines.map((line) => JSON.stringify(line)).join("\n"),
  });
  assert.equal(reply.status, 200, reply.text);
}
const toldOf = (id: string): readonly unknown[] =>
  receiver.received.filter(({ data }) => data.variant_id === id).map(({ data }) => data);
/** Waits for the report of another variant, which became low later. All earlier variants have been reported by then. */
const settle = async (id: number): Promise<void> => {
  await change({ variant_id: id, quantity: 0 });
  await until(() => toldOf(String(id)).length === 1, `variant ${id}`);
};

test("a variant with low stock is reported once until it is restocked", async () => {
  // The server reports after its first poll.
  await until(async () => {
    for (const quantity of [50, 0]) await change({ variant_id: 80_009, quantity });
    return toldOf("80009").length > 0;
  }, "the first look");
  await change({ variant_id: 9011, quantity: 6 });
  await settle(80_000);
  assert.deepEqual(toldOf("9011"), []);
  for (const quantity of [5, 4, 0, 3]) await change({ variant_id: 9011, quantity });
  await settle(80_001);
  const [first, ...otherEvents] = toldOf("9011");
  assert.deepEqual(otherEvents, []);
  const { quantity, ...eventFields } = first as { readonly quantity: number };
  assert.deepEqual(eventFields, { variant_id: "9011", product_id: "901", threshold: 5 });
  assert.ok(quantity <= 5);
  await change({ variant_id: 9011, quantity: 40 });
  await settle(80_002);
  await change({ variant_id: 9011, quantity: 2 });
  await settle(80_003);
  assert.equal(toldOf("9011").length, 2);
});

test("more variants than fit into one transaction are each reported once", async () => {
  const low = manyVariants.slice(10);
  await change(...low.map(({ id }) => ({ variant_id: id, quantity: 1 })));
  await until(() => low.every(({ id }) => toldOf(String(id)).length > 0), "all of them");
  assert.ok(low.every(({ id }) => toldOf(String(id)).length === 1));
  assert.deepEqual(receiver.forged, []);
});

test("an import that lowers the stock of a variant whose stock never changed is reported once", async () => {
  const importQuantity = async (quantity: number): Promise<void> => {
    const row = product(902, "buoy", "Buoy", [{ id: 9021, price: 100, inventory_quantity: quantity }]);
    await writeFile(join(shop.storeDir, "buoy.jsonl"), `${JSON.stringify(row)}\n`);
    const { code, err } = await runCommand(shop, "import", "buoy.jsonl");
    assert.equal(code, 0, err);
  };
  await importQuantity(8);
  await settle(80_004);
  assert.deepEqual(toldOf("9021"), []);
  await importQuantity(4);
  await until(() => toldOf("9021").length === 1, "the variant that an import lowered");
  await importQuantity(3);
  await settle(80_005);
  assert.deepEqual(toldOf("9021"), [{ variant_id: "9021", product_id: "902", quantity: 4, threshold: 5 }]);
});
