import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { add, assertCartError, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { type Client, createClient } from "../support/client.ts";
import { serve, vitrine } from "../support/server-process.ts";
import { makeStore, openShop } from "../support/shop.ts";

test("7.2 502 cart_service_unavailable: a cart with a flipped bit is never shown or written, others are; carts without a checksum are readable", async () => {
  const storeDir = await makeStore({});
  after(() => rm(storeDir, { recursive: true, force: true }));
  const first = await openShop(storeDir);
  const [hit, other, old] = [
    createClient(first.origin),
    createClient(first.origin),
    createClient(first.origin),
  ] as const;
  await add(hit, variant.unlimited, 1);
  await add(other, variant.unlimited, 2);
  await add(old, variant.unlimited, 3);
  await first.close();
  const file = new DatabaseSync(join(storeDir, "data", "vitrine.db"));
  file.exec(`UPDATE carts SET data = REPLACE(data, '"quantity":1,', '"quantity":9,')`);
  file.exec(`UPDATE carts SET checksum = NULL WHERE data LIKE '%"quantity":3,%'`);
  file.close();
  const server = await openShop(storeDir);
  const again = ({ cookies }: Client): Client => {
    const client = createClient(server.origin);
    for (const [name, value] of cookies) client.cookies.set(name, value);
    return client;
  };
  assertCartError(await again(hit).get("/cart.js"), 502, "cart_service_unavailable");
  assertCartError(await again(hit).post("/cart/add.js", { id: variant.unlimited }), 502, "cart_service_unavailable");
  assert.equal((await readCart(again(other))).item_count, 2);
  assert.equal((await readCart(again(old))).item_count, 3);
  await server.close();
});

test("a corrupt database is reported with a remedy, at the start and later", async () => {
  const storeDir = await makeStore({});
  after(() => rm(storeDir, { recursive: true, force: true }));
  const first = await openShop(storeDir);
  await add(createClient(first.origin), variant.unlimited);
  await first.close();

  const server = await serve(storeDir, "", { LOG_LEVEL: "warn" });
  const file = join(storeDir, "data", "vitrine.db");
  // Keeps the first page, which contains the schema.
  await overwrite(file, 4_096);
  const client = createClient(server.origin);
  assertCartError(await client.post("/cart/add.js", { id: variant.unlimited }), 502, "cart_service_unavailable");
  assert.equal((await client.get("/search/suggest.json?q=rain")).status, 200);
  server.child.kill("SIGTERM");
  const { stderr } = await server.finished;
  assert.match(stderr, /vitrine\.db: .*: it is damaged: stop the server and restore a backup/);

  const { code, stderr: errorOutput } = await vitrine(["serve", storeDir, "--port", "0"]).finished;
  assert.equal(code, 1);
  assert.match(errorOutput, /vitrine\.db: .*: it is damaged: stop the server and restore a backup/);
  assert.doesNotMatch(errorOutput, /^\s+at /m);
});

/** Overwrites a file with random bytes from an offset to its end. */
async function overwrite(path: string, from: number): Promise<void> {
  const file = await open(path, "r+");
  const { size } = await file.stat();
  await file.write(randomBytes(size - from), 0, size - from, from);
  await file.close();
}
