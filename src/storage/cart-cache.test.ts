import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import fc from "fast-check";
import type { CartStore, StoredCart } from "../cart/cart-store.ts";
import { addCartCache, allocateCartVersions, openCartVersions } from "./cart-cache.ts";
import { createCartStore, type StoredCarts } from "./cart-store.ts";
import { type Database, DatabaseUnavailableError } from "./database.ts";
import { migrate } from "./migrate.ts";
import { openSqlite } from "./sqlite/sqlite.ts";

const NOW = Date.UTC(2026, 0, 1);
let dir: string;
let database: Database;
let carts = 0;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), "vitrine-carts-"));
  database = await openSqlite(join(dir, "vitrine.db"));
  await migrate(database);
});
after(async () => {
  await database.close();
  await rm(dir, { recursive: true, force: true });
});

/** Creates a cart with a note that contains its revision. */
function cartAt(id: string, revision: number): StoredCart {
  return {
    id,
    checkoutId: `${id}-checkout`,
    revision,
    note: `as of ${revision}`,
    lines: [],
    discountCodes: [],
    giftCards: [],
  };
}

function newId(): string {
  carts += 1;
  return `cart-${carts}`;
}

test("a cart is read from the database once, and then equals the last saved one", async () => {
  const store = createCartStore(database, "one");
  let reads = 0;
  const cachedStore = addCartCache({
    ...store,
    find(id) {
      reads += 1;
      return store.find(id);
    },
  });
  const id = newId();
  assert.equal(await cachedStore.find(id), undefined);
  assert.equal(await cachedStore.save(cartAt(id, 0), cartAt(id, 1), { now: NOW }), "saved");
  assert.equal((await cachedStore.find(id))?.note, "as of 1");
  assert.equal(await cachedStore.save(cartAt(id, 1), cartAt(id, 2), { now: NOW }), "saved");
  assert.equal(await cachedStore.find(id), await cachedStore.find(id), "the same object");
  assert.equal((await cachedStore.find(id))?.note, "as of 2");
  assert.equal(reads, 1, "before it was saved for the first time");
});

test("a save with an unknown outcome causes another read", async () => {
  const store = createCartStore(database, "one");
  const failingStore: StoredCarts = {
    ...store,
    async save(...args) {
      await store.save(...args);
      throw new DatabaseUnavailableError("the answer was lost");
    },
  };
  const id = newId();
  await store.save(cartAt(id, 0), cartAt(id, 1), { now: NOW });
  const cachedStore = addCartCache(failingStore);
  assert.equal((await cachedStore.find(id))?.revision, 1);
  await assert.rejects(cachedStore.save(cartAt(id, 1), cartAt(id, 2), { now: NOW }), DatabaseUnavailableError);
  assert.equal((await cachedStore.find(id))?.revision, 2);
});

test("with any overlap of reads and saves, a reader never gets a cart older than one acknowledged before its request", async () => {
  const store = createCartStore(database, "one");
  const steps = fc.array(
    fc.record({
      kind: fc.constantFrom("find", "save", "lost save"),
      // Additional delay of each operation in milliseconds.
      delay: fc.integer({ min: 0, max: 4 }),
      pause: fc.integer({ min: 0, max: 3 }),
    }),
    { minLength: 2, maxLength: 14 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      const id = newId();
      let delay = 0;
      let isLost = false;
      const cachedStore = addCartCache({
        ...store,
        async find(cartId) {
          const ms = delay;
          const cart = await store.find(cartId);
          await wait(ms);
          return cart;
        },
        async save(...args) {
          const [ms, fails] = [delay, isLost];
          const outcome = await store.save(...args);
          await wait(ms);
          if (fails) throw new DatabaseUnavailableError("the answer was lost");
          return outcome;
        },
      });
      let acknowledgedRevision = 0;
      let savedRevision = 0;
      const pendingOperations: Promise<unknown>[] = [];
      // Saves of one cart run one after another.
      let pendingSaves: Promise<void> = Promise.resolve();
      const save = async (fails: boolean, ms: number): Promise<void> => {
        isLost = fails;
        delay = ms;
        const previousRevision = savedRevision;
        savedRevision += 1;
        const saveResult = cachedStore.save(cartAt(id, previousRevision), cartAt(id, savedRevision), { now: NOW });
        delay = 0;
        isLost = false;
        await saveResult.then(
          () => (acknowledgedRevision = Math.max(acknowledgedRevision, previousRevision + 1)),
          () => undefined,
        );
      };
      for (const step of plan) {
        if (step.kind === "find") {
          const minRevision = acknowledgedRevision;
          delay = step.delay;
          const readResult = cachedStore.find(id);
          delay = 0;
          pendingOperations.push(
            readResult.then((cart) =>
              assert.ok((cart?.revision ?? 0) >= minRevision, `${cart?.revision} of ${minRevision}`),
            ),
          );
        } else {
          pendingSaves = pendingSaves.then(() => save(step.kind === "lost save", step.delay));
          pendingOperations.push(pendingSaves);
        }
        await wait(step.pause);
      }
      await Promise.all(pendingOperations);
      assert.equal((await cachedStore.find(id))?.revision ?? 0, savedRevision);
    }),
    { numRuns: 60 },
  );
});

test("with two threads that read and save one cart, a reader never gets a cart older than one acknowledged before its request", async () => {
  const memory = allocateCartVersions();
  const steps = fc.array(
    fc.record({
      thread: fc.nat({ max: 1 }),
      kind: fc.constantFrom("find", "save"),
      delay: fc.integer({ min: 0, max: 3 }),
      pause: fc.integer({ min: 0, max: 2 }),
    }),
    { minLength: 2, maxLength: 14 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      const id = newId();
      let delay = 0;
      const threads = ["one", "two"].map((name) => {
        const store = createCartStore(database, name);
        const delayCall =
          <Given extends unknown[], T>(call: (...args: Given) => Promise<T>) =>
          async (...args: Given): Promise<T> => {
            const ms = delay;
            const result = await call(...args);
            await wait(ms);
            return result;
          };
        return addCartCache(
          { ...store, find: delayCall(store.find), save: delayCall(store.save) },
          openCartVersions(memory),
        );
      });
      let acknowledgedRevision = 0;
      const edit = async (carts: CartStore): Promise<void> => {
        const revision = (await carts.find(id))?.revision ?? 0;
        const saveResult = carts.save(cartAt(id, revision), cartAt(id, revision + 1), { now: NOW });
        if ((await saveResult) === "saved") acknowledgedRevision = Math.max(acknowledgedRevision, revision + 1);
      };
      const pendingOperations: Promise<unknown>[] = [];
      for (const { thread, kind, pause, ...step } of plan) {
        const carts = threads[thread] as CartStore;
        const minRevision = acknowledgedRevision;
        delay = step.delay;
        const readCart = async (): Promise<void> => {
          const revision = (await carts.find(id))?.revision ?? 0;
          assert.ok(revision >= minRevision, `${revision} of ${minRevision}`);
        };
        pendingOperations.push(kind === "find" ? readCart() : edit(carts));
        delay = 0;
        await wait(pause);
      }
      await Promise.all(pendingOperations);
      for (const carts of threads) assert.equal((await carts.find(id))?.revision ?? 0, acknowledgedRevision);
    }),
    { numRuns: 60 },
  );
});

function wait(ms: number): Promise<void> {
  return new Promise((done) => (ms === 0 ? setImmediate(done) : setTimeout(done, ms)));
}
