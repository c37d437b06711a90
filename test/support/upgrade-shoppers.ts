import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { locateDatabase, openDatabase } from "../../src/storage/open-database.ts";
import { rows as fixtureRows, product, variant } from "./catalog.ts";
import { address, checkoutOf, submit } from "./checkout-page.ts";
import { type Client, createClient, type Reply } from "./client.ts";
import type { CartJson } from "./replies.ts";
import type { StoreOptions } from "./shop.ts";

const STOCK = 1_000_000;
const stocked = 9_001;

/** A shop with the default theme of each version, whose shoppers have different IP addresses. */
export const upgradedShop: StoreOptions = {
  hasTheme: false,
  rows: [
    ...fixtureRows,
    product(900, "stocked-rope", "Stocked Rope", [{ id: stocked, price: 100, inventory_quantity: STOCK }]),
  ],
  config: { trustProxy: ["127.0.0.1"] },
};

/** A shopper who searches, opens pages, fills carts, and orders them, and knows what each cart must contain. */
export interface UpgradeShopper {
  /** Sends the next request of the shopper, or the requests of an order.  @throws if a response is wrong */
  act(): Promise<void>;
  /** Asserts that the cart contains the acknowledged units. */
  assertCart(): Promise<void>;
  readonly requestCount: number;
  /** Number of orders that were sent again because the database timed out, as on a very busy machine. */
  readonly timeoutCount: number;
  /** Units of `stocked` that the shopper has ordered. */
  readonly orderedUnits: number;
  /** Paths of the shopper's orders. */
  readonly orders: readonly string[];
}

/** @param number distinguishes the IP addresses of shoppers */
export function createShopper(origin: string, number: number): UpgradeShopper {
  const client = clientOf(origin, number, () => {
    requestCount += 1;
  });
  const orders: string[] = [];
  let requestCount = 0;
  let orderedUnits = 0;
  let timeoutCount = 0;
  let units = 0;
  let turn = number;

  const add = async (): Promise<void> => {
    const id = turn % 2 === 0 ? stocked : variant.unlimited;
    const reply = await client.post("/cart/add.js", { id, quantity: 1 }, { "idempotency-key": randomUUID() });
    units += 1;
    assert.equal(readCount(reply), units, "units of the cart after an add");
    if (id === stocked) stockedUnits += 1;
  };
  let stockedUnits = 0;
  const assertCart = async (): Promise<void> =>
    assert.equal(readCount(await client.get("/cart.js")), units, "units of the cart");
  const order = async (): Promise<void> => {
    if (units === 0) return;
    const page = await checkoutOf(client);
    let reply = await submit(client, page, { ...address, order: "" });
    for (; reply.status === 502; timeoutCount += 1) reply = await submit(client, page, { ...address, order: "" });
    assert.equal(reply.status, 303, reply.text);
    const path = String(reply.headers.location);
    assert.match(path, /^\/orders\//);
    orders.push(path);
    assert.match((await client.get(path)).text, /Ada Quay/);
    orderedUnits += stockedUnits;
    [units, stockedUnits] = [0, 0];
  };
  const actions = [
    () => open(client, "/search/suggest?q=rop&section_id=predictive-search"),
    add,
    () => open(client, "/products/canvas-tote"),
    add,
    assertCart,
    () => open(client, "/collections/flags"),
    add,
    () => open(client, "/search/suggest.json?q=tote"),
    order,
  ];
  return {
    act() {
      turn += 1;
      return actions[turn % actions.length]?.() ?? Promise.resolve();
    },
    assertCart,
    get requestCount() {
      return requestCount;
    },
    get timeoutCount() {
      return timeoutCount;
    },
    get orderedUnits() {
      return orderedUnits;
    },
    orders,
  };
}

/** Asserts that the database has each acknowledged order once, and sold its stock once.  @returns the number of orders */
export async function assertOrders(
  storeDir: string,
  databaseUrl: string | undefined,
  shoppers: readonly UpgradeShopper[],
): Promise<number> {
  const paths = shoppers.flatMap(({ orders }) => orders);
  assert.equal(new Set(paths).size, paths.length, "an order of several carts");
  const database = await openDatabase(locateDatabase(join(storeDir, "data"), databaseUrl));
  try {
    const [orders] = await database.read("SELECT COUNT(*) AS count FROM orders");
    assert.equal(Number(orders?.count), paths.length, "orders");
    const sold = shoppers.reduce((sum, { orderedUnits }) => sum + orderedUnits, 0);
    const [level] = await database.read("SELECT quantity, held FROM stock_levels WHERE variant_id = $1", [
      `${stocked}`,
    ]);
    assert.deepEqual([Number(level?.quantity ?? STOCK), Number(level?.held ?? 0)], [STOCK - sold, 0], "stock");
  } finally {
    await database.close();
  }
  return paths.length;
}

async function open(client: Client, path: string): Promise<void> {
  const reply = await client.get(path);
  assert.equal(reply.status, 200, `${path}: ${reply.status} ${reply.text.slice(0, 500)}`);
}

function readCount(reply: Reply): number {
  assert.equal(reply.status, 200, reply.text);
  return reply.json<CartJson>().item_count;
}

function clientOf(origin: string, number: number, onRequest: () => void): Client {
  const client = createClient(origin);
  const { send } = client;
  client.send = (method, path, more = {}) => {
    onRequest();
    return send(method, path, {
      ...more,
      headers: { ...more.headers, "x-forwarded-for": `10.0.${number >> 8}.${number & 255}` },
    });
  };
  return client;
}
