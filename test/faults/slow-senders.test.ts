import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { test } from "node:test";
import { add } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { createClient } from "../support/client.ts";
import { runCommand } from "../support/command.ts";
import { openSocket } from "../support/raw-socket.ts";
import { serve } from "../support/server-process.ts";
import { makeStore, startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

type Socket = ReturnType<typeof openSocket>;

/** Starts requests and sends all but their last bytes. */
function begin(origin: string, count: number, lines: readonly string[], body: string): readonly Socket[] {
  const head = [...lines, `Host: ${new URL(origin).host}`, "Content-Length: 2000000", "", body].join("\r\n");
  return Array.from({ length: count }, () => {
    const socket = openSocket(origin);
    socket.on("error", () => undefined).resume();
    socket.write(head);
    return socket;
  });
}

function isOpen(socket: Socket): boolean {
  return !socket.destroyed && socket.readable;
}

test("endless stock and catalog uploads do not block other senders", async () => {
  const shop = await startShop();
  const tokenResult = await runCommand(shop, "token", "create", "--scopes", "stock:write,catalog:write");
  const authorization = `Bearer ${/vitrine_\S+/.exec(tokenResult.out)?.[0]}`;
  const lines = [`Authorization: ${authorization}`, "Content-Type: application/x-ndjson"];
  const slow = ["stock", "catalog"].flatMap((name) =>
    begin(shop.origin, 20, [`POST /admin/${name} HTTP/1.1`, ...lines], "{"),
  );
  await Promise.all(slow.map((socket) => new Promise((resolve) => socket.once("connect", resolve))));
  const client = shop.client();
  const headers = { authorization, "content-type": "application/json" };
  for (let turn = 0; turn < 3; turn += 1) {
    const stock = await client.post("/admin/stock", { variant_id: variant.tracked, quantity: 9 }, headers);
    assert.equal(stock.status, 200, stock.text);
    const row = { kind: "page", handle: `page-${turn}`, title: "Page" };
    const catalog = await client.post("/admin/catalog", row, headers);
    assert.equal(catalog.status, 200, catalog.text);
  }
  for (const socket of slow) socket.destroy();
});

test("incomplete bodies use bounded memory and leave room for shoppers", async () => {
  const shop = await startShop();
  const large = `POST /contact HTTP/1.1\r\nHost: ${new URL(shop.origin).host}\r\n`;
  const client = shop.client();
  const token = await client.token();
  const cookie = `Cookie: csrf_token=${token}\r\nX-CSRF-Token: ${token}\r\n`;
  const type = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 65000\r\n\r\n";
  const replies: string[] = [];
  const sockets = Array.from({ length: 80 }, () => {
    const socket = openSocket(shop.origin);
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => replies.push(chunk.toString("latin1").slice(0, 12)));
    socket.write(`${large}${cookie}${type}${"x".repeat(64_000)}`);
    return socket;
  });
  await until(() => replies.length > 0, "the first response");
  assert.deepEqual([...new Set(replies)], ["HTTP/1.1 503"]);
  await add(client, variant.unlimited);
  for (const socket of sockets) socket.destroy();
  const body = new URLSearchParams({
    form_type: "contact",
    "contact[email]": "grace@example.com",
    "contact[body]": "Hello. ".repeat(600),
  }).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const send = () => client.post("/contact", body, headers);
  await until(async () => (await send()).status === 303, "the memory of closed connections is free again");
});

test("more slow senders than connections do not lock others out", {
  skip: process.platform === "win32",
}, async () => {
  const storeDir = await makeStore({ config: { console: true } });
  const server = await serve(storeDir, "ulimit -n 160");
  const slow = ["/admin/login", "/cart/add.js", "/contact", "/api/payments/events"].flatMap((path) =>
    begin(server.origin, 30, [`POST ${path} HTTP/1.1`, "Content-Type: application/json"], "{"),
  );
  await Promise.all(slow.map((socket) => new Promise((resolve) => socket.once("connect", resolve))));
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.ok(slow.some(isOpen), "some of them are still there");
  for (let turn = 0; turn < 5; turn += 1) {
    const client = createClient(server.origin);
    assert.equal((await client.get("/")).status, 200);
    assert.equal((await client.get("/admin/login")).status, 200);
    await add(client, variant.unlimited);
  }
  for (const socket of slow) socket.destroy();
  server.child.kill("SIGTERM");
  assert.equal((await server.finished).code, 0);
  await rm(storeDir, { recursive: true });
});
