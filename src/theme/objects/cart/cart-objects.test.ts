import assert from "node:assert/strict";
import test from "node:test";
import { buildCart, openTheme } from "../../example-shop.fixture.ts";

test("texts of shoppers that links can set add no elements and attributes", async (t) => {
  const priced = buildCart(1);
  const [line] = priced.lines;
  assert.ok(line);
  const properties = { "<i>": '<img src=x onerror="x()">', Name: "Ada & Bo", "Child's": "Tim" };
  const cart = {
    ...priced,
    cart: { ...priced.cart, note: "</textarea><b>Ring</b>" },
    lines: [{ ...line, line: { ...line.line, properties } }],
  };
  const liquid =
    '{{ cart.note }}|{{ cart.note | escape }}|{% for item in cart.items.first.properties %}{{ item.first }}={{ item.last }}={{ item[1] | escape }};{% endfor %}{{ cart.items.first.properties | json }}|{{ cart.items.first.properties["Child\'s"] }}';
  const theme = await openTheme(t, { "sections/a.liquid": liquid });
  assert.equal(
    await theme.section("a", { cart: async () => cart }),
    `&lt;/textarea&gt;&lt;b&gt;Ring&lt;/b&gt;|&lt;/textarea&gt;&lt;b&gt;Ring&lt;/b&gt;|&lt;i&gt;=&lt;img src=x onerror=&quot;x()&quot;&gt;=&lt;img src=x onerror=&quot;x()&quot;&gt;;Name=Ada & Bo=Ada &amp; Bo;Child's=Tim=Tim;{"\\u0026lt;i\\u0026gt;":"\\u003cimg src=x onerror=\\"x()\\"\\u003e","Name":"Ada \\u0026 Bo","Child's":"Tim"}|Tim`,
  );
});

test("a gift card has the amount that orders have left, and its initial value", async (t) => {
  const card = { kind: "gift_card", id: "1", code: "GIFT", balance: 5_000 } as const;
  const liquid = "{{ gift_card.balance }} {{ gift_card.initial_value }}";
  const theme = await openTheme(t, { "sections/a.liquid": liquid });
  assert.equal(await theme.section("a", { target: "/gift_cards/GIFT", giftCard: { card, balance: 400 } }), "400 5000");
});
