import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { add, assertMutated, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import type { CartJson } from "../support/replies.ts";
import { startShop } from "../support/shop.ts";

/** The raincoat's 12000 minor units as formatted in each currency. */
const currencies = [
  { code: "JPY", formattedTotal: "12,000" },
  { code: "USD", formattedTotal: "120.00" },
  { code: "KWD", formattedTotal: "12.000" },
];

for (const { code, formattedTotal } of currencies) {
  describe(code, async () => {
    const shop = await startShop({
      config: { currency: code },
      themeFiles: { "sections/money.liquid": "{{ cart.total_price | money_without_currency }}" },
    });

    test(`2.3 ${code}: currency.iso_code is the store's`, async () => {
      assert.equal((await readCart(shop.client())).currency.iso_code, code);
    });

    test(`2.3 ${code}: money is an integer in the ISO 4217 minor unit, with the suffix _cents`, async () => {
      const cart = await add(shop.client(), variant.tracked);
      assert.deepEqual(money(cart), [12_000, 0, 12_000, 12_000]);
    });

    test(`2.3 ${code}: formatted as ${formattedTotal}`, async () => {
      const client = shop.client();
      await add(client, variant.tracked);
      const { sections } = (await client.get("/cart.js?sections=money")).json<{ sections: Record<string, string> }>();
      assert.ok(String(sections.money).includes(formattedTotal), String(sections.money));
    });

    test(`2.3 ${code}: items_subtotal_price_cents is the sum of the lines' final prices`, async () => {
      const client = shop.client();
      await add(client, variant.scarce, 3);
      await add(client, 2_000, 3);
      const cart = assertMutated(await client.post("/cart/update.js", { discount: "FLAGS" }));
      assert.deepEqual(
        cart.items.map((line) => line.final_line_price),
        [303, 1_050],
      );
      assert.equal(cart.items[1]?.total_discount, 1_050);
      assert.deepEqual(money(cart), [1_353, 0, 1_353, 1_353]);
    });

    test(`2.3 ${code}: total_discount_cents is the cart's discount, total = subtotal - discount`, async () => {
      const client = shop.client();
      await add(client, variant.scarce, 3);
      const tenth = assertMutated(await client.post("/cart/update.js", { discount: "TENOFF" }));
      assert.deepEqual(money(tenth), [303, 30, 273, 273]);
      assert.equal(tenth.total_discount, 30);
      assert.deepEqual(tenth.discount_codes, [{ code: "TENOFF", applicable: true }]);
      assert.equal(tenth.cart_level_discount_applications.length, 1);
    });

    test(`2.3 ${code}: the total is never negative`, async () => {
      const client = shop.client();
      await add(client, variant.scarce, 3);
      const cart = assertMutated(await client.post("/cart/update.js", { discount: "ALLFREE" }));
      assert.deepEqual(money(cart), [303, 303, 0, 0]);
    });

    test(`2.3 ${code}: amount_due_cents is the amount not covered by gift cards, never negative`, async () => {
      const client = shop.client();
      await add(client, variant.unlimited);
      const paid = assertMutated(await client.post("/cart/update.js", { gift_cards: "GIFT-AAAA-1234" }));
      assert.deepEqual(money(paid), [1_999, 0, 1_999, 999]);
      assertMutated(await client.post("/cart/change.js", { line: 1, quantity: 0 }));
      await add(client, variant.scarce);
      assert.deepEqual(money(await readCart(client)), [101, 0, 101, 0]);
    });
  });
}

describe("codes", async () => {
  const shop = await startShop();

  test("2.3 add also sets codes, several at once and in any case, and an empty string removes them", async () => {
    const client = shop.client();
    const body = { id: variant.tracked, discount: "tenoff, FIVE", gift_cards: "GIFT-AAAA-1234" };
    const cart = assertMutated(await client.post("/cart/add.js", body));
    assert.equal(cart.total_discount_cents, 1_200 + 500);
    assert.equal(cart.amount_due_cents, 12_000 - 1_700 - 1_000);
    assert.equal(cart.gift_cards.length, 1);
    assert.ok(
      !JSON.stringify(cart).includes("GIFT-AAAA"),
      "the response does not contain the full code of a gift card",
    );
    const bare = assertMutated(await client.post("/cart/update.js", { discount: "", gift_cards: "" }));
    assert.deepEqual(money(bare), [12_000, 0, 12_000, 12_000]);
    assert.deepEqual([bare.discount_codes, bare.gift_cards], [[], []]);
  });

  test("2.3 issues: a stock limit reports the line, requested and available quantity", async () => {
    const client = shop.client();
    const key = (await add(client, variant.tracked)).items[0]?.key;
    const cart = assertMutated(await client.post("/cart/change.js", { key, quantity: 11 }));
    const [issue] = cart.issues;
    assert.ok(issue !== undefined && issue.message.length > 0);
    const { code, key: named, requested_quantity, quantity, available_quantity, variant_id } = issue;
    assert.deepEqual(
      { code, named, requested_quantity, quantity, available_quantity, variant_id: String(variant_id) },
      {
        code: "inventory_cap",
        named: key,
        requested_quantity: 11,
        quantity: 10,
        available_quantity: 10,
        variant_id: String(variant.tracked),
      },
    );
  });
});

function money(cart: CartJson): readonly number[] {
  return [cart.items_subtotal_price_cents, cart.total_discount_cents, cart.total_price_cents, cart.amount_due_cents];
}
