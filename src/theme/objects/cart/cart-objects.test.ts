import assert from "node:assert/strict";
import test from "node:test";
import { openTheme } from "../../example-shop.fixture.ts";

test("a gift card has the amount that orders have left, and its initial value", async (t) => {
  const card = { kind: "gift_card", id: "1", code: "GIFT", balance: 5_000 } as const;
  const liquid = "{{ gift_card.balance }} {{ gift_card.initial_value }}";
  const theme = await openTheme(t, { "sections/a.liquid": liquid });
  assert.equal(await theme.section("a", { target: "/gift_cards/GIFT", giftCard: { card, balance: 400 } }), "400 5000");
});
