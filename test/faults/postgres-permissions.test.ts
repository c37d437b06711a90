import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { createApp } from "../../src/app.ts";
import { add, assertCartError } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { createClient } from "../support/client.ts";
import { runCommand } from "../support/command.ts";
import { query } from "../support/postgres-server.ts";
import { makeStore, testSecret } from "../support/shop.ts";
import { createEmptyDatabase, takePostgres } from "../support/test-database.ts";

/** A role that owns nothing. */
const role = `limited_${process.pid}`;
const server = await takePostgres();
let storeDir = "";

before(async () => {
  storeDir = await makeStore({});
  await query(server, `CREATE ROLE ${role} LOGIN`);
});
after(async () => {
  await rm(storeDir, { recursive: true });
});

/** Creates an empty database.  @returns URLs of its owner and of the role */
async function createDatabase(): Promise<{ readonly owner: string; readonly limited: string }> {
  const owner = await createEmptyDatabase(server);
  const url = new URL(owner);
  url.username = role;
  return { owner, limited: url.href };
}

test("a role that may not create tables stops the start with the grants that it needs", async () => {
  const { limited: databaseUrl } = await createDatabase();
  const message = /permission denied for schema public\. Grant the role .*CREATE/;
  await assert.rejects(createApp({ storeDir, databaseUrl, secret: testSecret, logLevel: "silent" }), {
    name: "DatabaseUnavailableError",
    message,
  });
});

test("doctor runs every check on an empty database", async () => {
  const { owner } = await createDatabase();
  const { code, out } = await runCommand(
    { storeDir, env: { DATABASE_URL: owner, VITRINE_SECRET: testSecret } },
    "doctor",
  );
  assert.match(out, /^database: ok \(it is empty: the first start creates its tables\)$/m);
  assert.match(out, /^mail: ok/m);
  assert.equal(code, 0);
});

test("doctor names the grants that a role needs, and runs every check", async () => {
  const { owner, limited } = await createDatabase();
  const app = await createApp({ storeDir, databaseUrl: owner, secret: testSecret, logLevel: "silent" });
  await app.close();
  const env = { DATABASE_URL: limited, VITRINE_SECRET: testSecret };
  const { code, out } = await runCommand({ storeDir, env }, "doctor");
  assert.match(out, /^database: error: permission denied for table .*Grant the role .*ALL on its tables/m);
  assert.match(out, /^mail: ok/m);
  assert.equal(code, 1);
});

test("7.2 502 cart_service_unavailable: the role loses its rights on the carts", async () => {
  const { owner, limited: databaseUrl } = await createDatabase();
  await query(owner, `GRANT ALL ON SCHEMA public TO ${role}`);
  const app = await createApp({ storeDir, databaseUrl, secret: testSecret, logLevel: "silent" });
  after(() => app.close());
  const client = createClient(await app.listen("127.0.0.1", 0));
  await add(client, variant.unlimited);
  await query(owner, "ALTER TABLE carts OWNER TO CURRENT_USER");
  const response = await client.post("/cart/add.js", { id: variant.unlimited });
  assertCartError(response, 502, "cart_service_unavailable");
});
