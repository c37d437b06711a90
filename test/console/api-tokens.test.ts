import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Reply } from "../support/client.ts";
import { runCommand } from "../support/command.ts";
import { startShop } from "../support/shop.ts";

let now = Date.parse("2026-06-01T09:00:00Z");
const shop = await startShop({ now: () => now });
const token = (...args: readonly string[]) => runCommand(shop, "token", ...args);
const ask = (authorization?: string): Promise<Reply> =>
  shop.client().get("/api/token", authorization === undefined ? {} : { authorization });

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

async function listed(): Promise<readonly Listed[]> {
  const { out } = await token("list", "--json");
  return out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Listed);
}

test("a token is shown once and grants its scopes until it is revoked", async () => {
  const made = await token("create", "--scopes", "stock:write, orders:read", "--name", "inventory");
  assert.equal(made.code, 0);
  assert.match(made.out, /^vitrine_[\w-]{40,}\n$/);
  assert.match(made.err, /has the scopes stock:write, orders:read\..*not shown again/s);
  const [{ id } = { id: "" }] = (await listed()).filter(({ name }) => name === "inventory");

  const reply = await ask(`Bearer ${made.out.trim()}`);
  assert.equal(reply.status, 200);
  assert.equal(reply.headers["cache-control"], "no-store");
  assert.equal(reply.headers["set-cookie"], undefined);
  assert.deepEqual(reply.json(), { id, name: "inventory", scopes: ["stock:write", "orders:read"] });

  const revoked = await token("revoke", id);
  assert.deepEqual([revoked.code, revoked.out], [0, `Revoked: ${id}.\n`]);
  assert.equal((await ask(`Bearer ${made.out.trim()}`)).status, 401);
  assert.notEqual((await listed()).find((one) => one.id === id)?.revoked_at, null);
  const again = await token("revoke", id);
  assert.equal(again.code, 1);
  assert.match(again.err, /there is no valid token/);
});

test("a token with a lifetime expires by the clock", async () => {
  const made = (await token("create", "--scopes", "events:read", "--days", "2")).out.trim();
  const { expires_at } = (await listed()).at(-1) ?? {};
  // The command uses the system clock or the clock of the database server.
  now = Date.parse(String(expires_at)) - 1;
  assert.equal((await ask(`Bearer ${made}`)).status, 200);
  now += 1;
  assert.equal((await ask(`Bearer ${made}`)).status, 401);
});

test("a missing or invalid token gets a response that explains how to create one and echoes nothing", async () => {
  for (const sent of [
    undefined,
    "Bearer",
    "Bearer vitrine_made-up",
    "Basic YTpi",
    "bearer x",
    `Bearer vitrine_${"x".repeat(5_000)}`,
  ]) {
    const reply = await ask(sent);
    assert.equal(reply.status, 401, String(sent));
    assert.equal(reply.headers["www-authenticate"], "Bearer");
    assert.equal(reply.json().error, "unauthorized");
    assert.match(String(reply.json().message), /vitrine token/);
    assert.ok(!reply.text.includes("made-up"));
  }
  // Browsers send cookies automatically, so a cookie must not count as a token.
  assert.equal((await shop.client().get("/api/token", { cookie: "authorization=Bearer vitrine_x" })).status, 401);
});

test("guesses of tokens are rate limited", async () => {
  now += 3_600_000;
  const replies = await Promise.all(Array.from({ length: 80 }, (_, at) => ask(`Bearer vitrine_guess${at}`)));
  assert.equal(replies.filter(({ status }) => status === 401).length, 60);
  const slowed = replies.filter(({ status }) => status === 429);
  assert.equal(slowed.length, 20);
  assert.ok(Number(slowed[0]?.headers["retry-after"]) > 0);
});

test("an invalid command reports its error and creates nothing", async () => {
  const before = (await listed()).length;
  for (const [args, words] of [
    [["create"], /--scopes/],
    [["create", "--scopes", "all"], /no scope "all": catalog:read/],
    [["create", "--scopes", "orders:read", "--days", "0"], /--days is a number from 1/],
    [["create", "--scopes", "orders:read", "--name", "x".repeat(101)], /100 characters/],
    [["revoke"], /by their ids/],
    [["drop"], /create, list, revoke or search-key/],
  ] as const) {
    const { code, out, err } = await token(...args);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, words);
  }
  assert.equal((await listed()).length, before);
});

test("the store contains no token in plain text", async () => {
  const made = (await token("create", "--scopes", "orders:read")).out.trim();
  const secret = made.slice("vitrine_".length);
  const dataDir = join(shop.storeDir, "data");
  const files = (await readdir(dataDir)).filter((name) => name.startsWith("vitrine.db"));
  for (const name of files) assert.ok(!(await readFile(join(dataDir, name))).includes(secret), name);
  assert.match((await token("list")).out, /orders:read/);
});
