import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../../bench/random.ts";
import type { CartStreams } from "../../src/http/cart/cart-streams.ts";
import type { ResizedImages } from "../../src/http/images/resized-images.ts";
import { createRoutes } from "../../src/http/routes.ts";
import type { Shop } from "../../src/shop.ts";
import { readCart } from "../support/assertions.ts";
import type { Headers, Reply } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { logIn } from "../support/console.ts";
import { startShop } from "../support/shop.ts";
import { assertReply, victim } from "./abuse-row.ts";
import { createGarbage } from "./garbage.ts";
import { createRequest } from "./route-requests.ts";
import { type Access, type RouteRow, routeTable } from "./route-table.ts";

/** Milliseconds by which the clock of the shop is ahead. */
let elapsed = 0;
const shop = await startShop({ config: { console: true }, now: () => Date.now() + elapsed });
const client = await victim(shop);
const token = await createApiToken(shop, "console", "catalog:write", "orders:write");
const merchant = await logIn(shop, token);

test("every route of the server has a row in the table of access, and each row a route", () => {
  // The test only reads the routes, and calls no method of the shop.
  const shopParts = { config: { agents: true, compat: { forms: false } }, process: {}, console: {} };
  const routes = createRoutes(shopParts as unknown as Shop, {
    ...{ storeDir: ".", resizedImages: {} as ResizedImages, cartStreams: {} as CartStreams },
    ...{ isDraining: () => false, threads: 1 },
  });
  const served = routes.flatMap(({ methods, path }) => Object.keys(methods).map((method) => `${method} ${path}`));
  assert.deepEqual(
    routeTable.map(({ method, pattern }) => `${method} ${pattern}`).toSorted(),
    served.toSorted(),
    "add the route to test/abuse/route-table.ts",
  );
});

interface Attack {
  readonly name: string;
  readonly headers: Headers;
  readonly status: number;
  readonly error?: string;
  /** Start of the location of a redirect. */
  readonly location?: string;
  /** Whether the request has the cookies of a signed-in merchant. */
  readonly isSignedIn?: boolean;
}

const foreignSite: Headers = { origin: "https://evil.test", "sec-fetch-site": "cross-site" };
const crossSite: Attack = {
  name: "from another site",
  headers: foreignSite,
  status: 403,
  error: "csrf_origin_blocked",
};
const noToken: Attack = { name: "without a token", headers: {}, status: 403, error: "csrf_missing" };
const forgedSession = { cookie: "console=x.y.z; cart=x.y.z" };

/** Attacks that each route with this access rejects. `csrf.test.ts` has more for writes of the cart. */
const writeAttacks: Partial<Readonly<Record<Access, readonly Attack[]>>> = {
  "cart token": [noToken, crossSite],
  "site form": [noToken, crossSite],
  "console login": [{ ...crossSite, error: "" }],
  console: [
    { name: "from another site", headers: foreignSite, status: 403, isSignedIn: true },
    { name: "without the form's secret", headers: {}, status: 403, isSignedIn: true },
  ],
};
const attacks: Partial<Readonly<Record<Access, readonly Attack[]>>> = {
  bearer: [
    { name: "without a token", headers: {}, status: 401, error: "unauthorized" },
    { name: "with a forged token", headers: { authorization: `${token}x` }, status: 401, error: "unauthorized" },
    { name: "with a session of the console", headers: {}, isSignedIn: true, status: 401, error: "unauthorized" },
  ],
  console: [
    { name: "without a session", headers: {}, status: 303, location: "/admin/login" },
    { name: "with a forged session", headers: forgedSession, status: 303, location: "/admin/login" },
    {
      ...{ name: "with an API token", headers: { authorization: `Bearer ${token}` } },
      ...{ status: 303, location: "/admin/login" },
    },
  ],
};

for (const access of new Set(routeTable.map((row) => row.access)))
  test(`access "${access}" is enforced on each of its routes`, async () => {
    const before = (await client.get("/cart.js")).text;
    for (const row of routeTable.filter((one) => one.access === access)) {
      const isWrite = row.method !== "GET";
      for (const attack of [...(attacks[access] ?? []), ...((isWrite && writeAttacks[access]) || [])])
        await assertRejected(row, attack);
      await assertWrongMethod(row);
      // Each network may send one wrong token a second.
      elapsed += 3_000;
    }
    assert.equal((await client.get("/cart.js")).text, before, "the cart is as it was");
  });

async function assertRejected(
  row: RouteRow,
  { name, headers, isSignedIn = false, ...expected }: Attack,
): Promise<void> {
  const request = createRequest(row);
  const sender = isSignedIn ? merchant.client : client;
  const reply = await sender.send(row.method, request.path, {
    ...request,
    headers: { ...request.headers, ...headers },
  });
  assertExpected(reply, `${row.method} ${row.path} ${name}`, () => {
    assertReply(reply, { status: expected.status, ...(expected.error ? { error: expected.error } : {}) });
    if (expected.location !== undefined) assert.ok(String(reply.headers.location).startsWith(expected.location));
  });
}

/** Asserts that a method of no route with this path is rejected without an effect. */
async function assertWrongMethod({ pattern, path }: RouteRow): Promise<void> {
  const reply = await client.send("PATCH", path);
  assertExpected(reply, `PATCH ${path}`, () => {
    assertReply(reply, { status: 405 });
    const methods = routeTable.filter((row) => row.pattern === pattern).map(({ method }) => method);
    for (const method of methods) assert.match(String(reply.headers.allow), new RegExp(method));
  });
}

function assertExpected(reply: Reply, name: string, check: () => void): void {
  try {
    check();
  } catch (cause) {
    throw new Error(`${name}: ${reply.status}`, { cause });
  }
}

/** Number of damaged requests, which `npm run test:soak` increases. */
const damagedRequests = Number(process.env.VITRINE_ROUNDS ?? 500);
const firstSeed = Number(process.env.VITRINE_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Number of concurrent senders. */
const SENDERS = 8;

test(`${damagedRequests} damaged requests from seed ${firstSeed} get no 5xx and break no invariant`, async () => {
  const rows = routeTable.filter(({ pattern }) => pattern !== "/cart/events");
  const apiToken = await createApiToken(
    shop,
    "catalog:read",
    "catalog:write",
    "stock:write",
    "orders:read",
    "orders:write",
  );
  const senders = {
    visitor: await victim(shop),
    merchant: merchant.client,
  };
  const csrf = { "x-csrf-token": await senders.visitor.token() };
  const violations: string[] = [];
  let nextSeed = firstSeed;
  const sendAll = async (): Promise<void> => {
    while (nextSeed < firstSeed + damagedRequests) {
      const seed = nextSeed;
      nextSeed += 1;
      const random = createRandom(seed);
      // Consecutive seeds use consecutive routes, so that a short run covers all of them.
      const row = rows[seed % rows.length] as RouteRow;
      const isPermitted = random.below(2) === 0;
      const request = createGarbage(random, row);
      const secrets: Headers = isPermitted ? { ...csrf, authorization: `Bearer ${apiToken}` } : {};
      const sender = isPermitted && row.access === "console" ? senders.merchant : senders.visitor;
      const body =
        isPermitted && row.access === "console" ? `csrf=${merchant.csrf}&${request.body ?? ""}` : request.body;
      const { method, path, headers } = request;
      const options = { headers: { ...secrets, ...headers }, ...(body === undefined ? {} : { body }) };
      try {
        const reply = await sender.send(method, path, options);
        // A server is not ready while its database cannot be written in time, as on a busy machine.
        assert.ok(reply.status < 500 || row.path === "/readyz", `${reply.status} ${reply.text.slice(0, 300)}`);
        assertReply(reply, { status: reply.status });
      } catch (error) {
        violations.push(`seed ${seed}: ${method} ${path.slice(0, 200)}: ${String(error).slice(0, 400)}`);
      }
    }
  };
  const before = await readCart(client);
  await Promise.all(Array.from({ length: SENDERS }, sendAll));
  assert.deepEqual(violations, []);
  for (const sender of [client, senders.visitor]) {
    const cart = await readCart(sender);
    const lineTotal = cart.items.reduce((sum, item) => sum + Number(item.final_line_price_cents), 0);
    assert.equal(cart.items_subtotal_price_cents, lineTotal);
    assert.ok(Number.isSafeInteger(cart.total_price_cents) && cart.total_price_cents >= 0);
  }
  assert.equal((await readCart(client)).item_count, before.item_count, "the cart of another visitor is as it was");
  assert.equal((await client.get("/readyz")).status, 200);
});
