import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { test } from "node:test";
import { variant } from "../support/catalog.ts";
import { type Client, createClient } from "../support/client.ts";
import type { CartJson } from "../support/replies.ts";
import { serve } from "../support/server-process.ts";
import { makeStore } from "../support/shop.ts";
import { until } from "../support/until.ts";

/** Number of rounds, which `npm run test:soak` increases. */
const rounds = Number(process.env.VITRINE_ROUNDS ?? 3);
const writers = 8;

interface Writer {
  readonly cookies: Map<string, string>;
  /** Number of units in the last received response. */
  acknowledged: number;
  /** Number of units in all requests. A first write whose response was lost is part of the next cart. */
  sent: number;
}

test(`kill -9 under load, ${rounds} rounds: acknowledged writes survive, and carts are consistent`, async (context) => {
  const storeDir = await makeStore({ config: { server: { threads: 2, maxWait: 60_000 } } });
  const carts: Writer[] = Array.from({ length: writers }, () => ({ cookies: new Map(), acknowledged: 0, sent: 0 }));
  let total = 0;
  try {
    for (let round = 0; round < rounds; round += 1) {
      const server = await serve(storeDir);
      await Promise.all(carts.map((writer) => assertKept(server.origin, writer)));
      let isRunning = true;
      const work = carts.map((writer) =>
        keepAdding(
          server.origin,
          writer,
          () => isRunning,
          () => {
            total += 1;
          },
        ),
      );
      // The server is killed at a random time. On average, each writer has received one more response by then.
      const enough = total + writers * (1 + 2 * Math.random());
      await until(() => total > enough);
      server.child.kill("SIGKILL");
      assert.equal((await server.finished).signal, "SIGKILL");
      isRunning = false;
      await Promise.all(work);
    }
    const server = await serve(storeDir);
    await Promise.all(carts.map((writer) => assertKept(server.origin, writer)));
    server.child.kill("SIGTERM");
    await server.finished;
    context.diagnostic(`${rounds} rounds, ${total} acknowledged writes, 0 lost`);
  } finally {
    await rm(storeDir, { recursive: true, force: true });
  }
});

async function assertKept(origin: string, writer: Writer): Promise<void> {
  const reply = await clientOf(origin, writer).get("/cart.js");
  assert.equal(reply.status, 200, reply.text);
  const cart = reply.json<CartJson>();
  assert.ok(
    cart.item_count >= writer.acknowledged && cart.item_count <= writer.sent,
    `${writer.acknowledged} acknowledged, ${writer.sent} sent, ${cart.item_count} kept`,
  );
  assert.equal(cart.total_price_cents, cart.item_count * 1_999);
  writer.acknowledged = cart.item_count;
}

async function keepAdding(
  origin: string,
  writer: Writer,
  isRunning: () => boolean,
  onAcknowledged: () => void,
): Promise<void> {
  const client = clientOf(origin, writer);
  while (isRunning()) {
    try {
      if (!writer.cookies.has("csrf_token")) await client.token();
      writer.sent += 1;
      const reply = await client.post("/cart/add.js", { id: variant.unlimited, quantity: 1 });
      assert.equal(reply.status, 200, reply.text);
      writer.acknowledged = reply.json<CartJson>().item_count;
      onAcknowledged();
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return;
    }
  }
}

function clientOf(origin: string, { cookies }: Writer): Client {
  const client = createClient(origin);
  for (const [name, value] of cookies) client.cookies.set(name, value);
  const { send } = client;
  return Object.assign(client, {
    send: async (...request: Parameters<Client["send"]>) => {
      const reply = await send(...request);
      for (const [name, value] of client.cookies) cookies.set(name, value);
      return reply;
    },
  });
}
