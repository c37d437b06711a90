import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Client, Reply } from "../support/client.ts";
import { createApiToken, runCommand } from "../support/command.ts";
import { postForm } from "../support/console.ts";
import { startShop } from "../support/shop.ts";

let now = Date.parse("2026-11-30T08:00:00Z");
const startConsole = (config = {}) =>
  startShop({ now: () => now, hasTheme: false, config: { console: true, ...config } });
type Shop = Awaited<ReturnType<typeof startConsole>>;

const shop = await startConsole();

const fieldsOf = ({ text }: Reply): Record<string, string> =>
  Object.fromEntries(
    ["code", "token"].map((name) => [name, new RegExp(`name="${name}"[^>]* value="([^"]*)"`).exec(text)?.[1] ?? ""]),
  );
const findLink = async ({ app }: Shop): Promise<string> => (await app.findFirstLoginPath()) ?? "";
const submit = (client: Client, page: Reply, at: Shop = shop): Promise<Reply> =>
  postForm(at, client, "/admin/first-login", fieldsOf(page));

test("the link of a shop without token stays valid until one of two concurrent users takes it", async () => {
  const link = await findLink(shop);
  assert.match(link, /^\/admin\/first-login\?code=v1\./);
  assert.match((await shop.client().get("/admin/login")).text, /open the link that the server printed/);
  const clients = [shop.client(), shop.client()];
  const pages = await Promise.all(clients.map((client) => client.get(link)));
  const [first, second] = pages.map(fieldsOf);
  assert.match(first?.token ?? "", /^vitrine_[\w-]{48}$/);
  assert.notEqual(first?.token, second?.token);
  assert.equal((await clients[0]?.get("/admin"))?.status, 303, "opening the link is no login");
  const replies = await Promise.all(clients.map((client, index) => submit(client, pages[index] as Reply)));
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [303, 401]);
  const winner = replies.findIndex(({ status }) => status === 303);
  assert.equal((await clients[winner]?.get("/admin/settings"))?.status, 200);
  const list = await runCommand(shop, "token", "list");
  assert.match(list.out, /console,orders:write,catalog:write,stock:write,settings:write {2}First login\n$/);
  const later = await postForm(shop, shop.client(), "/admin/login", {
    token: fieldsOf(pages[winner] as Reply).token ?? "",
  });
  assert.equal(later.status, 303, "the token of the page is valid for later logins");
  assert.equal(await shop.app.findFirstLoginPath(), undefined);
  const reused = await shop.client().get(link);
  assert.equal(reused.status, 401);
  assert.match(reused.text, /This link has expired or was used/);
  assert.doesNotMatch(reused.text, /vitrine_/);
  assert.match((await shop.client().get("/admin/login")).text, /vitrine token create/);
});

test("a revoked token does not bring the link back, and a console that is off has none", async () => {
  const { out } = await runCommand(shop, "token", "list");
  await runCommand(shop, "token", "revoke", out.split(" ")[0] ?? "");
  assert.equal(await shop.app.findFirstLoginPath(), undefined);
  const closed = await startShop({ hasTheme: false });
  after(closed.close);
  assert.equal(await closed.app.findFirstLoginPath(), undefined);
});

test("a code works for an hour, wrong codes are limited, and a token of a form must have the server's format", async () => {
  const fresh = await startConsole({ consoleSecondFactor: true });
  await createApiToken(fresh, "stock:write");
  const link = await findLink(fresh);
  const client = fresh.client();
  const page = await client.get(link);
  const fields = fieldsOf(page);
  const weak = await postForm(fresh, client, "/admin/first-login", { ...fields, token: "vitrine_1" });
  assert.equal(weak.status, 401);
  const foreign = await client.send("POST", "/admin/first-login", {
    headers: { "content-type": "application/x-www-form-urlencoded", origin: "https://evil.example" },
    body: new URLSearchParams(fields).toString(),
  });
  assert.equal(foreign.status, 403);
  now += 3_600_000;
  assert.equal((await submit(client, page, fresh)).status, 401);
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 5; attempt += 1)
    statuses.push((await client.get(`/admin/first-login?code=v1.${attempt}`)).status);
  assert.deepEqual(statuses, [401, 401, 401, 401, 429]);
  const renewed = await submit(client, await client.get(await findLink(fresh)), fresh);
  assert.match(renewed.text, /Set up second factor/, "the second factor is asked for");
});
