import assert from "node:assert/strict";
import { test } from "node:test";
import { add, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { type Reply, send } from "../support/client.ts";
import { startShop } from "../support/shop.ts";
import { type AgentCart, callRest, cartOf, codesOf, createAgentCart, type UcpMessage } from "../support/ucp.ts";

const shop = await startShop({ config: { trustProxy: ["127.0.0.1"] } });
const { origin } = shop;

const json = { "content-type": "application/json" };
const postMcp = (body: string | Uint8Array, headers = {}): Promise<Reply> =>
  send(origin, "POST", "/ucp/mcp", { headers: { ...json, ...headers }, body });
const callTool = (name: unknown, given: unknown): Promise<Reply> =>
  postMcp(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } }));

/** Values of the wrong type for any member. */
const oddTexts = ["", "\0", "\ud800", "x".repeat(5_000)];
const wrongValues: readonly unknown[] = [null, true, 0, -1, 1.5, 1e300, ...oddTexts, [], [[]], {}, { toString: 1 }];

test("malformed and huge bodies get an error of the client, by REST and MCP", async () => {
  const bodies: readonly (string | Uint8Array)[] = [
    "{",
    "[]",
    "null",
    '"x"',
    "[".repeat(50_000),
    `{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`,
    '{"__proto__":{"x":1}}',
    new Uint8Array([0xff, 0xfe, 0x00]),
    JSON.stringify({ query: "x".repeat(200_000) }),
    "",
  ];
  for (const body of bodies) {
    const named = String(body).slice(0, 40);
    const paths = ["/ucp/v1/carts", "/ucp/v1/catalog/search", "/ucp/v1/carts/x/cancel"];
    for (const path of paths) {
      const { status, text } = await send(origin, "POST", path, { headers: json, body });
      assert.ok(status < 500, `${path} ${named}: ${status}`);
      assert.ok(status >= 400 || text.includes('"status":"error"'), `${path} ${named}: ${text}`);
    }
    const { status } = await postMcp(body);
    assert.ok(status >= 400 && status < 500, `MCP ${named}: ${status}`);
  }
});

test("malformed JSON-RPC gets an error of JSON-RPC", async () => {
  for (const message of [
    {},
    { jsonrpc: "1.0", id: 1, method: "tools/call" },
    { jsonrpc: "2.0", id: {}, method: "tools/call" },
    { jsonrpc: "2.0", id: 1, method: 5 },
    { jsonrpc: "2.0", id: 1, method: "tools/call" },
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: [] },
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "create_cart", arguments: "x" } },
    { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri: "file:///etc/passwd" } },
    { jsonrpc: "2.0", id: 1, method: "constructor" },
  ]) {
    const { status, text } = await postMcp(JSON.stringify(message));
    assert.ok(status < 500, text);
    assert.match(text, /"error":\{"code":-32\d{3}/, JSON.stringify(message));
  }
  assert.equal((await postMcp("{}", { "content-type": "text/plain" })).status, 415);
});

test("values of the wrong type are errors that name the member, and never a failure of the server", async () => {
  for (const value of wrongValues)
    for (const [name, given] of [
      ["search_catalog", { catalog: value }],
      ["search_catalog", { catalog: { query: value } }],
      ["search_catalog", { catalog: { query: "x", filters: value } }],
      ["search_catalog", { catalog: { query: "x", filters: { categories: value } } }],
      ["search_catalog", { catalog: { query: "x", filters: { price: { min: value } } } }],
      ["search_catalog", { catalog: { query: "x", pagination: { limit: value, cursor: value } } }],
      ["search_catalog", { catalog: { query: "x", context: { language: value } } }],
      ["lookup_catalog", { catalog: { ids: value } }],
      ["lookup_catalog", { catalog: { ids: [value] } }],
      ["get_product", { catalog: { id: value, selected: value, preferences: value } }],
      ["get_product", { catalog: { id: "1", selected: [{ name: value, label: value }] } }],
      ["create_cart", { cart: value }],
      ["create_cart", { cart: { line_items: value } }],
      ["create_cart", { cart: { line_items: [value] } }],
      ["create_cart", { cart: { line_items: [{ item: value, quantity: 1 }] } }],
      ["create_cart", { cart: { line_items: [{ item: { id: value }, quantity: 1 }] } }],
      ["create_cart", { cart: { line_items: [{ item: { id: "21", quote: value }, quantity: 1 }] } }],
      ["create_cart", { cart: { line_items: [{ item: { id: "21" }, quantity: value }] } }],
      ["create_cart", { cart: { line_items: [{ item: { id: "21" }, quantity: 1 }], context: value } }],
      [
        "create_cart",
        { cart: { line_items: [{ item: { id: "21" }, quantity: 1 }], context: { address_country: value } } },
      ],
      ["update_cart", { id: value, cart: { line_items: [] } }],
      ["get_cart", { id: value }],
      ["cancel_cart", { id: value, meta: { "idempotency-key": value } }],
      ["get_order", { id: value }],
      ["get_cart", { id: "x", meta: value }],
      ["get_cart", { id: "x", meta: { "ucp-agent": { profile: value } } }],
      [value, {}],
    ] as const) {
      const { status, text } = await callTool(name, given);
      assert.ok(status < 500, `${JSON.stringify([name, given]).slice(0, 200)}: ${status} ${text}`);
    }
});

test("a lookup of too many ids is rejected by both transports", async () => {
  const ids = Array.from({ length: 51 }, (_, index) => String(index));
  const rest = await callRest(origin, "lookup_catalog", { ids });
  assert.deepEqual([rest.status, rest.json().code], [400, "request_too_large"]);
  const mcp = await callTool("lookup_catalog", { catalog: { ids } });
  assert.equal(mcp.status, 400);
  assert.match(mcp.text, /"code":-32602.*"code":"request_too_large"/);
});

test("an agent reaches only carts that it created, by their signed id", async () => {
  const visitor = shop.client();
  await add(visitor, variant.unlimited, 1);
  const { id, token } = (await readCart(visitor)) as unknown as { id: string; token: string };
  const cookie = [...visitor.cookies.values()].join(" ");
  const cart = await createAgentCart(origin, [{ id: variant.unlimited }]);
  const [checkoutId = ""] = new URL(cart.continue_url).pathname.split("/").slice(-1);
  const quote = new URL(cart.continue_url).searchParams.get("quote") ?? "";
  for (const foreignId of [
    id,
    token,
    cookie,
    checkoutId,
    quote,
    `${cart.id}x`,
    cart.id.replace(/\d{13}/, "9999999999999"),
  ]) {
    for (const name of ["get_cart", "cancel_cart"] as const)
      assert.deepEqual(codesOf(await callRest(origin, name, undefined, { id: foreignId })), ["not_found"]);
    const update = await callRest(origin, "update_cart", cartOf([{ id: variant.unlimited }]), { id: foreignId });
    assert.deepEqual(codesOf(update), ["not_found"]);
  }
  const other = await callRest(origin, "get_cart", undefined, { id: cart.id, headers: { cookie } });
  assert.equal(other.json<AgentCart>().line_items[0]?.id, cart.line_items[0]?.id);
  assert.equal((await readCart(visitor)).item_count, 1);
});

test("a cart's id, a quote, and an order number open no order", async () => {
  const cart = await createAgentCart(origin, [{ id: variant.unlimited }]);
  for (const id of ["1001", cart.id, cart.continue_url, "..", "%2e%2e", "x".repeat(1_000)])
    assert.deepEqual(codesOf(await callRest(origin, "get_order", undefined, { id })), ["not_found"], id);
});

test("forged prices are rejected with the member that contains them", async () => {
  const { products } = (await callRest(origin, "search_catalog", { query: "tote" })).json<{
    products: { variants: { metadata: { quote: string } }[] }[];
  }>();
  const quote = products[0]?.variants[0]?.metadata.quote ?? "";
  for (const forged of ["", "x", quote.replace("-1999-", "-1-"), `${quote}x`, quote.slice(0, -2)]) {
    const reply = await callRest(origin, "create_cart", cartOf([{ id: variant.unlimited, quote: forged }]));
    const [message] = reply.json<{ messages: UcpMessage[] }>().messages;
    assert.deepEqual([message?.code, message?.path], ["quote_changed", "$.line_items[0].item"], forged);
  }
});

test("agents have rate limits of their own: 429 with the time to wait", async () => {
  const headers = { ...json, "x-forwarded-for": "198.51.100.7" };
  const write = () => send(origin, "POST", "/ucp/v1/carts", { headers, body: "{}" });
  let limited: Reply | undefined;
  for (let count = 0; count < 400 && limited === undefined; count += 1) {
    const reply = await write();
    if (reply.status === 429) limited = reply;
  }
  assert.deepEqual([limited?.json().code, limited?.headers["retry-after"]], ["rate_limited", "10"]);
  const call = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "create_cart", arguments: {} } };
  // The limit permits further calls while the first one loads the SDK.
  const replies = await Promise.all(
    Array.from({ length: 50 }, () => postMcp(JSON.stringify(call), { "x-forwarded-for": "198.51.100.7" })),
  );
  const mcp = replies.find(({ status }) => status === 429) as Reply;
  assert.match(mcp.text, /"id":7,"error":\{"code":-32000,.*"retry_after":10/);
  const shopper = await send(origin, "GET", "/cart.js", { headers: { "x-forwarded-for": "198.51.100.7" } });
  assert.equal(shopper.status, 200);
  assert.equal((await callRest(origin, "create_cart", cartOf([{ id: variant.unlimited }]))).status, 201);
});
