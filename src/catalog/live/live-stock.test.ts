import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import type { Product, Variant } from "../product.ts";
import { createCurrentStock } from "./live-stock.ts";
import { createStockBuffers, createStockTable } from "./stock-table.ts";

test("levels in shared memory equal a map in which the later change wins", () => {
  const change = fc.record({
    id: fc.nat(3_000),
    units: fc.integer(),
    changeNumber: fc.integer({ min: 1, max: 1_000 }),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 400 }), (changes) => {
      const levels = createStockTable(createStockBuffers());
      const model = new Map<number, { units: number; changeNumber: number }>();
      for (const { id, units, changeNumber } of changes) {
        levels.write(`v${id}`, units, changeNumber);
        if (changeNumber > (model.get(id)?.changeNumber ?? 0)) model.set(id, { units, changeNumber });
      }
      for (const [id, { units }] of model) assert.equal(levels.remainingUnits(`v${id}`), units);
      assert.equal(levels.remainingUnits("never"), undefined);
      assert.equal(levels.count(), model.size);
      assert.equal(levels.readKeysFrom(0).length, model.size);
    }),
    { numRuns: 40 },
  );
});

test("the table holds one level per variant, and finds each", () => {
  const levels = createStockTable(createStockBuffers());
  const count = 150_000;
  for (let id = 0; id < count; id += 1) levels.write(`variant-${id}`, id % 90, id + 1);
  for (let id = 0; id < count; id += 1) assert.equal(levels.remainingUnits(`variant-${id}`), id % 90);
  assert.equal(levels.count(), count);
});

test("concurrent writes of threads are not lost, and each thread sees those of others", async () => {
  const memory = createStockBuffers();
  const levels = createStockTable(memory);
  const module = JSON.stringify(new URL("./stock-table.ts", import.meta.url).href);
  const source = `
    import { workerData } from "node:worker_threads";
    const { createStockTable } = await import(${module});
    const levels = createStockTable(workerData.memory);
    for (let turn = 1; turn <= 20; turn += 1)
      for (let id = 0; id < 1_000; id += 1) levels.write("v" + id, turn * 10 + workerData.thread, turn * 10 + workerData.thread);`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
  await Promise.all(
    [1, 2].map(
      (thread) =>
        new Promise((resolve, fail) =>
          new Worker(url, { workerData: { memory, thread } }).on("exit", resolve).on("error", fail),
        ),
    ),
  );
  for (let id = 0; id < 1_000; id += 1) assert.equal(levels.remainingUnits(`v${id}`), 202);
  assert.equal(new Set(levels.readKeysFrom(0).map(({ slot, fingerprint }) => `${slot} ${fingerprint}`)).size, 1_000);
});

test("a product object is reused until its stock changes, and data derived from it detects the change", () => {
  const stock = createCurrentStock(createStockTable(createStockBuffers()));
  const product = productOf({ a: 5, b: undefined });
  const startedWatch = stock.watch();
  const firstVersion = stock.applyCurrentStock(product);
  const [mark, watch] = [stock.versionOf(firstVersion), startedWatch()];
  assert.equal(firstVersion, product);
  const take = (variantId: string, quantity: number, reserved: number, changeNumber: number) =>
    stock.applyChanges([{ variantId, quantity, reserved, changeNumber }]);

  take("another", 1, 0, 1);
  take("b", 9, 0, 2);
  assert.equal(stock.applyCurrentStock(product), firstVersion, "stock of b is not tracked");
  assert.ok(watch.isCurrent() && stock.isCurrent(mark));
  take("a", 5, 2, 3);
  assert.ok(!watch.isCurrent() && !stock.isCurrent(mark));
  const secondVersion = stock.applyCurrentStock(product);
  assert.deepEqual(
    secondVersion.variants.map(({ inventoryQuantity }) => inventoryQuantity),
    [3, undefined],
  );
  assert.equal(secondVersion.variants[1], product.variants[1]);
  assert.equal(stock.applyCurrentStock(product), secondVersion);
  assert.ok(stock.isCurrent(stock.versionOf(secondVersion)));
  assert.ok(!stock.isCurrent(stock.versionOf(firstVersion)), "a superseded product version is not current");
  take("a", 7, 4, 2);
  assert.equal(stock.applyCurrentStock(product), secondVersion, "an earlier change that arrives late has no effect");
  take("a", 4, 1, 4);
  assert.equal(stock.applyCurrentStock(product), secondVersion, "the available quantity is unchanged");
});

test("a response with too many products is cached until any stock changes", () => {
  const stock = createCurrentStock(createStockTable(createStockBuffers()));
  const products = Array.from({ length: 400 }, (_, n) => productOf({ [`v${n}`]: n }));
  const startedWatch = stock.watch();
  for (const product of products) stock.applyCurrentStock(product);
  const watch = startedWatch();
  assert.ok(watch.isCurrent());
  stock.applyChanges([{ variantId: "nobody's", quantity: 1, reserved: 0, changeNumber: 1 }]);
  assert.ok(!watch.isCurrent());
});

function productOf(quantities: Readonly<Record<string, number | undefined>>): Product {
  const variants = Object.entries(quantities).map(
    ([id, inventoryQuantity]): Variant => ({
      id,
      title: id,
      options: [id],
      price: 1,
      ...(inventoryQuantity === undefined ? {} : { inventoryQuantity }),
      inventoryPolicy: "deny",
      requiresShipping: true,
      taxable: true,
      grams: 0,
      quantityRule: { min: 1, increment: 1 },
    }),
  );
  return {
    kind: "product",
    id: "1",
    handle: "product",
    title: "Product",
    vendor: "",
    productType: "",
    tags: [],
    description: "",
    published: true,
    popularity: 0,
    options: ["Size"],
    variants,
    images: [],
    requiresCustomer: false,
    giftCard: false,
    metafields: {},
    translations: {},
  };
}
