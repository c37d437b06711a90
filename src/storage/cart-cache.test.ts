import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { StoredCart } from "../cart/cart-store.ts";
import { addCartCache, allocateCartVersions, openCartVersions } from "./cart-cache.ts";
import { createCartStore, type StoredCarts } from "./cart-store.ts";
import { DatabaseUnavailableError } from "./database.ts";
import { openTestDatabase } from "./test-database.fixture.ts";

const NOW = Date.UTC(2026, 0, 1);
const { database, close } = await openTestDatabase();
after(close);
let carts = 0;

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

test("a write without a change does not bring back a cart that another thread has replaced", async () => {
  const versions = openCartVersions(allocateCartVersions());
  const [one, two] = ["one", "two"].map((name) => addCartCache(createCartStore(database, name), versions));
  assert.ok(one && two);
  const id = newId();
  await one.save(cartAt(id, 0), cartAt(id, 1), { now: NOW });
  const outdatedCart = await two.find(id);
  assert.ok(outdatedCart);
  await one.save(cartAt(id, 1), cartAt(id, 2), { now: NOW });
  assert.equal(await two.save(outdatedCart, outdatedCart, { now: NOW }), "saved");
  assert.equal((await two.find(id))?.revision, 2);
});

test("after a write in flight was read, or a request with its key was answered, no thread shows the cart as it was before", async () => {
  const versions = openCartVersions(allocateCartVersions());
  const store = createCartStore(database, "one");
  const committed = Promise.withResolvers<void>();
  const acknowledged = Promise.withResolvers<void>();
  const one = addCartCache(
    {
      ...store,
      async save(...args) {
        const outcome = await store.save(...args);
        committed.resolve();
        await acknowledged.promise;
        return outcome;
      },
    },
    versions,
  );
  const [two, three] = ["two", "three"].map((name) => addCartCache(createCartStore(database, name), versions));
  assert.ok(two && three);
  const id = newId();
  await store.save(cartAt(id, 0), cartAt(id, 1), { now: NOW });
  for (const thread of [one, three]) assert.equal((await thread.find(id))?.revision, 1);
  const key = { key: "key", fingerprint: "same", visitor: "visitor" };
  const write = { ...key, scopes: [id], cartId: id, response: "{}" };
  const save = one.save(cartAt(id, 1), cartAt(id, 2), { now: NOW, appliedWrites: [write] });
  await committed.promise;
  assert.equal((await two.findAppliedWrites([key], id, NOW)).length, 1);
  for (const thread of [two, one, three]) {
    assert.equal(thread.findCached(id), undefined);
    assert.equal((await thread.find(id))?.revision, 2);
  }
  acknowledged.resolve();
  assert.equal(await save, "saved");
  for (const thread of [one, two, three]) assert.equal((await thread.find(id))?.revision, 2);
});
