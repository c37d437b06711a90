import assert from "node:assert/strict";
import { join } from "node:path";
import { locateDatabase, openDatabase } from "../../src/storage/open-database.ts";
import { product } from "./catalog.ts";
import { address, checkoutOf, submit } from "./checkout-page.ts";
import { type Client, createClient, type Reply } from "./client.ts";
import type { StoreOptions } from "./shop.ts";

const STOCK = 1_000_000;
/** Maximum delay of a hook in milliseconds. The server waits three seconds for a hook. */
const MAX_DELAY = 2_900;

/** Number of rounds. `VITRINE_ROUNDS=200` runs those of an acceptance test. */
export const rounds = Number(process.env.VITRINE_ROUNDS ?? 3);
/** Maximum delay of the carrier in milliseconds. */
const maxDelay = process.env.VITRINE_ROUNDS === undefined ? 300 : MAX_DELAY;

/** A shop whose carrier answers after the number of milliseconds in `address2`, and whose provider notifies in JSON. */
export const slowShop: StoreOptions = {
  hasTheme: false,
  rows: [
    product(1, "tote", "Tote", [{ id: 1, price: 1_000, inventory_quantity: STOCK }]),
    ...Array.from({ length: 3 * rounds }, (_, index) => [
      { kind: "gift_card", code: cardOf(index + 1), balance: 300 },
      {
        kind: "discount",
        code: `ONCE-${index + 1}`,
        title: "Once",
        value_type: "percentage",
        value: 10,
        usage_limit: 1,
      },
    ]).flat(),
  ],
  config: { hooks: "hooks.ts", trustProxy: ["127.0.0.1"] },
  storeFiles: {
    "hooks.ts": `const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      export default {
        shipping: {
          async rates(to) {
            await after(Number(to.address2) || 0);
            return [{ code: "standard", name: "Standard", price: 500 }];
          },
        },
        payment: {
          origins: ["https://pay.example"],
          start: ({ id, amount }) => ({ redirect: "https://pay.example/" + id + "/" + amount }),
          event: async (request) => ({ outcome: "completed", currency: "USD", ...(await request.json()) }),
        },
      };`,
  },
};

export interface Round {
  /** Number of the round, from 1. */
  readonly number: number;
  client: Client;
}

/**
 * Creates a shopper with a separate IP address and a cart of one unit. Every second one has a single-use code and a
 * gift card that pays a part.
 */
export async function startRound(origin: string, number: number): Promise<Round> {
  const round = { number, client: clientOf(number, origin) };
  const codes = number % 2 === 0 ? {} : { discount: `ONCE-${number}`, gift_cards: cardOf(number) };
  const added = await untilAnswered(() => round.client.post("/cart/add.js", { id: 1, quantity: 1, ...codes }));
  assert.equal(added.status, 200, added.text);
  return round;
}

/** Continues with the same cookies at the server's new URL. */
export function moveRound(round: Round, origin: string): void {
  const { cookies } = round.client;
  round.client = clientOf(round.number, origin);
  for (const [name, value] of cookies) round.client.cookies.set(name, value);
}

function clientOf(number: number, origin: string): Client {
  const client = createClient(origin);
  const { send } = client;
  const forwarded = { "x-forwarded-for": `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}` };
  client.send = (method, path, more = {}) => {
    const sendOnce = () => send(method, path, { ...more, headers: { ...more.headers, ...forwarded } });
    return method === "GET" ? untilAnswered(sendOnce) : sendOnce();
  };
  return client;
}

function cardOf(round: number): string {
  return `CARD-ROUNDS-${round}`;
}

/** Submits the form of a checkout's page. @param fields override the defaults */
export type Send = (fields: Readonly<Record<string, string>>) => Promise<Reply>;

/** Opens the page of a checkout.  @returns a function that submits its form with the displayed shipping rate */
export async function openForm(round: Round): Promise<Send> {
  const checkout = await checkoutOf(round.client);
  const shipping = /name="shipping" value="([^"]+)"/.exec(checkout.page)?.[1] ?? "";
  return (fields) => untilAnswered(() => submit(round.client, checkout, { ...address, shipping, ...fields }));
}

/** Continues to the payment.  @returns a function that notifies the shop of the payment */
export async function startPayment(round: Round, send: Send): Promise<() => Promise<Reply>> {
  const { location } = (await send({ pay: "" })).headers;
  const [, checkoutId, amount] = /^https:\/\/pay\.example\/(.+)\/(\d+)$/.exec(String(location)) ?? [];
  assert.ok(checkoutId, `went on to ${location}`);
  return () => notify(round, { checkoutId, amount: Number(amount), reference: `payment-${checkoutId}` });
}

export function notify({ client }: Round, payment: object): Promise<Reply> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify(payment);
  return untilAnswered(() => client.send("POST", "/api/payments/events", { headers, body }));
}

/** Repeats a request while the response is 502: on a busy machine the database may time out. */
export async function untilAnswered(request: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await request();
    if (reply.status !== 502) return reply;
  }
}

/** Ways to order the same cart several times. */
export const forms: Readonly<Record<string, (round: Round) => Promise<void>>> = {
  async "the form is sent again with one field changed before the answer came"(round) {
    const send = await openForm(round);
    const replies = await Promise.all([send({ order: "" }), send({ order: "", address1: "Pier 2" })]);
    assertSameOrder(replies);
  },
  async "the form is sent ten times at once, each with another name"(round) {
    const send = await openForm(round);
    assertSameOrder(
      await Promise.all(Array.from({ length: 10 }, (_, index) => send({ order: "", name: `Ada ${index}` }))),
    );
  },
  async "the postal code is corrected while the carrier is slow"(round) {
    const send = await openForm(round);
    const delay = Math.random() * maxDelay;
    const first = send({ order: "", address2: String(delay) });
    await after(Math.random() * delay);
    assertSameOrder(await Promise.all([first, send({ order: "", zip: "20459", address2: String(delay) })]));
  },
  async "a payment is started, the cart is ordered by invoice, and the payment arrives"(round) {
    const notifyPaid = await startPayment(round, await openForm(round));
    const send = await openForm(round);
    const fields = { order: "", name: "Ada B. Quay", address2: String(Math.random() * maxDelay) };
    assertSameOrder([await send(fields)]);
    const reply = await notifyPaid();
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.json<{ outcome: string }>().outcome, "ordered", "the payment pays the order by invoice");
  },
};

/** Asserts that all responses lead to the same order. */
export function assertSameOrder(replies: readonly Reply[]): void {
  const paths = replies.map(({ status, headers }) => `${status} ${headers.location?.replace("?thank_you=true", "")}`);
  for (const path of paths) assert.match(path, /^303 \/orders\//);
  assert.equal(new Set(paths).size, 1, paths.join("\n"));
}

export function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Asserts that each round created one order, and consumed stock, balances and discount uses once.
 * @returns the number of orders
 */
export async function assertOneOrderEach(storeDir: string, databaseUrl: string | undefined): Promise<number> {
  const database = await openDatabase(locateDatabase(join(storeDir, "data"), databaseUrl));
  try {
    const carts = await database.read(
      "SELECT cart_id, COUNT(*) AS orders FROM checkouts WHERE state = 'completed' GROUP BY cart_id",
    );
    assert.deepEqual(
      carts.filter(({ orders }) => Number(orders) !== 1),
      [],
      "carts with several orders",
    );
    const orders = await database.read("SELECT id, content FROM orders");
    assert.equal(orders.length, carts.length);
    const contents = orders.map(({ content }) => JSON.parse(String(content)) as Content);
    const unitsOf = (kind: string): number =>
      contents
        .flatMap(({ reservations }) => reservations)
        .reduce((sum, one) => sum + (one.kind === kind ? one.units : 0), 0);
    const [level] = await database.read("SELECT quantity, held FROM stock_levels");
    assert.deepEqual([Number(level?.quantity), Number(level?.held)], [STOCK - unitsOf("stock"), 0], "stock");
    const [card] = await database.read("SELECT SUM(spent) AS spent, SUM(held) AS held FROM balances");
    assert.deepEqual([Number(card?.spent ?? 0), Number(card?.held ?? 0)], [unitsOf("gift_card"), 0], "gift card");
    const uses = await database.read("SELECT checkout_id FROM discount_uses");
    const discounted = orders.filter((_, index) => (contents[index]?.priced.limitedDiscounts.length ?? 0) > 0);
    assert.deepEqual(
      uses.map((row) => row.checkout_id).sort(),
      discounted.map(({ id }) => id).sort(),
      "uses of the code",
    );
    return orders.length;
  } finally {
    await database.close();
  }
}

interface Content {
  readonly priced: { readonly limitedDiscounts: readonly unknown[] };
  readonly reservations: readonly { readonly kind: string; readonly units: number }[];
}
