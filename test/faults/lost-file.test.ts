import assert from "node:assert/strict";
import { copyFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { add, assertCartError, assertMutated } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { type Client, createClient } from "../support/client.ts";
import { serve } from "../support/server-process.ts";
import { makeStore, startShop } from "../support/shop.ts";

test("7.2 502 cart_service_unavailable: with the database file deleted no write is acknowledged, readiness fails, and the log has one line with a remedy; search works", async () => {
  const storeDir = await makeStore({});
  const server = await serve(storeDir, "", { LOG_LEVEL: "warn" });
  after(() => rm(storeDir, { recursive: true, force: true }));
  const client = createClient(server.origin);
  await add(client, variant.unlimited);
  await rm(join(storeDir, "data", "vitrine.db"));
  for (let n = 0; n < 5; n += 1) await refuseWrite(client);
  assert.equal((await client.get("/readyz")).status, 503);
  assert.equal((await client.get("/search/suggest.json?q=rain")).status, 200);
  server.child.kill("SIGTERM");
  const { stderr } = await server.finished;
  const told = stderr.split("\n").filter((line) => line.includes('"carts are unavailable"'));
  assert.equal(told.length, 1, stderr);
  assert.match(
    told[0] ?? "",
    /vitrine\.db was deleted or replaced .* Restore the same file, or stop the server, replace the file with a backup/,
  );
});

for (const [name, lose] of [
  ["the data folder deleted", (data: string) => rm(data, { recursive: true })],
  ["the write-ahead log deleted", (data: string) => rm(join(data, "vitrine.db-wal"))],
  ["the log's index deleted", (data: string) => rm(join(data, "vitrine.db-shm"))],
  ["the database's file replaced by a copy", replace],
] as const) {
  test(`7.2 502 cart_service_unavailable: with ${name} no write is acknowledged`, async () => {
    const shop = await startShop();
    const client = shop.client();
    await add(client, variant.unlimited);
    await lose(join(shop.storeDir, "data"));
    await refuseWrite(client);
    assert.equal((await client.get("/readyz")).status, 503);
    await shop.close();
  });
}

test("a restored database file is used again, with all acknowledged data", async () => {
  const shop = await startShop();
  const client = shop.client();
  await add(client, variant.unlimited);
  const data = join(shop.storeDir, "data");
  await rename(data, `${data}-away`);
  await refuseWrite(client);
  await rename(`${data}-away`, data);
  assert.equal(assertMutated(await client.post("/cart/add.js", { id: variant.unlimited })).item_count, 2);
  await shop.close();
});

async function refuseWrite(client: Client): Promise<void> {
  assertCartError(await client.post("/cart/add.js", { id: variant.unlimited }), 502, "cart_service_unavailable");
}

async function replace(data: string): Promise<void> {
  await copyFile(join(data, "vitrine.db"), join(data, "copy"));
  await rename(join(data, "copy"), join(data, "vitrine.db"));
}
