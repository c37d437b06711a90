import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { emptyCart } from "../cart/cart.ts";
import type { CartStore } from "../cart/cart-store.ts";
import { type AppliedWrite, findReplay, type KeyedCart } from "../cart/writer/applied-write.ts";
import { purgeAppliedWrites } from "./applied-writes.ts";
import { createCartStore } from "./cart-store.ts";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import { openSqlite } from "./sqlite/sqlite.ts";

const NOW = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
let dir: string;
let database: Database;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), "vitrine-applied-"));
  database = await openSqlite(join(dir, "vitrine.db"));
  await migrate(database);
});
after(async () => {
  await database.close();
  await rm(dir, { recursive: true, force: true });
});

const cartOf = (id: string, revision = 0) => ({ ...emptyCart, id, checkoutId: `${id}-checkout`, revision });
/** Saves a cart that was read at `revision` at the next revision. If nothing else changed, writes only the records. */
const save = (carts: CartStore, id: string, revision: number, now: number, ...records: readonly AppliedWrite[]) =>
  carts.save(cartOf(id, revision), cartOf(id, revision + 1), { now, applied: records });
const keep = (carts: CartStore, id: string, revision: number, now: number, ...records: readonly AppliedWrite[]) =>
  carts.save(cartOf(id, revision), cartOf(id, revision), { now, applied: records });
const find = async (carts: CartStore, now: number, key: ReturnType<typeof keyOf>, cart?: KeyedCart) =>
  findReplay(await carts.findApplied([key], cart?.id, now), key, cart);
const keyOf = (key: string, visitor = "visitor") => ({ key, visitor, fingerprint: "what" });
const applied = (key: string, more: Partial<AppliedWrite> = {}): AppliedWrite => ({
  key,
  fingerprint: "what",
  scopes: ["a"],
  cartId: "a",
  answer: '{"cart":"é"}',
  ...more,
});

test("a write and its record are stored together or not at all", async () => {
  const carts = createCartStore(database, "server");
  assert.equal(await save(carts, "a", 0, NOW, applied("k1", { scopes: ["a", "visitor"] })), "saved");
  assert.equal((await find(carts, NOW, keyOf("k1")))?.answer, '{"cart":"é"}');
  assert.equal((await find(carts, NOW, keyOf("k1"), { id: "a", isKnown: true }))?.cartId, "a");
  assert.equal(await save(carts, "a", 1, NOW, applied("k0"), applied("k1")), "moved on", "one of the keys is used");
  assert.equal((await carts.find("a"))?.revision, 1, "so the cart is as it was");
  assert.equal(await save(carts, "a", 7, NOW, applied("k2")), "moved on");
  for (const key of ["k0", "k2"])
    assert.equal(await find(carts, NOW, keyOf(key), { id: "a", isKnown: true }), undefined, "so nothing is recorded");
});

test("a write without a response stores no record", async () => {
  const carts = createCartStore(database, "server");
  await keep(carts, "mute", 0, NOW, applied("k1", { scopes: ["mute"], answer: "" }));
  const found = await carts.findApplied([keyOf("k1", "mute")], undefined, NOW);
  assert.deepEqual(
    found.map(({ key, answer }) => [key, answer]),
    [["k1", undefined]],
  );
});

test("a write without changes is recorded if the cart is still at the revision that was read", async () => {
  const carts = createCartStore(database, "server");
  await save(carts, "b", 0, NOW);
  const record = applied("k", { scopes: ["b"], cartId: "b" });
  assert.equal(await keep(carts, "b", 2, NOW, record), "moved on");
  assert.equal(await keep(carts, "b", 1, NOW, record), "saved");
  assert.equal(await keep(carts, "b", 1, NOW, record), "moved on");
  assert.equal((await carts.find("b"))?.revision, 1);
});

test("a visitor's key applies to the cart that its write created, or to any cart if it created none", async () => {
  const carts = createCartStore(database, "server");
  await save(carts, "c", 0, NOW, applied("made", { scopes: ["c", "sailor"], cartId: "c" }));
  const { cartId: _, ...without } = applied("none", { scopes: ["sailor"] });
  await keep(carts, "nowhere", 0, NOW, without);
  const isFound = async (key: string, cart?: KeyedCart) =>
    (await find(carts, NOW, keyOf(key, "sailor"), cart)) !== undefined;
  assert.ok(await isFound("made"));
  assert.ok(await isFound("made", { id: "new", isKnown: false }));
  assert.ok(!(await isFound("made", { id: "other", isKnown: true })));
  assert.ok(await isFound("none", { id: "other", isKnown: true }));
  assert.ok(!(await isFound("unheard of")));
});

test("a key is valid for a day and reusable after, also if the clock was set back", async () => {
  const carts = createCartStore(database, "server");
  const daily = applied("daily", { scopes: ["d"], cartId: "d" });
  await save(carts, "d", 0, NOW, daily);
  const isFound = async (now: number) =>
    (await find(carts, now, keyOf("daily"), { id: "d", isKnown: true })) !== undefined;
  assert.ok(await isFound(NOW + DAY));
  for (const [index, now] of [NOW + DAY + 1, NOW - DAY].entries()) {
    assert.ok(!(await isFound(now)));
    assert.equal(await save(carts, "d", index + 1, now, daily), "saved");
    assert.ok(await isFound(now));
  }
});

test("stored responses of one scope use at most a mebibyte, newest first; the keys of all remain valid", async () => {
  const carts = createCartStore(database, "server");
  const size = async (): Promise<number> => {
    const [row] = await database.read(
      "SELECT SUM(OCTET_LENGTH(answer)) AS bytes FROM applied_writes WHERE scope = 'large'",
    );
    return Number(row?.bytes);
  };
  const keepLarge = (n: number, bytes: number) => {
    const answer = randomBytes(bytes).toString("base64");
    return keep(carts, "nowhere", 0, NOW + n, applied(`large-${n}`, { scopes: ["large"], answer }));
  };
  const isKept = async (n: number): Promise<boolean | undefined> => {
    const [found] = await carts.findApplied([keyOf(`large-${n}`, "large")], undefined, NOW);
    return found && found.answer !== undefined;
  };
  for (let n = 0; n < 20; n += 1) {
    await keepLarge(n, 90_000);
    assert.ok((await size()) <= 1_024 * 1_024);
  }
  assert.deepEqual(await Promise.all([0, 9, 13, 19].map(isKept)), [false, false, true, true]);
  assert.equal(await keepLarge(20, 1_500_000), "saved");
  assert.deepEqual(await Promise.all([0, 19, 20, 21].map(isKept)), [false, false, true, undefined]);
});

test("old records are purged, newer ones are not", async () => {
  const carts = createCartStore(database, "server");
  const later = NOW + 40 * DAY;
  for (let n = 0; n < 250; n += 1) {
    await keep(carts, "nowhere", 0, later - 2 * DAY, applied(`old-${n}`, { scopes: ["s"] }));
  }
  await keep(carts, "nowhere", 0, later - DAY / 2, applied("young", { scopes: ["s"] }));
  assert.ok((await purgeAppliedWrites(database, later)) >= 250);
  assert.equal(await purgeAppliedWrites(database, later), 0);
  assert.deepEqual(await database.read("SELECT write_key FROM applied_writes"), [{ write_key: "young" }]);
});
