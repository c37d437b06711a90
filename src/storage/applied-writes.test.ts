import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
import { emptyCart } from "../cart/cart.ts";
import type { CartStore } from "../cart/cart-store.ts";
import { type AppliedWrite, findRepeatedWrite, type IdempotentCart } from "../cart/writer/applied-write.ts";
import { purgeAppliedWrites } from "./applied-writes.ts";
import { createCartStore } from "./cart-store.ts";
import { openTestDatabase } from "./test-database.fixture.ts";

const NOW = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
const { database, close } = await openTestDatabase();
after(close);

const cartOf = (id: string, revision = 0) => ({ ...emptyCart, id, checkoutId: `${id}-checkout`, revision });
/** Saves the next revision of a cart, together with the records of writes. */
const save = (carts: CartStore, id: string, revision: number, now: number, ...records: readonly AppliedWrite[]) =>
  carts.save(cartOf(id, revision), cartOf(id, revision + 1), { now, appliedWrites: records });
const saveRecords = (
  carts: CartStore,
  id: string,
  revision: number,
  now: number,
  ...records: readonly AppliedWrite[]
) => carts.save(cartOf(id, revision), cartOf(id, revision), { now, appliedWrites: records });
const find = async (carts: CartStore, now: number, key: ReturnType<typeof keyOf>, cart?: IdempotentCart) =>
  findRepeatedWrite(await carts.findAppliedWrites([key], cart?.id, now), key, cart);
const keyOf = (key: string, visitor = "visitor") => ({ key, visitor, fingerprint: "what" });
const createRecord = (key: string, overrides: Partial<AppliedWrite> = {}): AppliedWrite => ({
  key,
  fingerprint: "what",
  scopes: ["a"],
  cartId: "a",
  response: '{"cart":"é"}',
  ...overrides,
});

test("a write and its record are stored together or not at all", async () => {
  const carts = createCartStore(database, "server");
  assert.equal(await save(carts, "a", 0, NOW, createRecord("k1", { scopes: ["a", "visitor"] })), "saved");
  assert.equal((await find(carts, NOW, keyOf("k1")))?.response, '{"cart":"é"}');
  assert.equal((await find(carts, NOW, keyOf("k1"), { id: "a", isFromCookie: true }))?.cartId, "a");
  assert.equal(
    await save(carts, "a", 1, NOW, createRecord("k0"), createRecord("k1")),
    "conflict",
    "one key is already used",
  );
  assert.equal((await carts.find("a"))?.revision, 1, "the cart is unchanged");
  assert.equal(await save(carts, "a", 7, NOW, createRecord("k2")), "conflict");
  for (const key of ["k0", "k2"])
    assert.equal(
      await find(carts, NOW, keyOf(key), { id: "a", isFromCookie: true }),
      undefined,
      "the key is not recorded",
    );
});

test("a write without a response stores no record", async () => {
  const carts = createCartStore(database, "server");
  await saveRecords(carts, "mute", 0, NOW, createRecord("k1", { scopes: ["mute"], response: "" }));
  const matches = await carts.findAppliedWrites([keyOf("k1", "mute")], undefined, NOW);
  assert.deepEqual(
    matches.map(({ key, response }) => [key, response]),
    [["k1", undefined]],
  );
});

test("a write without changes is recorded if the cart is still at the revision that was read", async () => {
  const carts = createCartStore(database, "server");
  await save(carts, "b", 0, NOW);
  const record = createRecord("k", { scopes: ["b"], cartId: "b" });
  assert.equal(await saveRecords(carts, "b", 2, NOW, record), "conflict");
  assert.equal(await saveRecords(carts, "b", 1, NOW, record), "saved");
  assert.equal(await saveRecords(carts, "b", 1, NOW, record), "conflict");
  assert.equal((await carts.find("b"))?.revision, 1);
});

test("a visitor's key applies to the cart that its write created, or to any cart if it created none", async () => {
  const carts = createCartStore(database, "server");
  await save(carts, "c", 0, NOW, createRecord("made", { scopes: ["c", "sailor"], cartId: "c" }));
  const { cartId: _, ...recordWithoutCart } = createRecord("none", { scopes: ["sailor"] });
  await saveRecords(carts, "nowhere", 0, NOW, recordWithoutCart);
  const isFound = async (key: string, cart?: IdempotentCart) =>
    (await find(carts, NOW, keyOf(key, "sailor"), cart)) !== undefined;
  assert.ok(await isFound("made"));
  assert.ok(await isFound("made", { id: "new", isFromCookie: false }));
  assert.ok(!(await isFound("made", { id: "other", isFromCookie: true })));
  assert.ok(await isFound("none", { id: "other", isFromCookie: true }));
  assert.ok(!(await isFound("unheard of")));
});

test("a key is valid for a day and reusable after, also if the clock was set back", async () => {
  const carts = createCartStore(database, "server");
  const dailyRecord = createRecord("daily", { scopes: ["d"], cartId: "d" });
  await save(carts, "d", 0, NOW, dailyRecord);
  const isFound = async (now: number) =>
    (await find(carts, now, keyOf("daily"), { id: "d", isFromCookie: true })) !== undefined;
  assert.ok(await isFound(NOW + DAY));
  for (const [index, now] of [NOW + DAY + 1, NOW - DAY].entries()) {
    assert.ok(!(await isFound(now)));
    assert.equal(await save(carts, "d", index + 1, now, dailyRecord), "saved");
    assert.ok(await isFound(now));
  }
});

test("stored responses of one scope use at most a mebibyte, newest first; the keys of all remain valid", async () => {
  const carts = createCartStore(database, "server");
  const responseBytes = async (): Promise<number> => {
    const [row] = await database.read(
      "SELECT SUM(OCTET_LENGTH(answer)) AS bytes FROM applied_writes WHERE scope = 'large'",
    );
    return Number(row?.bytes);
  };
  const saveLargeResponse = (n: number, bytes: number) => {
    const response = randomBytes(bytes).toString("base64");
    return saveRecords(carts, "nowhere", 0, NOW + n, createRecord(`large-${n}`, { scopes: ["large"], response }));
  };
  const isStored = async (n: number): Promise<boolean | undefined> => {
    const [matches] = await carts.findAppliedWrites([keyOf(`large-${n}`, "large")], undefined, NOW);
    return matches && matches.response !== undefined;
  };
  for (let n = 0; n < 20; n += 1) {
    await saveLargeResponse(n, 90_000);
    assert.ok((await responseBytes()) <= 1_024 * 1_024);
  }
  assert.deepEqual(await Promise.all([0, 9, 13, 19].map(isStored)), [false, false, true, true]);
  assert.equal(await saveLargeResponse(20, 1_500_000), "saved");
  assert.deepEqual(await Promise.all([0, 19, 20, 21].map(isStored)), [false, false, true, undefined]);
});

test("old records are purged, newer ones are not", async () => {
  const carts = createCartStore(database, "server");
  const laterTime = NOW + 40 * DAY;
  for (let n = 0; n < 250; n += 1) {
    await saveRecords(carts, "nowhere", 0, laterTime - 2 * DAY, createRecord(`old-${n}`, { scopes: ["s"] }));
  }
  await saveRecords(carts, "nowhere", 0, laterTime - DAY / 2, createRecord("young", { scopes: ["s"] }));
  assert.ok((await purgeAppliedWrites(database, laterTime)) >= 250);
  assert.equal(await purgeAppliedWrites(database, laterTime), 0);
  assert.deepEqual(await database.read("SELECT write_key FROM applied_writes"), [{ write_key: "young" }]);
});
