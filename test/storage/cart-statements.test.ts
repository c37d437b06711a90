import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyCart } from "../../src/cart/cart.ts";
import { purgeAppliedWrites } from "../../src/storage/applied-writes.ts";
import { parseCartDatabaseUrls } from "../../src/storage/cart-databases/cart-database-urls.ts";
import { openCartDatabases } from "../../src/storage/cart-databases/open-cart-databases.ts";
import { purgeRemovedOrders } from "../../src/storage/cart-databases/ordered-carts.ts";
import { createCartStore, purgeCarts } from "../../src/storage/cart-store.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { freshDatabase } from "../support/test-database.ts";

/**
 * Environment variable with empty databases of other systems, which speak the protocol of PostgreSQL, such as
 * "citus=postgres://… neon=postgres://…".
 */
const otherDatabases = process.env.VITRINE_TEST_DATABASES ?? "";
const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 0, 1);

for (const name of ["postgresql", "citus", "cockroachdb", "yugabytedb", "neon"])
  test(`all statements of a cart database run on ${name}`, async (context) => {
    const { databaseUrl } = await freshDatabase();
    const other = otherDatabases.split(" ").find((entry) => entry.startsWith(`${name}=`));
    const entry = name === "postgresql" && databaseUrl !== undefined ? `postgresql=${databaseUrl}` : other;
    if (entry === undefined) return context.skip(`VITRINE_TEST_DATABASES has no ${name}`);
    const [source] = parseCartDatabaseUrls(entry, { url: "" });
    if (source === undefined) throw new Error("the entry has no URL");
    const database = await openDatabase(source);
    const log = { recurring: ({ error }: { readonly error: unknown }) => assert.fail(String(error)) };
    const opened = await openCartDatabases([source], { mainDatabase: database, log });
    try {
      const cartDatabase = opened.databases.get(name)?.database;
      assert.ok(cartDatabase);
      const carts = createCartStore(cartDatabase, "one");
      const ids = { id: "cart", checkoutId: "checkout" };
      const empty = { ...emptyCart, ...ids };
      const cart = { ...empty, revision: 1 };
      const write = { now: NOW, startDeadline: performance.now() + cartDatabase.maxStartDelayMs };
      assert.equal(await carts.save(empty, cart, { ...write, visitorTokenHash: "visitor" }), "saved");
      assert.equal(await carts.claimFirstCart("visitor", "other", NOW), "cart");
      assert.equal(await carts.save(empty, cart, write), "conflict");
      const appliedWrite = { key: "key", fingerprint: "f", scopes: ["cart"], cartId: "cart", response: "{}" };
      assert.equal(
        await carts.save(cart, { ...cart, revision: 2 }, { ...write, appliedWrites: [appliedWrite] }),
        "saved",
      );
      const key = { key: "key", fingerprint: "f", visitor: "visitor" };
      assert.equal((await carts.findAppliedWrites([key], "cart", NOW))[0]?.response, "{}");
      assert.deepEqual([...(await carts.getRevisions(["cart", "missing"]))], [["cart", 2]]);
      assert.equal((await carts.findByCheckout("checkout"))?.revision, 2);
      const removeOrder = {
        sql: "INSERT INTO removed_orders (order_id, removed_at) VALUES ($1, $2) ON CONFLICT (order_id) DO NOTHING",
        params: ["order", NOW],
        requireRows: 1,
      };
      const removals = [2, 3].map((revision) => {
        const stored = { ...cart, revision };
        const saved = { ...write, additionalStatements: [removeOrder] };
        return () => carts.save(stored, { ...stored, revision: revision + 1 }, saved);
      });
      assert.equal(await removals[0]?.(), "saved");
      assert.equal(await removals[1]?.(), "conflict");
      assert.equal((await carts.find("cart"))?.revision, 3);
      const later = NOW + 40 * DAY_MS;
      const recent = { ...empty, id: "recent", checkoutId: "recent" };
      await carts.save(recent, { ...recent, revision: 1 }, { ...write, now: later - 10 * DAY_MS });
      assert.equal(await purgeCarts(cartDatabase, 30, later, assert.fail), 1);
      assert.equal(await purgeAppliedWrites(cartDatabase, later), 1);
      await purgeRemovedOrders(cartDatabase, NOW + 70 * DAY_MS);
      assert.equal((await cartDatabase.read("SELECT order_id FROM removed_orders")).length, 0);
    } finally {
      await opened.close();
      await database.close();
    }
  });
