import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { priceCart } from "../../src/cart/price-cart.ts";
import { assertMutated } from "../support/assertions.ts";
import { product, type RowJson } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";

/** Number of rounds, which `npm run test:soak` increases. */
const rounds = Number(process.env.VITRINE_ROUNDS ?? 300);

/** Prices that reveal rounding errors: small, odd, prime, and large ones. */
const prices = [0, 1, 2, 3, 5, 7, 99, 101, 333, 1_999, 7_919, 10_000, 123_457, 99_999_999];
const rows: readonly RowJson[] = [
  ...prices.map((price, n) => product(n + 1, `p${n}`, `Thing ${n}`, [{ id: 1_000 + n, price }])),
  {
    kind: "collection",
    id: 90,
    handle: "odd",
    title: "Odd",
    products: prices.map((_, n) => `p${n}`).filter((_, n) => n % 2 === 1),
  },
  discount("THIRD", "percentage", 33.33),
  discount("SEVEN", "percentage", 7),
  discount("ALL", "percentage", 100),
  discount("FIXED", "fixed_amount", 1_001),
  discount("HUGE", "fixed_amount", 9_999_999_999),
  { ...discount("ODD", "percentage", 12.5), collections: ["odd"] },
  { ...discount("ODDFIXED", "fixed_amount", 777), collections: ["odd"] },
  { ...discount("LARGE", "percentage", 10), minimum_subtotal: 50_000 },
  { ...discount("ALONE", "percentage", 21), combines: false },
  discount("SHIP", "free_shipping", 0),
  { ...discount("ODDFREE", "buy_x_get_y", 0), collections: ["odd"], buy: { quantity: 2 }, get: { quantity: 1 } },
  {
    ...{ ...discount("GIFT", "buy_x_get_y", 0), collections: ["odd"] },
    ...{ buy: { quantity: 1, products: ["p0", "p2", "p4"] }, get: { quantity: 3, percentage: 33.33 } },
  },
  {
    ...{ ...discount("BULK", "fixed_amount", 0), collections: ["odd"] },
    quantity_breaks: [
      { quantity: 3, value: 101 },
      { quantity: 100, value: 77_777 },
    ],
  },
  { kind: "gift_card", code: "CARD1", balance: 1_234 },
  { kind: "gift_card", code: "CARD2", balance: 99_999_999 },
];
const codes = [
  "THIRD",
  "SEVEN",
  "ALL",
  "FIXED",
  "HUGE",
  "ODD",
  "ODDFIXED",
  "LARGE",
  "UNKNOWN",
  "ALONE",
  "SHIP",
  "ODDFREE",
  "GIFT",
  "BULK",
];

const lines = fc.uniqueArray(
  fc.record({
    n: fc.nat(prices.length - 1),
    quantity: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 9_999 })),
  }),
  { selector: ({ n }) => n, maxLength: 10 },
);
const baskets = fc.record({
  lines,
  discountCodes: fc.subarray(codes),
  giftCards: fc.subarray(["CARD1", "CARD2", "NONE"]),
});

for (const currency of ["JPY", "USD", "KWD"]) {
  describe(currency, async () => {
    const shop = await startShop({ rows, config: { currency } });

    test(`in ${currency}, every sum of a priced cart is exact in minor units`, () => {
      const { catalog } = shop.app.shop.snapshot();
      fc.assert(
        fc.property(baskets, ({ lines: wanted, discountCodes, giftCards }) => {
          const cart = {
            revision: 1,
            discountCodes,
            giftCards,
            lines: wanted.map(({ n, quantity }) => toLine(n, quantity)),
          };
          const priced = priceCart(cart, { catalog, currency, maxQuantity: 9_999, now: 0 });
          const original = wanted.map(({ n, quantity }) => (prices[n] ?? 0) * quantity);
          assert.equal(priced.originalTotal, sum(original));
          for (const [index, line] of priced.lines.entries()) {
            assert.equal(line.originalLinePrice, original[index]);
            assert.equal(line.totalDiscount, sum(line.discounts.map(({ amount }) => amount)));
            assert.equal(line.finalLinePrice, line.originalLinePrice - line.totalDiscount);
            assertAmounts(line.finalLinePrice, line.totalDiscount);
            assertAmounts(line.finalLinePrice - sum(line.cartShares.map(({ amount }) => amount)));
          }
          assert.equal(priced.itemsSubtotal, sum(priced.lines.map(({ finalLinePrice }) => finalLinePrice)));
          assert.equal(priced.totalDiscount, sum(priced.discounts.map(({ amount }) => amount)));
          assert.equal(priced.total, priced.itemsSubtotal - priced.totalDiscount);
          assert.equal(priced.originalTotal - priced.total, sum(priced.discountApplications.map(({ total }) => total)));
          assert.equal(
            priced.totalDiscount,
            sum(priced.lines.flatMap(({ cartShares }) => cartShares.map(({ amount }) => amount))),
          );
          assert.equal(
            priced.amountDue,
            priced.total - sum(priced.giftCards.map(({ amount }) => amount)) - priced.storeCredit,
          );
          assertAmounts(
            priced.originalTotal,
            priced.itemsSubtotal,
            priced.totalDiscount,
            priced.total,
            priced.amountDue,
          );
        }),
        { numRuns: rounds },
      );
    });

    test(`in ${currency}, a line discount is allocated without loss`, () => {
      const { catalog } = shop.app.shop.snapshot();
      fc.assert(
        fc.property(lines, (wanted) => {
          const cart = { revision: 1, giftCards: [], lines: wanted.map(({ n, quantity }) => toLine(n, quantity)) };
          const priced = priceCart(
            { ...cart, discountCodes: ["ODDFIXED"] },
            { catalog, currency, maxQuantity: 9_999, now: 0 },
          );
          const odd = wanted.filter(({ n }) => n % 2 === 1).map(({ n, quantity }) => (prices[n] ?? 0) * quantity);
          assert.equal(sum(priced.lines.map(({ totalDiscount }) => totalDiscount)), Math.min(777, sum(odd)));
        }),
        { numRuns: rounds },
      );
    });

    test(`in ${currency}, the sums of a cart response are consistent`, async () => {
      await fc.assert(
        fc.asyncProperty(baskets, async ({ lines: wanted, discountCodes, giftCards }) => {
          const client = shop.client();
          const items = wanted.map(({ n, quantity }) => ({ id: 1_000 + n, quantity }));
          if (items.length > 0) assertMutated(await client.post("/cart/add.js", { items }));
          const body = { discount: discountCodes.slice(0, 5).join(","), gift_cards: giftCards.join(",") };
          const cart = assertMutated(await client.post("/cart/update.js", body));
          assert.equal(cart.items_subtotal_price_cents, sum(cart.items.map((line) => line.final_line_price_cents)));
          assert.equal(cart.total_price_cents, cart.items_subtotal_price_cents - cart.total_discount_cents);
          assert.ok(cart.amount_due_cents <= cart.total_price_cents);
          assert.equal(cart.item_count, sum(cart.items.map(({ quantity }) => quantity)));
          assert.equal(cart.line_count, cart.items.length);
          assertAmounts(
            cart.items_subtotal_price_cents,
            cart.total_discount_cents,
            cart.total_price_cents,
            cart.amount_due_cents,
          );
        }),
        // Each run sends several requests.
        { numRuns: Math.ceil(rounds / 25) },
      );
    });
  });
}

function toLine(n: number, quantity: number) {
  return {
    key: `k${n}`,
    variantId: String(1_000 + n),
    quantity,
    properties: {},
    seenPrice: prices[n] ?? 0,
    seenTitle: "",
  };
}

function assertAmounts(...amounts: readonly number[]): void {
  for (const amount of amounts) assert.ok(Number.isSafeInteger(amount) && amount >= 0, String(amount));
}

function discount(code: string, valueType: string, value: number): RowJson {
  return { kind: "discount", code, title: code, value_type: valueType, value };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((a, b) => a + b, 0);
}
