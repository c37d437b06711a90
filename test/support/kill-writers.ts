import assert from "node:assert/strict";
import { variant } from "./catalog.ts";
import { type Client, createClient, send } from "./client.ts";
import { createApiToken } from "./command.ts";
import { logIn, postForm } from "./console.ts";
import { moveRound, openForm, type Round, startRound, untilAnswered } from "./order-rounds.ts";
import type { CartJson } from "./replies.ts";
import type { TestShop } from "./shop.ts";

/** Writes to a server that may be killed at any time. */
export interface KillWriter {
  readonly kind: "carts" | "orders" | "imports" | "rules";
  /** Writes once.  @throws if the server is killed, or AssertionError if a response is wrong */
  write(origin: string): Promise<void>;
  /** Asserts that the server has all acknowledged writes, and no others than those that were sent. */
  check(origin: string): Promise<void>;
}

/** Creates a shopper who adds one unit at a time to a cart. */
export function createCartWriter(): KillWriter {
  const cookies = new Map<string, string>();
  /** Units in the last received response, and in all requests. */
  const units = { acknowledged: 0, sent: 0 };
  return {
    kind: "carts",
    async write(origin) {
      const client = openClient(origin, cookies);
      if (!cookies.has("csrf_token")) await client.token();
      units.sent += 1;
      const reply = await client.post("/cart/add.js", { id: variant.unlimited, quantity: 1 });
      if (reply.status === 502) return;
      assert.equal(reply.status, 200, reply.text);
      units.acknowledged = reply.json<CartJson>().item_count;
    },
    async check(origin) {
      const reply = await untilAnswered(() => openClient(origin, cookies).get("/cart.js"));
      assert.equal(reply.status, 200, reply.text);
      const cart = reply.json<CartJson>();
      // A first write whose response was lost is part of the next cart.
      assertInRange("units", cart.item_count, units);
      assert.equal(cart.total_price_cents, cart.item_count * 1_999);
      units.acknowledged = cart.item_count;
    },
  };
}

/**
 * Creates shoppers who order one after another from a shop with `slowShop`.
 * @param firstNumber number of the first shopper, whose codes no other writer uses
 */
export function createOrderWriter(firstNumber: number): KillWriter & { countOrders(): number } {
  let number = firstNumber;
  let unanswered: Round | undefined;
  let orderCount = 0;
  const order = async (round: Round): Promise<void> => {
    const { status, headers, text } = await (await openForm(round))({ order: "" });
    assert.match(`${status} ${headers.location}`, /^303 \/orders\//, text);
    orderCount += 1;
    unanswered = undefined;
  };
  return {
    kind: "orders",
    async write(origin) {
      const round = await startRound(origin, number);
      number += 1;
      unanswered = round;
      await order(round);
    },
    async check(origin) {
      if (unanswered === undefined) return;
      const round = unanswered;
      moveRound(round, origin);
      const { item_count: count } = (await untilAnswered(() => round.client.get("/cart.js"))).json<CartJson>();
      // The cart is empty if its order was stored and the response was lost.
      if (count > 0) await order(round);
      else orderCount += 1;
      unanswered = undefined;
    },
    countOrders: () => orderCount,
  };
}

/** Handles of the products that an import changes together. */
export const importedHandles = ["import-a", "import-b"];

/** Creates a merchant who imports rows of two products, which have the same number in their title. */
export async function createImportWriter(shop: Pick<TestShop, "storeDir" | "env">): Promise<KillWriter> {
  const token = await createApiToken(shop, "catalog:write");
  const numbers = { acknowledged: 0, sent: 0 };
  return {
    kind: "imports",
    async write(origin) {
      numbers.sent += 1;
      const { sent } = numbers;
      const rows = importedHandles.map((handle) => ({ patch: { kind: "product", handle, title: `Import ${sent}` } }));
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" };
      const body = rows.map((row) => JSON.stringify(row)).join("\n");
      const reply = await send(origin, "POST", "/admin/catalog", { headers, body });
      // An import that was killed keeps its lease for some seconds.
      if ([409, 502].includes(reply.status)) return;
      assert.equal(reply.status, 200, reply.text);
      numbers.acknowledged = sent;
    },
    async check(origin) {
      const titles = await Promise.all(
        importedHandles.map(async (handle) => {
          const reply = await send(origin, "GET", `/products/${handle}.js`);
          return reply.json<{ title: string }>().title;
        }),
      );
      assert.equal(new Set(titles).size, 1, titles.join(" and "));
      const number = Number(titles[0]?.replace("Import ", ""));
      assertInRange("imports", number, numbers);
      numbers.acknowledged = number;
    },
  };
}

/** Creates a merchant who publishes search rules in the console. */
export async function createRulesWriter(shop: Pick<TestShop, "storeDir" | "env">): Promise<KillWriter> {
  const token = await createApiToken(shop, "console");
  const numbers = { acknowledged: 0, sent: 0 };
  let session: ({ readonly origin: string } & Awaited<ReturnType<typeof logIn>>) | undefined;
  const openSession = async (origin: string) => {
    if (session?.origin !== origin)
      session = { origin, ...(await logIn({ origin, client: () => createPatientClient(origin) }, token)) };
    return session;
  };
  const readRedirects = async (client: Client): Promise<readonly string[]> => {
    const { status, text } = await client.get("/admin/rules/export/redirects.txt");
    assert.equal(status, 200, text);
    return text.split("\n").filter((line) => line !== "");
  };
  return {
    kind: "rules",
    async write(origin) {
      const { client, csrf } = await openSession(origin);
      const publishedLines = await readRedirects(client);
      numbers.sent += 1;
      const { sent } = numbers;
      /** Sends a form.  @returns false if the draft was changed meanwhile, as by the same form whose answer was lost */
      const post = async (path: string, fields: Readonly<Record<string, string>>, result: string): Promise<boolean> => {
        const { status, headers, text } = await postForm({ origin }, client, path, { csrf, ...fields });
        assert.ok(status === 303 || status === 200, text);
        return String(headers.location).includes(`done=${result}`);
      };
      if (!(await post("/admin/rules", { name: "redirects", query: `rule ${sent}`, value: "/cart" }, "added"))) return;
      for (const line of publishedLines)
        await post("/admin/rules", { name: "redirects", section: "[all]", remove: line }, "removed");
      const [, revision = ""] = /name="revision" value="(\d+)"/.exec((await client.get("/admin/rules")).text) ?? [];
      if (!(await post("/admin/rules/publish", { revision }, "published"))) return;
      numbers.acknowledged = sent;
    },
    async check(origin) {
      const lines = await readRedirects((await openSession(origin)).client);
      // A draft of a killed write is published with the next one.
      const number = Math.max(0, ...lines.map((line) => Number(/^rule (\d+) ->/.exec(line)?.[1])));
      assertInRange("rules", number, numbers);
      numbers.acknowledged = number;
    },
  };
}

function assertInRange(name: string, number: number, { acknowledged, sent }: Record<"acknowledged" | "sent", number>) {
  assert.ok(
    number >= acknowledged && number <= sent,
    `${name}: ${acknowledged} acknowledged, ${sent} sent, ${number} stored`,
  );
}

/** Creates a client that repeats requests after 502: on a busy machine the database may time out. */
function createPatientClient(origin: string): Client {
  const client = createClient(origin);
  const { send: sendRequest } = client;
  client.send = (...request) => untilAnswered(() => sendRequest(...request));
  return client;
}

/** Creates a client that stores its cookies in a map, which later clients use. */
function openClient(origin: string, cookies: Map<string, string>): Client {
  const client = createClient(origin);
  for (const [name, value] of cookies) client.cookies.set(name, value);
  const { send: sendRequest } = client;
  client.send = async (...request) => {
    const reply = await sendRequest(...request);
    for (const [name, value] of client.cookies) cookies.set(name, value);
    return reply;
  };
  return client;
}
