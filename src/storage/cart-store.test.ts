import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Cart, emptyCart } from "../cart/cart.ts";
import type { StoredCart } from "../cart/cart-store.ts";
import { createCartWriter } from "../cart/writer/cart-writer.ts";
import { createCartStore, purgeCarts, type StoredCarts } from "./cart-store.ts";
import { CommitInDoubtError, type Database, DatabaseUnavailableError } from "./database.ts";
import { migrate } from "./migrate.ts";
import { openSqlite } from "./sqlite/sqlite.ts";

const NOW = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
let dir: string;
let file: string;
let database: Database;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), "vitrine-carts-"));
  file = join(dir, "vitrine.db");
  database = await openSqlite(file);
  await migrate(database);
});
after(async () => {
  await database.close();
  await rm(dir, { recursive: true, force: true });
});

const line = { key: "k", variantId: "1", properties: {}, seenPrice: 100, seenTitle: "Rope" };
const addUnit = (cart: Cart) => ({
  cart: { ...cart, lines: [{ ...line, quantity: (cart.lines[0]?.quantity ?? 0) + 1 }] },
});

test("a cart is stored unchanged, and found by either id", async () => {
  const carts = createCartStore(database, "one");
  const cart = {
    ...emptyCart,
    id: "one",
    checkoutId: "one-checkout",
    note: "By the door",
    discountCodes: ["TEN"],
    lines: [{ ...line, quantity: 2 }],
  };
  const at = (revision: number) => ({ ...cart, revision });
  assert.equal(await carts.find("one"), undefined);
  assert.equal(await carts.save(at(0), at(1), { now: NOW }), "saved");
  assert.deepEqual(await carts.find("one"), { ...at(1), savedBy: { one: 1 } });
  assert.deepEqual(await carts.findByCheckout("one-checkout"), { ...at(1), savedBy: { one: 1 } });
  assert.equal(await carts.save(at(0), at(1), { now: NOW }), "conflict", "the cart already exists");
  assert.equal(await carts.save(at(1), at(5), { now: NOW }), "saved", "several edits at once");
  assert.equal(await carts.save(at(1), at(2), { now: NOW }), "conflict");
  assert.equal((await carts.find("one"))?.revision, 5);
});

test("fields that a later version stored with a cart and its lines are saved again", async () => {
  const carts = createCartStore(database, "one");
  const later = { lines: [{ ...line, quantity: 1, gift: "yes" }], discountCodes: [], giftCards: [], color: { r: 1 } };
  const sql = "INSERT INTO carts (id, checkout_id, revision, data, updated_at) VALUES ($1, $2, 1, $3, $4)";
  await database.write([{ sql, params: ["later", "later-checkout", JSON.stringify(later), NOW] }]);
  const at = { now: NOW, startDeadline: performance.now() + 10_000 };
  const ids = { id: "later", checkoutId: "later-checkout", isNew: false };
  await createCartWriter(carts, 10_000).edit(ids, at, (cart) => ({
    cart: { ...cart, lines: cart.lines.map((one) => ({ ...one, quantity: 2 })) },
  }));
  const [row] = await database.read("SELECT data FROM carts WHERE id = 'later'");
  const { savedBy: _, ...data } = JSON.parse(String(row?.data)) as Record<string, unknown>;
  assert.deepEqual(data, { ...later, lines: [{ ...line, quantity: 2, gift: "yes" }] });
});

test("a cart with an id generated for the write is not read first, unless another write came first", async () => {
  const store = createCartStore(database, "one");
  let reads = 0;
  const find = (id: string) => {
    reads += 1;
    return store.find(id);
  };
  const ids = { id: "drawn", checkoutId: "drawn-checkout", isNew: true };
  const at = { now: NOW, startDeadline: performance.now() + 10_000 };
  await createCartWriter({ ...store, find }, 10_000).edit(ids, at, addUnit);
  assert.equal(reads, 0);
  await createCartWriter({ ...store, find }, 10_000).edit(ids, at, addUnit);
  assert.equal(reads, 1);
  assert.equal((await store.find("drawn"))?.lines[0]?.quantity, 2);
});

/** Wraps the database, and loses the response to the next write. @param meanwhile runs before the write is repeated */
function loseNextResponse(meanwhile: () => Promise<unknown>): Database {
  let isLost = false;
  return {
    ...database,
    async write(statements, startDeadline) {
      const rows = await database.write(statements, startDeadline);
      if (isLost) return rows;
      isLost = true;
      await meanwhile();
      throw new CommitInDoubtError("the connection broke");
    },
  };
}

test("an edit whose response was lost is not repeated, even if an order of the same server changes the cart meanwhile", async () => {
  const cart = { ...emptyCart, id: "overtaken", checkoutId: "overtaken-checkout" };
  const store: StoredCarts = createCartStore(
    loseNextResponse(async () => {
      const storedCart = await store.find("overtaken");
      assert.ok(storedCart);
      const orderedCart = { ...storedCart, note: "ordered", revision: 2 };
      const statement = { sql: "UPDATE carts SET updated_at = updated_at WHERE id = $1", params: ["overtaken"] };
      const write = { now: NOW, additionalStatements: [statement] };
      assert.equal(await store.save(storedCart, orderedCart, write), "saved");
    }),
    "one",
  );
  assert.equal(await store.save(cart, { ...cart, revision: 1 }, { now: NOW }), "saved");
  assert.equal((await store.find("overtaken"))?.note, "ordered");
});

test("an edit whose response was lost stays in doubt if the database is unavailable afterwards", async () => {
  let isFirstWrite = true;
  const write: Database["write"] = async () => {
    if (!isFirstWrite) throw new DatabaseUnavailableError("the database is unavailable");
    isFirstWrite = false;
    throw new CommitInDoubtError("the connection broke");
  };
  const cart = { ...emptyCart, id: "doubtful", checkoutId: "doubtful-checkout" };
  const store = createCartStore({ ...database, write }, "one");
  const startDeadline = performance.now() - 60_000;
  await assert.rejects(store.save(cart, { ...cart, revision: 1 }, { now: NOW, startDeadline }), CommitInDoubtError);
});

test("a first write whose response was lost is not repeated, even if another write changes the cart meanwhile", async () => {
  const ids = { id: "claimed", checkoutId: "claimed-checkout" };
  const at = { now: NOW, startDeadline: performance.now() + 10_000 };
  const store: StoredCarts = createCartStore(
    loseNextResponse(() => createCartWriter(store, 10_000).edit({ ...ids, isNew: false }, at, addUnit)),
    "one",
  );
  const newCart = { ...emptyCart, ...ids };
  const created = await createCartWriter(store, 10_000).create({ cart: { ...newCart, note: "first" } }, at, "visitor");
  assert.equal(created?.cart.note, "first");
  assert.equal((await store.find("claimed"))?.revision, 2);
});

test("a first write with a token stores its cart and the claim together, or nothing", async () => {
  const carts = createCartStore(database, "one");
  const saveNewCart = (id: string, now: number) => {
    const cart = { ...emptyCart, id, checkoutId: `${id}-checkout` };
    return carts.save(cart, { ...cart, revision: 1 }, { now, visitorTokenHash: "together" });
  };
  const ids = Array.from({ length: 20 }, (_, n) => `together-${n}`);
  const outcomes = await Promise.all(ids.map((id, n) => saveNewCart(id, NOW + n)));
  assert.equal(outcomes.filter((outcome) => outcome === "saved").length, 1);
  const savedIds = (await Promise.all(ids.map((id) => carts.find(id)))).flatMap((cart) => cart?.id ?? []);
  assert.deepEqual(savedIds, [ids[outcomes.indexOf("saved")]]);
  assert.equal(await carts.claimFirstCart("together", "later", NOW + 9_000), savedIds[0]);
  assert.equal(await saveNewCart("much-later", NOW + 20_000), "saved");
  assert.equal(await carts.claimFirstCart("together", "last", NOW + 21_000), "much-later");
  assert.equal(await saveNewCart("clock-went-back", NOW - DAY), "saved");
});

test("a row contains the time of its cart's last write, to the hour", async () => {
  const carts = createCartStore(database, "one");
  const MINUTE = 60_000;
  let cart: StoredCart = { ...emptyCart, id: "hourly", checkoutId: "hourly-checkout" };
  const save = async (now: number): Promise<number> => {
    const nextCart = { ...cart, revision: cart.revision + 1 };
    assert.equal(await carts.save(cart, nextCart, { now }), "saved");
    cart = nextCart;
    const [row] = await database.read("SELECT updated_at AS at, revision FROM carts WHERE id = $1", [cart.id]);
    assert.equal(Number(row?.revision), cart.revision);
    return (Number(row?.at) - NOW) / MINUTE;
  };
  const writtenTimes: number[] = [];
  for (const minute of [0, 10, 59, 60, 61, 200, -90]) writtenTimes.push(await save(NOW + minute * MINUTE));
  assert.deepEqual(writtenTimes, [0, 0, 0, 60, 60, 200, -90], "even if the clock is set back");
  cart = (await carts.find(cart.id)) ?? cart;
  assert.equal(await save(NOW), 0, "a cart that was read again");
});

test("carts of a database that gets no new carts are deleted while carts in another database are written", async () => {
  const closedDatabase = await openSqlite(join(dir, "closed.db"));
  const newDatabase = await openSqlite(join(dir, "new.db"));
  const databases = [closedDatabase, newDatabase];
  try {
    for (const one of databases) await migrate(one);
    const save = (one: Database, now: number) => {
      const cart = { ...emptyCart, id: "cart", checkoutId: "checkout" };
      return createCartStore(one, "one").save(cart, { ...cart, revision: 1 }, { now });
    };
    await save(closedDatabase, NOW - 40 * DAY);
    const warnings: string[] = [];
    const purge = () => purgeCarts(closedDatabase, 30, NOW, (warning) => warnings.push(warning), [newDatabase]);
    assert.deepEqual([await purge(), warnings.length], [0, 1], "the clock may be wrong");
    await save(newDatabase, NOW - 10 * DAY);
    assert.deepEqual([await purge(), warnings.length], [1, 1]);
  } finally {
    for (const one of databases) await one.close();
  }
});
