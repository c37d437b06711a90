import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client, Reply } from "./support/client.ts";
import { createApiToken } from "./support/command.ts";
import { startShop } from "./support/shop.ts";

const shop = await startShop({ config: { console: true } });
const token = await createApiToken(shop, "console");

function post(client: Client, path: string, fields: Readonly<Record<string, string>>): Promise<Reply> {
  const headers = { "content-type": "application/x-www-form-urlencoded", origin: shop.origin };
  return client.send("POST", path, { headers, body: new URLSearchParams(fields).toString() });
}

async function loggedIn(): Promise<{ readonly client: Client; readonly csrf: string }> {
  const client = shop.client();
  assert.equal((await post(client, "/admin/login", { token })).status, 303);
  const [, csrf = ""] = /name="csrf" value="([\w-]+)"/.exec((await client.get("/admin")).text) ?? [];
  return { client, csrf };
}

test("a login that was ended is over for whoever has kept its cookie, and no other login of the token is", async () => {
  const { client, csrf } = await loggedIn();
  const other = await loggedIn();
  const thief = shop.client();
  for (const [name, value] of client.cookies) thief.cookies.set(name, value);
  assert.equal((await thief.get("/admin")).status, 200);
  assert.equal((await post(client, "/admin/logout", { csrf })).status, 303);
  assert.equal((await client.get("/admin")).status, 303);
  assert.equal((await thief.get("/admin")).status, 303);
  const write = await post(thief, "/admin/rules/discard", { csrf, revision: "0" });
  assert.match(String(write.headers.location), /^\/admin\/login/);
  assert.equal((await post(thief, "/admin/logout", { csrf })).status, 303);
  assert.equal((await other.client.get("/admin")).status, 200);
});

test("of two who end one login at once neither is refused", async () => {
  const { client, csrf } = await loggedIn();
  const twin = shop.client();
  for (const [name, value] of client.cookies) twin.cookies.set(name, value);
  const replies = await Promise.all([client, twin].map((one) => post(one, "/admin/logout", { csrf })));
  assert.deepEqual(
    replies.map(({ status }) => status),
    [303, 303],
  );
});
