import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import pg from "pg";
import { createApp } from "../../src/app.ts";
import { assertCartError, assertMutated, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { createClient } from "../support/client.ts";
import { type Pooler, startPooler } from "../support/pooler.ts";
import { query } from "../support/postgres-server.ts";
import { makeStore, testSecret } from "../support/shop.ts";
import { createEmptyDatabase, oldestSchema, takePostgres } from "../support/test-database.ts";

const postgres = await takePostgres();
let storeDir = "";
let pooler: Pooler | undefined;
before(async () => {
  storeDir = await makeStore({});
});
after(async () => {
  await pooler?.close();
  await rm(storeDir, { recursive: true });
});

const start = (databaseUrl: string) => createApp({ storeDir, secret: testSecret, logLevel: "silent", databaseUrl });

test("1 behind a pooler that rejects startup settings, such as PgBouncer, carts work and timeouts apply", async () => {
  const databaseUrl = await createEmptyDatabase(postgres);
  pooler = await startPooler(Number(new URL(databaseUrl).port));
  const throughPooler = new URL(databaseUrl);
  throughPooler.port = String(pooler.port);
  const app = await start(throughPooler.href);
  const client = createClient(await app.listen("127.0.0.1", 0));
  assertMutated(await client.post("/cart/add.js", { id: variant.unlimited, quantity: 2 }));

  const other = new pg.Client({ connectionString: databaseUrl });
  await other.connect();
  await other.query("BEGIN; SELECT * FROM carts FOR UPDATE");
  assertCartError(await client.post("/cart/add.js", { id: variant.unlimited }), 502, "cart_service_unavailable");
  await other.query("ROLLBACK");
  await other.end();
  assert.equal((await readCart(client)).item_count, 2, "what was refused is not applied later");
  assertMutated(await client.post("/cart/add.js", { id: variant.unlimited }));
  await app.close();
});

test("1 a migration may exceed the request timeout, and servers that start meanwhile wait for it", async () => {
  const databaseUrl = await createEmptyDatabase(postgres);
  // Makes the migration of a database of version 28 take three seconds, like one of a large database.
  await query(
    databaseUrl,
    `${(await oldestSchema()).join(";\n")};
      CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(3); RETURN NULL; END $$;
      CREATE TRIGGER slow AFTER INSERT ON schema_versions FOR EACH ROW WHEN (NEW.version = 29) EXECUTE FUNCTION wait()`,
  );
  const apps = await Promise.all([start(databaseUrl), start(databaseUrl)]);
  for (const app of apps) {
    const client = createClient(await app.listen("127.0.0.1", 0));
    assertMutated(await client.post("/cart/add.js", { id: variant.unlimited }));
    await app.close();
  }
});

test("1 writes wait for a connection if the database allows fewer than the pool may have", async (context) => {
  const databaseUrl = await createEmptyDatabase(postgres);
  const limitedUrl = new URL(databaseUrl);
  const database = limitedUrl.pathname.slice(1);
  const role = `owner_of_${database}`;
  await query(databaseUrl, `CREATE ROLE ${role} LOGIN CONNECTION LIMIT 4; ALTER DATABASE ${database} OWNER TO ${role}`);
  limitedUrl.username = role;
  const app = await start(limitedUrl.href);
  context.after(() => app.close());
  const origin = await app.listen("127.0.0.1", 0);
  const writes = Array.from({ length: 30 }, () => createClient(origin).post("/cart/add.js", { id: variant.unlimited }));
  for (const reply of await Promise.all(writes)) assertMutated(reply);
  await query(databaseUrl, `ALTER ROLE ${role} CONNECTION LIMIT 0`);
  await assert.rejects(
    start(limitedUrl.href),
    /too many connections for role "owner_of_\w+"\. Close other connections, or raise/,
  );
});
