import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../support/assertions.ts";
import { variant } from "../support/catalogue.ts";
import { openSocket } from "../support/raw-socket.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop();
const { host } = new URL(shop.origin);

/** Sends a byte every quarter second. @returns milliseconds until the server closed */
function drip(start: string, more: string): Promise<number> {
  const started = performance.now();
  return new Promise((resolve) => {
    const socket = openSocket(shop.origin);
    const timer = setInterval(() => socket.write(more), 250);
    socket.on("error", () => undefined);
    socket.resume();
    socket.on("close", () => {
      clearInterval(timer);
      resolve(performance.now() - started);
    });
    socket.write(start);
  });
}

test("slow headers, slow bodies and silent sockets are closed within 12 seconds, and others are served meanwhile", {
  timeout: 30_000,
}, async () => {
  const post = `POST /cart/add.js HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
  const dripping = Promise.all([
    ...Array.from({ length: 60 }, () => drip(`GET /cart.js HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `, "x")),
    ...Array.from({ length: 60 }, () => drip(`${post}Content-Length: 5000\r\n\r\n`, " ")),
    ...Array.from({ length: 30 }, () => drip(`${post}Transfer-Encoding: chunked\r\n\r\n`, "1\r\n \r\n")),
  ]);
  let isOver = false;
  const closed = dripping.finally(() => {
    isOver = true;
  });
  const client = shop.client();
  let slowest = 0;
  while (!isOver) {
    const started = performance.now();
    await add(client, variant.unlimited);
    assert.equal((await client.get("/search/suggest.json?q=rain")).status, 200);
    slowest = Math.max(slowest, performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const times = await closed;
  assert.ok(Math.max(...times) < 12_000, `closed after ${Math.max(...times)} ms`);
  assert.ok(slowest < 1_000, `others waited ${slowest} ms`);
});
