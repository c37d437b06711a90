import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { openSocket } from "../support/raw-socket.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop();
const { host } = new URL(shop.origin);

/** Sends a byte every quarter of a second until the server closes the connection. */
function drip(start: string, more: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = openSocket(shop.origin);
    const timer = setInterval(() => socket.write(more), 250);
    socket.on("error", () => undefined);
    socket.resume();
    socket.on("close", () => {
      clearInterval(timer);
      resolve();
    });
    socket.write(start);
  });
}

test("slow headers, slow bodies and silent sockets are closed, and other clients are served", async () => {
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
  while (!isOver) {
    await add(client, variant.unlimited);
    assert.equal((await client.get("/search/suggest.json?q=rain")).status, 200);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await closed;
});
