import assert from "node:assert/strict";
import { test } from "node:test";
import { Secret, TOTP } from "otpauth";
import type { Client, Reply } from "../support/client.ts";
import { send } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { postForm } from "../support/console.ts";
import { startShop } from "../support/shop.ts";

let now = Date.parse("2026-11-30T08:00:00Z");
const config = { console: true, consoleSecondFactor: true };
const shop = await startShop({ now: () => now, hasTheme: false, config });
const token = await createApiToken(shop, "console", "orders:read");

const codeAt = (secret: string, timestamp: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });

const fieldsOf = ({ text }: Reply): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );

const enterToken = (client: Client): Promise<Reply> =>
  postForm(shop, client, "/admin/login", { token, next: "/admin/orders" });

const enterCode = (client: Client, page: Reply, code: string): Promise<Reply> =>
  postForm(shop, client, "/admin/login/code", { ...fieldsOf(page), code });

let secret = "";
let recoveryCodes: readonly string[] = [];

test("the first login sets up an authenticator app, and a wrong code does not", async () => {
  const client = shop.client();
  const page = await enterToken(client);
  assert.match(
    page.text,
    /Set up second factor[\s\S]*aria-label="QR code of the key"[\s\S]*autocomplete="one-time-code"/,
  );
  assert.doesNotMatch(page.text, /autofocus/, "the page of a phone begins with the QR code");
  assert.equal((await client.get("/admin")).status, 303, "the token alone is no login");
  ({ secret = "" } = fieldsOf(page));
  recoveryCodes = fieldsOf(page).codes?.split(" ") ?? [];
  assert.equal(recoveryCodes.length, 8);
  const rejected = await enterCode(client, page, codeAt(secret, now + 300_000));
  assert.equal(rejected.status, 401);
  assert.equal(fieldsOf(rejected).secret, secret);
  assert.match(rejected.text, /<input id="code"[^>]* autofocus/);
  const accepted = await enterCode(client, page, codeAt(secret, now));
  assert.equal(accepted.headers.location, "/admin/orders");
  assert.equal((await client.get("/admin/orders")).status, 200);
});

test("later logins need a code, each once, or a recovery code, each once", async () => {
  now += 60_000;
  const client = shop.client();
  const page = await enterToken(client);
  assert.match(page.text, /Enter code/);
  assert.doesNotMatch(page.text, new RegExp(secret));
  assert.equal((await enterCode(client, page, "000000")).status, 401);
  assert.equal((await client.get("/admin")).status, 303);
  const code = codeAt(secret, now);
  assert.equal((await enterCode(client, page, code)).status, 303);
  now += 3_600_000;
  const thief = shop.client();
  const thiefPage = await enterToken(thief);
  const used = await enterCode(thief, thiefPage, code);
  assert.equal(used.status, 401);
  const recovery = (recoveryCodes[0] ?? "").toUpperCase().replace(/(.{4})/, "$1 ");
  assert.equal((await enterCode(thief, thiefPage, recovery)).status, 303);
  assert.equal((await enterCode(thief, thiefPage, recovery)).status, 401);
});

test("the same code is not accepted twice within its time", async () => {
  now += 3_600_000;
  const [first, second] = [shop.client(), shop.client()];
  const [firstPage, secondPage] = [await enterToken(first), await enterToken(second)];
  const statuses = await Promise.all([
    enterCode(first, firstPage, codeAt(secret, now)),
    enterCode(second, secondPage, codeAt(secret, now)),
  ]);
  assert.deepEqual(statuses.map(({ status }) => status).toSorted(), [303, 401]);
});

test("codes cannot be guessed, and forms expire or are forged in vain", async () => {
  now += 3_600_000;
  const client = shop.client();
  const page = await enterToken(client);
  const replies: number[] = [];
  for (let attempt = 0; attempt < 7; attempt += 1) replies.push((await enterCode(client, page, "123456")).status);
  assert.deepEqual(replies, [401, 401, 401, 401, 401, 429, 429]);
  assert.equal((await enterCode(client, page, codeAt(secret, now))).status, 429, "a right code, too");
  now += 660_000;
  assert.match((await enterCode(client, page, codeAt(secret, now))).text, /This form has expired/);
  const forged = { pending: "x", secret: "A".repeat(32), codes: "a", code: "000000" };
  assert.equal((await postForm(shop, client, "/admin/login/code", forged)).status, 401);
});

test("a token of the console is not accepted by the API without the second factor", async () => {
  const headers = { authorization: `Bearer ${token}` };
  const reply = await send(shop.origin, "GET", "/api/orders", { headers });
  assert.equal(reply.status, 403);
  assert.match(reply.text, /requires a second factor/);
  const program = { authorization: `Bearer ${await createApiToken(shop, "orders:read")}` };
  assert.equal((await send(shop.origin, "GET", "/api/orders", { headers: program })).status, 200);
});
