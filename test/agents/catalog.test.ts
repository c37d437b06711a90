import assert from "node:assert/strict";
import { test } from "node:test";
import { variant } from "../support/catalog.ts";
import { send } from "../support/client.ts";
import { startShop } from "../support/shop.ts";
import { assertUcp, callRest, codesOf } from "../support/ucp.ts";

const shop = await startShop();
const { origin } = shop;

interface Found {
  readonly products: readonly {
    readonly id: string;
    readonly title: string;
    readonly url: string;
    readonly variants: readonly {
      readonly id: string;
      readonly inputs: readonly { readonly id: string; readonly match: string }[];
    }[];
  }[];
  readonly pagination: { readonly has_next_page: boolean; readonly cursor?: string; readonly total_count: number };
  readonly messages?: readonly { readonly code: string; readonly content: string }[];
}

const search = async (catalog: object): Promise<Found> => {
  const reply = await callRest(origin, "search_catalog", catalog);
  assert.equal(reply.status, 200, reply.text);
  return reply.json<Found>();
};

test("the profile names the endpoints and capabilities, and may be cached", async () => {
  const reply = await send(origin, "GET", "/.well-known/ucp");
  assertUcp("profile", reply.json());
  assert.match(reply.text, new RegExp(`"endpoint":"${origin}/ucp/v1"`));
  // Without the setting, the endpoints have the host that the client sent, so that no cache may store them.
  assert.equal(reply.headers["cache-control"], "no-store");
  const named = await startShop({ config: { origin: "https://shop.example" } });
  const { headers, text } = await send(named.origin, "GET", "/.well-known/ucp");
  assert.equal(headers["cache-control"], "public, max-age=300");
  assert.match(text, /"endpoint":"https:\/\/shop\.example\/ucp\/mcp"/);
});

test("a search finds products by words with mistakes, in the agent's language, available variants first", async () => {
  const { products } = await search({ query: "impermaeble", context: { language: "fr" } });
  assert.equal(products[0]?.title, "Imperméable du port");
  assert.equal(products[0]?.url, `${origin}/fr/products/harbour-raincoat`);
  assert.deepEqual(
    products[0]?.variants.map(({ id }) => id),
    [variant.tracked, variant.soldOut].map(String),
  );
});

test("the pages of a search list each product once", async () => {
  const titles: string[] = [];
  let total = 0;
  for (let cursor: string | undefined; ; ) {
    const { products, pagination } = await search({ query: "signal flag", pagination: { limit: 5, cursor } });
    titles.push(...products.map(({ title }) => title));
    total = pagination.total_count;
    cursor = pagination.cursor;
    if (!pagination.has_next_page) break;
  }
  assert.ok(total >= 12);
  assert.deepEqual([titles.length, new Set(titles).size], [total, total]);
});

test("filters by type and price list products, with or without words", async () => {
  const flags = await search({ filters: { categories: ["Flags"] } });
  assert.equal(flags.pagination.total_count, 12);
  const { products } = await search({ query: "raincoat", filters: { price: { min: 12_100, max: 12_500 } } });
  assert.deepEqual(
    products.map(({ variants }) => variants.map(({ id }) => id)),
    [[String(variant.soldOut)]],
  );
  assert.deepEqual((await search({ query: "raincoat", filters: { price: { max: 100 } } })).products, []);
});

test("a lookup finds ids, handles, and SKUs, but no unpublished product", async () => {
  const ids = [
    String(variant.tracked),
    "1",
    "canvas-tote",
    "NOR.0707-61",
    String(variant.unpublished),
    "rain-prototype",
    "none",
  ];
  const { products, messages } = (await callRest(origin, "lookup_catalog", { ids })).json<Found>();
  const inputs = products.flatMap(({ variants }) =>
    variants.map(({ id, inputs }) => [id, inputs.map((input) => `${input.id} ${input.match}`)]),
  );
  assert.deepEqual(inputs, [
    [String(variant.tracked), [`${variant.tracked} exact`, "1 featured"]],
    [String(variant.soldOut), ["NOR.0707-61 exact"]],
    [String(variant.unlimited), ["canvas-tote featured"]],
  ]);
  assert.deepEqual(
    messages?.map(({ code, content }) => `${code} ${content}`),
    [`not_found ${variant.unpublished}`, "not_found rain-prototype", "not_found none"],
  );
});

test("a lookup with filters finds the variants that match", async () => {
  const found = async (filters: object): Promise<readonly string[]> => {
    const reply = await callRest(origin, "lookup_catalog", { ids: ["1", "canvas-tote"], filters });
    return reply.json<Found>().products.flatMap(({ variants }) => variants.map(({ id }) => id));
  };
  assert.deepEqual(await found({ price: { min: 12_100 } }), [String(variant.soldOut)]);
  assert.deepEqual(await found({ categories: ["Coats"] }), [String(variant.tracked)]);
  const other = await callRest(origin, "get_product", { id: "1", filters: { categories: ["Flags"] } });
  assert.deepEqual(codesOf(other), ["not_found"]);
});

test("a product has the selected options, and drops options that no variant has", async () => {
  interface Detail {
    readonly product: {
      readonly selected: readonly { readonly label: string }[];
      readonly variants: readonly { readonly id: string }[];
      readonly options: readonly { readonly values: readonly object[] }[];
    };
  }
  const read = async (catalog: object) => (await callRest(origin, "get_product", catalog)).json<Detail>().product;
  const all = await read({ id: "1" });
  assert.deepEqual(
    all.variants.map(({ id }) => Number(id)),
    [variant.tracked, variant.soldOut],
  );
  assert.deepEqual(all.options[0]?.values, [
    { label: "S", available: true, exists: true },
    { label: "M", available: false, exists: true },
  ]);
  const medium = await read({ id: "1", selected: [{ name: "Size", label: "M" }] });
  assert.deepEqual([medium.selected[0]?.label, medium.variants[0]?.id], ["M", String(variant.soldOut)]);
  const relaxed = await read({ id: "1", selected: [{ name: "Size", label: "XL" }] });
  assert.deepEqual([relaxed.selected[0]?.label, relaxed.variants.length], ["S", 2]);
  const byVariant = await read({ id: String(variant.soldOut), selected: [{ name: "Size", label: "S" }] });
  assert.deepEqual(
    [byVariant.selected[0]?.label, byVariant.variants.map(({ id }) => Number(id))],
    ["M", [variant.soldOut]],
  );
  assert.deepEqual(codesOf(await callRest(origin, "get_product", { id: String(variant.unpublished) })), ["not_found"]);
});

test("agents.md and llms.txt describe the shop, and templates of the theme replace them", async () => {
  for (const [file, type] of [
    ["agents.md", "text/markdown; charset=utf-8"],
    ["llms.txt", "text/plain; charset=utf-8"],
    ["llms-full.txt", "text/plain; charset=utf-8"],
  ] as const) {
    const { status, headers, text } = await send(origin, "GET", `/${file}`);
    assert.deepEqual([status, headers["content-type"]], [200, type]);
    assert.match(text, /^# Test Harbour\n/);
    assert.ok(text.includes(`${origin}/.well-known/ucp`));
    assert.ok(text.includes(`- [Rainwear](${origin}/collections/rainwear)`));
  }
  const themed = await startShop({
    themeFiles: {
      "templates/agents.md.liquid": "# {{ shop.name }} for agents\n{{ collections.all.all_products_count }} products\n",
      "templates/llms-full.txt.liquid": "All of {{ shop.name }}",
    },
  });
  const read = async (file: string): Promise<string> => (await send(themed.origin, "GET", `/${file}`)).text;
  for (const file of ["agents.md", "llms.txt"])
    assert.equal(await read(file), "# Test Harbour for agents\n22 products\n");
  assert.equal(await read("llms-full.txt"), "All of Test Harbour");
});

test("one setting turns off the access of agents", async () => {
  const closed = await startShop({ config: { agents: false } });
  for (const path of ["/.well-known/ucp", "/ucp/v1/orders/x", "/llms.txt", "/agents.md", "/vitrine/webmcp.js"])
    assert.equal((await send(closed.origin, "GET", path)).status, 404, path);
  for (const path of ["/ucp/mcp", "/ucp/v1/carts", "/ucp/v1/catalog/search"])
    assert.equal((await send(closed.origin, "POST", path, { body: "{}" })).status, 404, path);
});
