import assert from "node:assert/strict";
import { test } from "node:test";
import { assertMutated, readCart } from "../support/assertions.ts";
import { product, type RowJson } from "../support/catalog.ts";
import type { Client, Reply } from "../support/client.ts";
import type { MutationJson } from "../support/replies.ts";
import { startShop } from "../support/shop.ts";

const MAY = Date.UTC(2031, 4, 15);

/** Prices that do not divide evenly, in minor units. */
const rope = 1;
const cleat = 2;
const whistle = 3;
const goods: readonly RowJson[] = [
  product(1, "rope", "Rope", [{ id: rope, price: 333 }]),
  product(2, "cleat", "Cleat", [{ id: cleat, price: 101 }]),
  product(3, "whistle", "Whistle", [{ id: whistle, price: 7 }]),
  { kind: "collection", id: 90, handle: "deck", title: "Deck", products: ["rope", "cleat"] },
];
const code = (name: string, value_type: string, value: number, more: object = {}): RowJson => ({
  kind: "discount",
  code: name,
  title: `Title of ${name}`,
  value_type,
  value,
  ...more,
});
const rows: readonly RowJson[] = [
  ...goods,
  code("DECK100", "fixed_amount", 100, { collections: ["deck"] }),
  code("ROPE5", "percentage", 5, { products: ["rope"] }),
  code("ALL15", "percentage", 15),
  code("ALL50", "fixed_amount", 50),
  code("MIN441", "fixed_amount", 41, { minimum_subtotal: 441 }),
  code("SPRING", "percentage", 10, { starts_at: "2031-03-01T00:00:00Z", ends_at: "2031-06-01T00:00:00Z" }),
];
const automatic: readonly RowJson[] = [
  {
    kind: "discount",
    title: "Deck week",
    value_type: "percentage",
    value: 10,
    collections: ["deck"],
    ends_at: "2031-06-01T00:00:00Z",
  },
  { kind: "discount", title: "Large orders", value_type: "fixed_amount", value: 50, minimum_subtotal: 1_000 },
];

interface Application {
  readonly title: string;
  readonly code: string | null;
  readonly type: string;
  readonly target_selection: string;
  readonly total_allocated_amount: number;
}
interface Allocation {
  readonly amount: number;
  readonly discount_application: Application;
}
interface Line {
  readonly final_line_price_cents: number;
  readonly total_discount: number;
  readonly discounts: readonly { readonly title: string; readonly amount: number }[];
  readonly line_level_discount_allocations: readonly Allocation[];
  readonly cart_level_discount_allocations: readonly Allocation[];
}
interface Explained extends Omit<MutationJson, "items" | "cart_level_discount_applications"> {
  readonly items: readonly Line[];
  readonly discount_applications: readonly Application[];
  readonly cart_level_discount_applications: readonly Application[];
}

const currency = "KWD";
let now = MAY;
const shop = await startShop({ rows, config: { currency }, now: () => now });
const fill = async (client: Client, discount: string, ids: readonly number[] = [rope, cleat, whistle]) => {
  const body = { items: ids.map((id) => ({ id })), discount };
  return explained(await client.post("/cart/add.js", body));
};

test("2.3 a fixed discount on some products is distributed over their lines, and the parts add up to it", async () => {
  const cart = await fill(shop.client(), "DECK100");
  assert.deepEqual(
    cart.items.map((line) => line.final_line_price_cents),
    [333 - 77, 101 - 23, 7],
  );
  assert.deepEqual(money(cart), { subtotal: 341, discount: 0, total: 341 });
  const [first] = cart.items;
  assert.ok(first);
  assert.equal(first.total_discount, 77);
  assert.deepEqual(first.discounts, [{ title: "DECK100", amount: 77 }]);
  const { discount_application, amount } = first.line_level_discount_allocations[0] as Allocation;
  assert.equal(amount, 77);
  const { title, code: given, type, target_selection, total_allocated_amount } = discount_application;
  assert.deepEqual(
    [title, given, type, target_selection, total_allocated_amount],
    ["DECK100", "DECK100", "discount_code", "entitled", 100],
  );
  assert.deepEqual(cart.discount_applications, [discount_application]);
  assert.deepEqual(cart.cart_level_discount_applications, []);
});

test("2.3 a percentage discount on a product applies to its line only, rounded half up", async () => {
  const cart = await fill(shop.client(), "ROPE5");
  assert.deepEqual(
    cart.items.map((line) => line.total_discount),
    [17, 0, 0],
  );
  assert.deepEqual(money(cart), { subtotal: 424, discount: 0, total: 424 });
});

test("2.3 a discount on the cart is reported on the cart, and each line reports its part", async () => {
  const cart = await fill(shop.client(), "ALL50");
  assert.deepEqual(money(cart), { subtotal: 441, discount: 50, total: 391 });
  assert.deepEqual(
    cart.items.map((line) => [
      line.final_line_price_cents,
      ...line.cart_level_discount_allocations.map(({ amount }) => amount),
    ]),
    [
      [333, 38],
      [101, 11],
      [7, 1],
    ],
  );
  assert.deepEqual(
    cart.cart_level_discount_applications.map((one) => [one.title, one.target_selection, one.total_allocated_amount]),
    [["ALL50", "all", 50]],
  );
});

test("2.3 several discounts apply in sequence, lines first, and each amount is reported", async () => {
  const cart = await fill(shop.client(), "ALL15, DECK100, ROPE5");
  assert.deepEqual(
    cart.discount_applications.map((one) => [one.code, one.total_allocated_amount]),
    [
      ["DECK100", 100],
      ["ROPE5", 13],
      ["ALL15", 49],
    ],
  );
  assert.deepEqual(money(cart), { subtotal: 328, discount: 49, total: 279 });
  assert.deepEqual(
    cart.discount_codes.map((one) => [one.code, one.applicable]),
    [
      ["ALL15", true],
      ["DECK100", true],
      ["ROPE5", true],
    ],
  );
  for (const application of cart.discount_applications) {
    const shares = cart.items
      .flatMap((line) => [...line.line_level_discount_allocations, ...line.cart_level_discount_allocations])
      .filter((share) => share.discount_application.code === application.code);
    assert.equal(sum(shares.map(({ amount }) => amount)), application.total_allocated_amount);
  }
});

test("2.3 a minimum subtotal is compared with the lines before any discount, to the minor unit", async () => {
  const client = shop.client();
  const cart = await fill(client, "MIN441, DECK100");
  assert.deepEqual(money(cart), { subtotal: 341, discount: 41, total: 300 });
  const less = assertMutated(await client.post("/cart/change.js", { line: 3, quantity: 0 }));
  assert.deepEqual(money(less), { subtotal: 334, discount: 0, total: 334 });
  assert.deepEqual(less.discount_codes, [
    { code: "MIN441", applicable: false },
    { code: "DECK100", applicable: true },
  ]);
  assert.equal(less.issues[0]?.code, "discount_not_applicable");
});

test("2.3 a code is valid from its start until just before its end", async () => {
  const instants: readonly (readonly [string, number])[] = [
    ["2031-02-28T23:59:59.999Z", 0],
    ["2031-03-01T00:00:00.000Z", 44],
    ["2031-05-31T23:59:59.999Z", 44],
    ["2031-06-01T00:00:00.000Z", 0],
  ];
  for (const [instant, discount] of instants) {
    now = Date.parse(instant);
    const cart = await fill(shop.client(), "SPRING");
    assert.equal(cart.total_discount_cents, discount, instant);
    assert.deepEqual(
      cart.issues.map((issue) => issue.code),
      discount === 0 ? ["discount_not_applicable"] : [],
    );
    assert.deepEqual(cart.discount_codes, [{ code: "SPRING", applicable: discount > 0 }]);
  }
  now = MAY;
});

test("2.3 automatic discounts apply without a code, and report no issue if they do not apply", async () => {
  const other = await startShop({ rows: [...rows, ...automatic], config: { currency }, now: () => now });
  const client = other.client();
  const small = await fill(client, "");
  assert.deepEqual(
    small.items.map((line) => line.total_discount),
    [33, 10, 0],
  );
  assert.deepEqual(money(small), { subtotal: 398, discount: 0, total: 398 });
  assert.deepEqual(small.issues, []);
  const large = explained(await client.post("/cart/change.js", { line: 3, quantity: 81 }));
  assert.deepEqual(money(large), { subtotal: 958, discount: 50, total: 908 });
  assert.deepEqual(
    large.discount_applications.map((one) => [one.title, one.code, one.type, one.total_allocated_amount]),
    [
      ["Deck week", null, "automatic", 43],
      ["Large orders", null, "automatic", 50],
    ],
  );
  now = Date.UTC(2031, 5, 1);
  const late = await readCart(client);
  assert.deepEqual(money(late), { subtotal: 1_001, discount: 50, total: 951 });
  now = MAY;
  await other.close();
});

test("2.3 discounts: two codes with the same title are two discounts, in the cart and in themes", async () => {
  const same = { title: "Welcome" };
  const named = `{%- for one in cart.discount_applications %}{{ one.title }},{% endfor -%}
    {%- for one in cart.items[0].line_level_discount_allocations %}{{ one.discount_application.title }},{% endfor -%}
    {%- for one in cart.cart_level_discount_applications %}{{ one.title }},{% endfor -%}`;
  const shop = await startShop({
    rows: [
      ...goods,
      code("FIRST", "fixed_amount", 10, { ...same, products: ["rope"] }),
      code("SECOND", "percentage", 5, same),
      code("THIRD", "fixed_amount", 20, same),
    ],
    themeFiles: { "sections/titles.liquid": named },
  });
  const body = { id: rope, discount: "first, SECOND, THIRD", sections: "titles" };
  const cart = explained(await shop.client().post("/cart/add.js", body)) as Explained & {
    readonly sections: Readonly<Record<string, string>>;
  };
  const [line] = cart.items;
  const titles = [
    ...cart.discount_applications,
    ...(line?.line_level_discount_allocations ?? []).map((one) => one.discount_application),
    ...cart.cart_level_discount_applications,
  ].map(({ title }) => title);
  assert.deepEqual(titles, ["FIRST", "SECOND", "THIRD", "FIRST", "SECOND", "THIRD"]);
  assert.match(String(cart.sections.titles), />\s*FIRST,SECOND,THIRD,FIRST,SECOND,THIRD,\s*</);
});

function explained(reply: Reply): Explained {
  return assertMutated(reply) as unknown as Explained;
}

function money(cart: Pick<MutationJson, "items_subtotal_price_cents" | "total_discount_cents" | "total_price_cents">) {
  const { items_subtotal_price_cents, total_discount_cents, total_price_cents } = cart;
  return { subtotal: items_subtotal_price_cents, discount: total_discount_cents, total: total_price_cents };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((a, b) => a + b, 0);
}
