import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, test } from "node:test";
import { createApp, type LocalApp } from "../../src/app.ts";
import { type Client, createClient, type Reply } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { logIn, postForm } from "../support/console.ts";
import { makeStore, startShop } from "../support/shop.ts";
import { freshDatabase, putSchema } from "../support/test-database.ts";

const shop = await startShop({ config: { console: true } });
const token = await createApiToken(shop, "console");

const post = postForm.bind(undefined, shop);
const loggedIn = () => logIn(shop, token);

test("a signed-out session is rejected with its old cookie, and other sessions of the token continue", async () => {
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

test("a login returns to the requested page, or to the start page if its URL is too long for a header", async () => {
  const redirectOf = async (path: string) => (await shop.client().get(path)).headers.location;
  assert.equal(await redirectOf("/admin/orders?q=ada"), "/admin/login?next=%2Fadmin%2Forders%3Fq%3Dada");
  assert.equal(await redirectOf(`/admin/orders?q=${"%C3%A9".repeat(1_200)}`), "/admin/login");
});

test("a form whose session has ended leads to a login that says so, and returns to the page of the form", async () => {
  const { client } = await loggedIn();
  const send = async (referer: string) => {
    const headers = { "content-type": "application/x-www-form-urlencoded", origin: shop.origin, referer };
    return (await shop.client().send("POST", "/admin/rules/discard", { headers, body: "revision=0" })).headers.location;
  };
  const location = String(await send(`${shop.origin}/admin/rules?done=save`));
  assert.equal(location, "/admin/login?next=%2Fadmin%2Frules%3Fdone%3Dsave&form=expired");
  const page = (await shop.client().get(location)).text;
  assert.match(page, /role="alert"[^>]*>This form has expired\. Log in again\./);
  assert.match(page, /name="next" value="\/admin\/rules\?done=save"/);
  for (const referer of ["https://evil.test/admin/rules", `${shop.origin}/cart`, "none"])
    assert.equal(await send(referer), "/admin/login?form=expired", referer);
  assert.doesNotMatch((await client.get("/admin/login")).text, /has expired/);
});

test("a login returns to the page of a form behind a proxy that changes the host", async () => {
  const published = await startShop({ config: { console: true, origin: "https://shop.example" } });
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    origin: "https://shop.example",
    referer: "https://shop.example/admin/rules",
  };
  const reply = await published.client().send("POST", "/admin/rules/discard", { headers, body: "revision=0" });
  assert.equal(reply.headers.location, "/admin/login?next=%2Fadmin%2Frules&form=expired");
});

test("a login after a form in the response to another form leads to the page above", async () => {
  for (const [path, page] of [
    ["/admin/rules/replay", "/admin/rules"],
    ["/admin/rules/test/end", "/admin/rules/test"],
    ["/admin/rules/test", "/admin/rules"],
    ["/admin/login/code", "/admin/login"],
    ["/admin/language", "/admin"],
  ] as const) {
    const { status, headers } = await shop.client().get(path, { accept: "text/html,*/*" });
    assert.deepEqual([status, headers.location], [303, page]);
  }
  assert.equal((await shop.client().get("/admin/rules/replay", { accept: "application/json" })).status, 405);
});

test("two concurrent sign-outs of one session both succeed", async () => {
  const { client, csrf } = await loggedIn();
  const twin = shop.client();
  for (const [name, value] of client.cookies) twin.cookies.set(name, value);
  const replies = await Promise.all([client, twin].map((one) => post(one, "/admin/logout", { csrf })));
  assert.deepEqual(
    replies.map(({ status }) => status),
    [303, 303],
  );
});

test("a session that was signed out stays revoked after the secret is rotated", async () => {
  const storeDir = await makeStore({ config: { console: true } });
  after(() => rm(storeDir, { recursive: true, force: true }));
  const database = await freshDatabase();
  await putSchema(storeDir);
  const env = database.databaseUrl === undefined ? {} : { DATABASE_URL: database.databaseUrl };
  const serve = async (secret: string): Promise<{ readonly app: LocalApp; readonly origin: string }> => {
    const app = await createApp({ storeDir, secret, logLevel: "silent", ...database });
    after(() => app.close());
    return { app, origin: await app.listen("127.0.0.1", 0) };
  };
  const [old, next] = ["old", "new"].map((name) => `only-for-tests-0123456789-${name}-abcdefghij`);
  const before = await serve(String(old));
  const key = await createApiToken({ storeDir, env }, "console");
  const [client, other] = [createClient(before.origin), createClient(before.origin)];
  const send = (from: Client, path: string, fields: Readonly<Record<string, string>>): Promise<Reply> => {
    const headers = { "content-type": "application/x-www-form-urlencoded", origin: before.origin };
    return from.send("POST", path, { headers, body: new URLSearchParams(fields).toString() });
  };
  for (const one of [client, other]) assert.equal((await send(one, "/admin/login", { token: key })).status, 303);
  const cookies = [...client.cookies];
  const [, csrf = ""] = /name="csrf" value="([\w-]+)"/.exec((await client.get("/admin")).text) ?? [];
  assert.equal((await send(client, "/admin/logout", { csrf })).status, 303);
  await before.app.close();

  const rotated = await serve(`${next},${old}`);
  const statuses = [cookies, [...other.cookies]].map(async (kept) => {
    const thief = createClient(rotated.origin);
    for (const [name, value] of kept) thief.cookies.set(name, value);
    return (await thief.get("/admin")).status;
  });
  assert.deepEqual(await Promise.all(statuses), [303, 200], "revoked, and the session that was not");
});
