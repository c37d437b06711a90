import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { type Headers, type Reply, send } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { serve } from "../support/server-process.ts";
import { makeStore, openShop, startShop } from "../support/shop.ts";
import { serverVariable } from "../support/test-database.ts";

const start = 'import { defineStore } from "vitrine";\n\nexport default defineStore({';
const source = `${start}
  name: "Test Harbour", // on the sign
  currency: "EUR",
  server: { threads: 1, maxWait: 60_000 },
  mail: { smtp: process.env.NO_SUCH_VARIABLE, newOrders: false },
  shipping: { countries: ["DE"] },
});
`;
const storeFiles = { "vitrine.config.ts": source };

interface Saved {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly revision: string;
  readonly read_only: string | null;
  readonly computed: readonly string[];
}

const shop = await startShop({ storeFiles, hasTheme: false });
const token = await createApiToken(shop, "settings:read", "settings:write", "catalog:read");
const client = shop.client();
const ask = (method: string, path: string, body?: object, headers: Headers = {}): Promise<Reply> =>
  client.send(method, path, {
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const read = async (): Promise<Saved> => (await ask("GET", "/api/settings")).json<Saved>();
const readSource = (): Promise<string> => readFile(join(shop.storeDir, "vitrine.config.ts"), "utf8");

if (process.env[serverVariable] !== undefined) {
  test("settings of a shop whose database may have several servers cannot be changed by one of them", async () => {
    assert.equal((await read()).read_only, "database");
    const reply = await ask("POST", "/api/settings", { name: "Other" });
    assert.deepEqual([reply.status, reply.json<{ error: string }>().error], [409, "settings_read_only"]);
    assert.equal(await readSource(), source);
  });
} else {
  test("a change is in the file, next to its comments, and applies at once", async () => {
    const before = await read();
    assert.deepEqual(before, {
      settings: { name: "Test Harbour", mail: { newOrders: false }, shipping: { countries: ["DE"] } },
      revision: before.revision,
      read_only: null,
      computed: ["mail.smtp"],
    });
    const reply = await ask("POST", "/api/settings", {
      name: "Kontor",
      contact: { email: "office@shop.example" },
      shipping: { rates: [{ name: "Standard", price: 490, freeFrom: 5_000 }] },
      tax: { rates: { DE: 8.1 } },
    });
    assert.equal(reply.status, 200, reply.text);
    const after = reply.json<Saved>();
    assert.equal(reply.headers.etag, `"${after.revision}"`);
    assert.deepEqual(after, await read());
    assert.equal(
      await readSource(),
      source
        .replace('"Test Harbour"', '"Kontor"')
        .replace(
          'countries: ["DE"] },',
          'countries: ["DE"], rates: [{ name: "Standard", price: 490, freeFrom: 5000 }] },\n  contact: { email: "office@shop.example" },\n  tax: { rates: { DE: 8.1 } },',
        ),
    );
    assert.equal(await readFile(join(shop.storeDir, "data", "vitrine.config.previous.ts"), "utf8"), source);
    assert.match((await client.get("/")).text, /<title>Kontor</);
    const address = "shipping_address[country]=DE&shipping_address[zip]=20457";
    await client.post("/cart/add.js", { id: 21 });
    const rates = (await client.get(`/cart/shipping_rates.json?${address}`)).json<{
      shipping_rates: readonly { name: string }[];
    }>();
    assert.deepEqual(
      rates.shipping_rates.map(({ name }) => name),
      ["Standard"],
    );
  });

  test("invalid settings, settings that need a restart, and computed settings change nothing", async () => {
    const before = await readSource();
    for (const [patch, fields] of [
      [{ invoices: { iban: "DE00" }, shipping: { countries: ["XX"] } }, ["invoices.iban", "shipping.countries[0]"]],
      [{ currency: "USD", hooks: "evil.ts" }, ["currency", "hooks"]],
      [{ contact: "office" }, ["contact"]],
      [{ contact: { mail: "a" } }, ["contact.mail"]],
      [{ mail: { smtp: "smtp://mail.example", from: "a@b.example" } }, ["mail.smtp"]],
    ] as const) {
      const reply = await ask("POST", "/api/settings", patch);
      assert.equal(reply.status, 400, reply.text);
      assert.deepEqual(
        reply.json<{ fields: readonly { field: string }[] }>().fields.map(({ field }) => field),
        fields,
      );
    }
    assert.equal(await readSource(), before);
  });

  test("a change with an old revision, or during another change, changes nothing", async () => {
    const { revision } = await read();
    const change = (phone: string) =>
      ask("POST", "/api/settings", { contact: { phone } }, { "if-match": `"${revision}"` });
    const statuses = (await Promise.all([change("1"), change("2"), change("3")])).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [200, 412, 412]);
    assert.equal((await change("4")).status, 412);
  });

  test("a change that a crash interrupted does not delay later changes", async () => {
    const draft = ".vitrine.config.new.ts";
    const crashed = await startShop({ storeFiles: { ...storeFiles, [draft]: "export" }, hasTheme: false });
    const headers = { authorization: `Bearer ${await createApiToken(crashed, "settings:write")}` };
    const body = JSON.stringify({ name: "Kontor" });
    const type = { "content-type": "application/json" };
    const reply = await send(crashed.origin, "POST", "/api/settings", { headers: { ...headers, ...type }, body });
    assert.equal(reply.status, 200, reply.text);
  });

  test("null removes a setting, and the log shows who changed what, without the mail server's password", async () => {
    await writeFile(
      join(shop.storeDir, "vitrine.config.ts"),
      source.replace("process.env.NO_SUCH_VARIABLE", '"smtp://a:secret@mail.example", from: "a@b.example"'),
    );
    const { settings } = await read();
    assert.deepEqual(settings.mail, { smtp: "smtp://a@mail.example", from: "a@b.example", newOrders: false });
    const reply = await ask("POST", "/api/settings", { name: null, mail: { smtp: "smtp://b:secret@mail.example" } });
    assert.equal(reply.status, 200, reply.text);
    assert.doesNotMatch(await readSource(), /Test Harbour/);
    const log = await ask("GET", "/api/catalog/log?limit=1");
    const [entry] = log.json<{ entries: readonly { source: string; operation: string; details: unknown }[] }>().entries;
    assert.deepEqual(
      [entry?.source, entry?.operation, entry?.details],
      ["api", "settings", { fields: [{ field: "name", from: "Test Harbour" }, { field: "mail.smtp" }] }],
    );
  });

  test("7.2 502 cart_service_unavailable: a change whose log entry cannot be stored says that it may be saved", async () => {
    const otherDatabase = new DatabaseSync(join(shop.storeDir, "data", "vitrine.db"), { timeout: 5_000 });
    otherDatabase.exec("BEGIN IMMEDIATE");
    const reply = await ask("POST", "/api/settings", { contact: { phone: "5" } });
    otherDatabase.exec("ROLLBACK");
    otherDatabase.close();
    assert.equal(reply.status, 502, reply.text);
    assert.match(reply.json<{ message: string }>().message, /the change may be saved/);
    assert.match(await readSource(), /phone: "5"/);
  });

  test("on a full disk a change is rejected with the reason, and changes nothing", async () => {
    const storeDir = await makeStore({ hasTheme: false });
    const before = await readFile(join(storeDir, "vitrine.config.ts"), "utf8");
    const fullToken = await createApiToken({ storeDir, env: {} }, "settings:write");
    await (await openShop(storeDir)).close();
    const server = await serve(storeDir, "ulimit -f 0");
    const headers = { authorization: `Bearer ${fullToken}`, "content-type": "application/json" };
    for (const name of ["One", "Two"]) {
      const reply = await send(server.origin, "POST", "/api/settings", { headers, body: JSON.stringify({ name }) });
      assert.deepEqual(
        [reply.status, reply.json<{ message: string }>().message],
        [409, "The disk is full: free some space, and try again."],
      );
    }
    assert.equal(await readFile(join(storeDir, "vitrine.config.ts"), "utf8"), before);
    server.child.kill("SIGKILL");
    await server.finished;
    await rm(storeDir, { recursive: true });
  });

  test("a file with an error is reported, and the running settings stay", async () => {
    await writeFile(join(shop.storeDir, "vitrine.config.ts"), "export default {");
    const reply = await ask("GET", "/api/settings");
    assert.equal(reply.status, 409);
    assert.match(reply.json<{ message: string }>().message, /^vitrine\.config\.ts.*cannot be read/);
    assert.equal((await client.get("/")).status, 200);
  });
}
