import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import fc from "fast-check";
import type { CartStore, StoredCart } from "../cart/cart-store.ts";
import { cartVersions, cartVersionsMemory, withCartCache } from "./cart-cache.ts";
import { createCartStore, type StoredCarts } from "./cart-store.ts";
import { type Database, DatabaseUnavailable } from "./database.ts";
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
  const stored = createCartStore(database, "one");
  let reads = 0;
  const cached = withCartCache({
    ...stored,
    find(id) {
      reads += 1;
      return stored.find(id);
    },
  });
  const id = newId();
  assert.equal(await cached.find(id), undefined);
  assert.equal(await cached.save(cartAt(id, 0), cartAt(id, 1), { now: NOW }), "saved");
  assert.equal((await cached.find(id))?.note, "as of 1");
  assert.equal(await cached.save(cartAt(id, 1), cartAt(id, 2), { now: NOW }), "saved");
  assert.equal(await cached.find(id), await cached.find(id), "the very same");
  assert.equal((await cached.find(id))?.note, "as of 2");
  assert.equal(reads, 1, "before it was saved for the first time");
});

test("a save with an unknown outcome causes another read", async () => {
  const stored = createCartStore(database, "one");
  const lost: StoredCarts = {
    ...stored,
    async save(...given) {
      await stored.save(...given);
      throw new DatabaseUnavailable("the answer was lost");
    },
  };
  const id = newId();
  await stored.save(cartAt(id, 0), cartAt(id, 1), { now: NOW });
  const cached = withCartCache(lost);
  assert.equal((await cached.find(id))?.revision, 1);
  await assert.rejects(cached.save(cartAt(id, 1), cartAt(id, 2), { now: NOW }), DatabaseUnavailable);
  assert.equal((await cached.find(id))?.revision, 2);
});

test("with any overlap of reads and saves, a reader never gets a cart older than one acknowledged before its request", async () => {
  const stored = createCartStore(database, "one");
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
      const cached = withCartCache({
        ...stored,
        async find(asked) {
          const ms = delay;
          const cart = await stored.find(asked);
          await wait(ms);
          return cart;
        },
        async save(...given) {
          const [ms, fails] = [delay, isLost];
          const outcome = await stored.save(...given);
          await wait(ms);
          if (fails) throw new DatabaseUnavailable("the answer was lost");
          return outcome;
        },
      });
      let acknowledged = 0;
      let saved = 0;
      const under: Promise<unknown>[] = [];
      // Saves of one cart run one after another.
      let saving: Promise<void> = Promise.resolve();
      const save = async (fails: boolean, ms: number): Promise<void> => {
        isLost = fails;
        delay = ms;
        const before = saved;
        saved += 1;
        const ended = cached.save(cartAt(id, before), cartAt(id, saved), { now: NOW });
        delay = 0;
        isLost = false;
        await ended.then(
          () => (acknowledged = Math.max(acknowledged, before + 1)),
          () => undefined,
        );
      };
      for (const step of plan) {
        if (step.kind === "find") {
          const least = acknowledged;
          delay = step.delay;
          const found = cached.find(id);
          delay = 0;
          under.push(found.then((cart) => assert.ok((cart?.revision ?? 0) >= least, `${cart?.revision} of ${least}`)));
        } else {
          saving = saving.then(() => save(step.kind === "lost save", step.delay));
          under.push(saving);
        }
        await wait(step.pause);
      }
      await Promise.all(under);
      assert.equal((await cached.find(id))?.revision ?? 0, saved);
    }),
    { numRuns: 60 },
  );
});

test("with two threads that read and save one cart, a reader never gets a cart older than one acknowledged before its request", async () => {
  const memory = cartVersionsMemory();
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
        const stored = createCartStore(database, name);
        const late =
          <Given extends unknown[], T>(call: (...given: Given) => Promise<T>) =>
          async (...given: Given): Promise<T> => {
            const ms = delay;
            const result = await call(...given);
            await wait(ms);
            return result;
          };
        return withCartCache({ ...stored, find: late(stored.find), save: late(stored.save) }, cartVersions(memory));
      });
      let acknowledged = 0;
      const edit = async (carts: CartStore): Promise<void> => {
        const revision = (await carts.find(id))?.revision ?? 0;
        const saving = carts.save(cartAt(id, revision), cartAt(id, revision + 1), { now: NOW });
        if ((await saving) === "saved") acknowledged = Math.max(acknowledged, revision + 1);
      };
      const under: Promise<unknown>[] = [];
      for (const { thread, kind, pause, ...step } of plan) {
        const carts = threads[thread] as CartStore;
        const least = acknowledged;
        delay = step.delay;
        const look = async (): Promise<void> => {
          const revision = (await carts.find(id))?.revision ?? 0;
          assert.ok(revision >= least, `${revision} of ${least}`);
        };
        under.push(kind === "find" ? look() : edit(carts));
        delay = 0;
        await wait(pause);
      }
      await Promise.all(under);
      for (const carts of threads) assert.equal((await carts.find(id))?.revision ?? 0, acknowledged);
    }),
    { numRuns: 60 },
  );
});

function wait(ms: number): Promise<void> {
  return new Promise((done) => (ms === 0 ? setImmediate(done) : setTimeout(done, ms)));
}
