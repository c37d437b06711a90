import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import type { Product, Variant } from "../product.ts";
import { createLiveStock } from "./live-stock.ts";
import { createSharedLevels, levelsMemory } from "./stock-table.ts";

test("levels in shared memory equal a map in which the later change wins", () => {
  const change = fc.record({ id: fc.nat(3_000), left: fc.integer(), changed: fc.integer({ min: 1, max: 1_000 }) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 400 }), (changes) => {
      const levels = createSharedLevels(levelsMemory());
      const model = new Map<number, { left: number; changed: number }>();
      for (const { id, left, changed } of changes) {
        levels.write(`v${id}`, left, changed);
        if (changed > (model.get(id)?.changed ?? 0)) model.set(id, { left, changed });
      }
      for (const [id, { left }] of model) assert.equal(levels.left(`v${id}`), left);
      assert.equal(levels.left("never"), undefined);
      assert.equal(levels.count(), model.size);
      assert.equal(levels.keysFrom(0).length, model.size);
    }),
    { numRuns: 40 },
  );
});

test("the table holds one level per variant, and finds each", () => {
  const levels = createSharedLevels(levelsMemory());
  const count = 150_000;
  for (let id = 0; id < count; id += 1) levels.write(`variant-${id}`, id % 90, id + 1);
  for (let id = 0; id < count; id += 1) assert.equal(levels.left(`variant-${id}`), id % 90);
  assert.equal(levels.count(), count);
});

test("concurrent writes of threads are not lost, and each thread sees those of others", async () => {
  const memory = levelsMemory();
  const levels = createSharedLevels(memory);
  const module = JSON.stringify(new URL("./stock-table.ts", import.meta.url).href);
  const source = `
    import { workerData } from "node:worker_threads";
    const { createSharedLevels } = await import(${module});
    const levels = createSharedLevels(workerData.memory);
    for (let turn = 1; turn <= 20; turn += 1)
      for (let id = 0; id < 1_000; id += 1) levels.write("v" + id, turn * 10 + workerData.thread, turn * 10 + workerData.thread);`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
  await Promise.all(
    [1, 2].map(
      (thread) =>
        new Promise((done, fail) =>
          new Worker(url, { workerData: { memory, thread } }).on("exit", done).on("error", fail),
        ),
    ),
  );
  for (let id = 0; id < 1_000; id += 1) assert.equal(levels.left(`v${id}`), 202);
  assert.equal(new Set(levels.keysFrom(0).map(({ slot, print }) => `${slot} ${print}`)).size, 1_000);
});

test("a product object is reused until its stock changes, and data derived from it detects the change", () => {
  const stock = createLiveStock(createSharedLevels(levelsMemory()));
  const product = productOf({ a: 5, b: undefined });
  const read = stock.watch();
  const first = stock.shown(product);
  const [mark, watch] = [stock.markOf(first), read()];
  assert.equal(first, product);
  const take = (variantId: string, quantity: number, held: number, changed: number) =>
    stock.take([{ variantId, quantity, held, changed }]);

  take("another", 1, 0, 1);
  take("b", 9, 0, 2);
  assert.equal(stock.shown(product), first, "stock of b is not tracked");
  assert.ok(watch.isCurrent() && stock.holds(mark));
  take("a", 5, 2, 3);
  assert.ok(!watch.isCurrent() && !stock.holds(mark));
  const second = stock.shown(product);
  assert.deepEqual(
    second.variants.map(({ inventoryQuantity }) => inventoryQuantity),
    [3, undefined],
  );
  assert.equal(second.variants[1], product.variants[1]);
  assert.equal(stock.shown(product), second);
  assert.ok(stock.holds(stock.markOf(second)));
  assert.ok(!stock.holds(stock.markOf(first)), "nothing new is kept by a product that is shown no more");
  take("a", 7, 4, 2);
  assert.equal(stock.shown(product), second, "an earlier change that is heard of late");
  take("a", 4, 1, 4);
  assert.equal(stock.shown(product), second, "as many are left");
});

test("a response with too many products is cached until any stock changes", () => {
  const stock = createLiveStock(createSharedLevels(levelsMemory()));
  const many = Array.from({ length: 400 }, (_, n) => productOf({ [`v${n}`]: n }));
  const read = stock.watch();
  for (const product of many) stock.shown(product);
  const watch = read();
  assert.ok(watch.isCurrent());
  stock.take([{ variantId: "nobody's", quantity: 1, held: 0, changed: 1 }]);
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
