import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { AppliedWrite } from "../cart/applied-write.ts";
import { emptyCart } from "../cart/cart.ts";
import { sweepAppliedWrites } from "./applied-writes.ts";
import { createCartStore } from "./cart-store.ts";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import { openSqlite } from "./sqlite.ts";

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
const keyOf = (key: string, visitor = "visitor") => ({ key, visitor, fingerprint: "what" });
const applied = (key: string, more: Partial<AppliedWrite> = {}): AppliedWrite => ({
  key,
  fingerprint: "what",
  scopes: ["a"],
  cartId: "a",
  answer: '{"cart":"é"}',
  ...more,
});

test("a write and its record are kept together or not at all", async () => {
  const carts = createCartStore(database);
  assert.equal(await carts.save(cartOf("a"), NOW, applied("k1", { scopes: ["a", "visitor"] })), true);
  assert.equal((await carts.findApplied(keyOf("k1"), undefined, NOW))?.answer, '{"cart":"é"}');
  assert.equal((await carts.findApplied(keyOf("k1"), { id: "a", isKnown: true }, NOW))?.cartId, "a");
  assert.equal(await carts.save(cartOf("a", 1), NOW, applied("k1")), false, "the key is used");
  assert.equal((await carts.find("a"))?.revision, 1, "so the cart is as it was");
  assert.equal(await carts.save(cartOf("a", 7), NOW, applied("k2")), false, "the cart has moved on");
  assert.equal(
    await carts.findApplied(keyOf("k2"), { id: "a", isKnown: true }, NOW),
    undefined,
    "so nothing is recorded",
  );
});

test("what changed nothing is recorded where the cart is still the one that was read", async () => {
  const carts = createCartStore(database);
  await carts.save(cartOf("b"), NOW);
  const record = applied("k", { scopes: ["b"], cartId: "b" });
  assert.equal(await carts.keepApplied(cartOf("b", 2), NOW, record), false);
  assert.equal(await carts.keepApplied(cartOf("b", 1), NOW, record), true);
  assert.equal(await carts.keepApplied(cartOf("b", 1), NOW, record), false);
  assert.equal((await carts.find("b"))?.revision, 1);
});

test("a visitor's key counts for the cart it made, or for any where it made none", async () => {
  const carts = createCartStore(database);
  await carts.save(cartOf("c"), NOW, applied("made", { scopes: ["c", "sailor"], cartId: "c" }));
  const { cartId: _, ...without } = applied("none", { scopes: ["sailor"] });
  await carts.keepApplied(cartOf("nowhere"), NOW, without);
  const find = async (key: string, cart?: { readonly id: string; readonly isKnown: boolean }): Promise<boolean> =>
    (await carts.findApplied(keyOf(key, "sailor"), cart, NOW)) !== undefined;
  assert.ok(await find("made"));
  assert.ok(await find("made", { id: "new", isKnown: false }));
  assert.ok(!(await find("made", { id: "other", isKnown: true })));
  assert.ok(await find("none", { id: "other", isKnown: true }));
  assert.ok(!(await find("unheard of")));
});

test("a key counts for a day and can be used anew after, also where the clock has jumped back", async () => {
  const carts = createCartStore(database);
  await carts.save(cartOf("d"), NOW, applied("daily", { scopes: ["d"], cartId: "d" }));
  const find = (now: number) => carts.findApplied(keyOf("daily"), { id: "d", isKnown: true }, now);
  assert.ok(await find(NOW + DAY));
  for (const [index, now] of [NOW + DAY + 1, NOW - DAY].entries()) {
    assert.equal(await find(now), undefined);
    assert.equal(await carts.save(cartOf("d", index + 1), now, applied("daily", { scopes: ["d"], cartId: "d" })), true);
    assert.ok(await find(now));
  }
});

test("the answers kept of one scope have at most a mebibyte together, the newest among them; the keys of all still count", async () => {
  const carts = createCartStore(database);
  const size = async (): Promise<number> => {
    const [row] = await database.read(
      "SELECT SUM(OCTET_LENGTH(answer)) AS bytes FROM applied_writes WHERE scope = 'large'",
    );
    return Number(row?.bytes);
  };
  const keep = (n: number, bytes: number): Promise<boolean> => {
    const answer = randomBytes(bytes).toString("base64");
    return carts.keepApplied(cartOf("nowhere"), NOW + n, applied(`large-${n}`, { scopes: ["large"], answer }));
  };
  const isKept = async (n: number): Promise<boolean | undefined> => {
    const found = await carts.findApplied(keyOf(`large-${n}`, "large"), undefined, NOW);
    return found && found.answer !== undefined;
  };
  for (let n = 0; n < 20; n += 1) {
    await keep(n, 90_000);
    assert.ok((await size()) <= 1_024 * 1_024);
  }
  assert.deepEqual(await Promise.all([0, 9, 13, 19].map(isKept)), [false, false, true, true]);
  assert.equal(await keep(20, 1_500_000), true);
  assert.deepEqual(await Promise.all([0, 19, 20, 21].map(isKept)), [false, false, true, undefined]);
});

test("old records are swept, younger ones are not", async () => {
  const carts = createCartStore(database);
  const later = NOW + 40 * DAY;
  for (let n = 0; n < 250; n += 1) {
    await carts.keepApplied(cartOf("nowhere"), later - 2 * DAY, applied(`old-${n}`, { scopes: ["s"] }));
  }
  await carts.keepApplied(cartOf("nowhere"), later - DAY / 2, applied("young", { scopes: ["s"] }));
  assert.ok((await sweepAppliedWrites(database, later)) >= 250);
  assert.equal(await sweepAppliedWrites(database, later), 0);
  assert.deepEqual(await database.read("SELECT write_key FROM applied_writes"), [{ write_key: "young" }]);
});
