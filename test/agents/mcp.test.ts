import assert from "node:assert/strict";
import { test } from "node:test";
import { Client as McpClient, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { variant } from "../support/catalog.ts";
import { send } from "../support/client.ts";
import { startShop } from "../support/shop.ts";
import { type AgentCart, assertUcp, buyBy, cartOf, type UcpName } from "../support/ucp.ts";

const shop = await startShop({
  hasTheme: false,
  config: { shipping: { countries: ["DE"], rates: [{ name: "Standard", price: 500 }] } },
});

const meta = { "ucp-agent": { profile: "https://agent.example/ucp" } };

/** Connects the client of the official SDK to the endpoint in the shop's profile. */
async function connect(): Promise<McpClient> {
  const profile = (await send(shop.origin, "GET", "/.well-known/ucp")).json<{
    ucp: { services: { "dev.ucp.shopping": { transport: string; endpoint: string }[] } };
  }>();
  const service = profile.ucp.services["dev.ucp.shopping"].find(({ transport }) => transport === "mcp");
  const client = new McpClient({ name: "test-agent", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(service?.endpoint ?? "")));
  return client;
}

async function call<T>(client: McpClient, name: UcpName, given: object): Promise<T> {
  const { structuredContent, content } = await client.callTool({ name, arguments: { meta, ...given } });
  assertUcp(name, structuredContent);
  assert.deepEqual(JSON.parse((content as { text: string }[])[0]?.text ?? ""), structuredContent);
  return structuredContent as T;
}

test("a client of the official SDK finds a product, fills a cart, buys by the link, and reads the order", async () => {
  const client = await connect();
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name).sort(), [
    "cancel_cart",
    "create_cart",
    "get_cart",
    "get_order",
    "get_product",
    "lookup_catalog",
    "search_catalog",
    "update_cart",
  ]);
  interface Found {
    readonly products: readonly { readonly id: string; readonly title: string }[];
  }
  const { products } = await call<Found>(client, "search_catalog", { catalog: { query: "rain coat" } });
  assert.equal(products[0]?.title, "Harbour Raincoat");
  interface Detail {
    readonly product: {
      readonly variants: readonly { readonly id: string; readonly metadata: { readonly quote: string } }[];
    };
  }
  const { product } = await call<Detail>(client, "get_product", {
    catalog: { id: products[0]?.id, selected: [{ name: "Size", label: "S" }] },
  });
  const [size] = product.variants;
  const created = await call<AgentCart>(client, "create_cart", {
    cart: cartOf([{ id: size?.id ?? "", quote: size?.metadata.quote ?? "" }]),
  });
  const cart = await call<AgentCart>(client, "update_cart", {
    id: created.id,
    cart: cartOf([{ id: size?.id ?? "" }, { id: variant.unlimited, quantity: 2 }], { address_country: "DE" }),
  });
  assert.equal(cart.totals.at(-1)?.amount, 12_000 + 2 * 1_999 + 500);
  await call(client, "get_cart", { id: cart.id });
  const { order } = await buyBy(shop.client(), cart);
  const link = `${shop.origin}${order?.headers.location}`;
  const bought = await call<{ totals: AgentCart["totals"]; label: string }>(client, "get_order", { id: link });
  assert.deepEqual(
    bought.totals,
    cart.totals.map((total) => total),
  );
  const gone = await call<{ messages: { code: string }[] }>(client, "get_cart", { id: cart.id });
  assert.deepEqual(
    gone.messages.map(({ code }) => code),
    ["not_found"],
  );
  await client.close();
});

test("errors of the transport are errors of JSON-RPC with the status of HTTP", async () => {
  const post = (body: object | string) =>
    send(shop.origin, "POST", "/ucp/mcp", {
      headers: { "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  const callTool = (params: object) => post({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const profile = await callTool({
    name: "get_cart",
    arguments: { meta: { "ucp-agent": { profile: "http://10.0.0.1/" } }, id: "x" },
  });
  assert.equal(profile.status, 400);
  assert.match(profile.text, /"code":-32001.*"code":"invalid_profile_url"/);
  assert.match((await callTool({ name: "complete_checkout", arguments: {} })).text, /-32602/);
  assert.deepEqual((await post("{")).json(), {
    jsonrpc: "2.0",
    id: null,
    error: { code: -32_700, message: "The body is not valid JSON." },
  });
  assert.equal((await send(shop.origin, "GET", "/ucp/mcp")).status, 405);
});

test("a client of the current protocol version is served without a session", async () => {
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const request = (method: string, params: object) =>
    send(shop.origin, "POST", "/ucp/mcp", {
      headers: {
        "content-type": "application/json",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        "mcp-name": "search_catalog",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { _meta: envelope, ...params } }),
    });
  const reply = await request("tools/call", { name: "search_catalog", arguments: { catalog: { query: "tote" } } });
  assert.equal(reply.status, 200, reply.text);
  assertUcp("search_catalog", reply.json<{ result: { structuredContent: unknown } }>().result.structuredContent);
  const listening = await request("subscriptions/listen", { notifications: { toolsListChanged: true } });
  assert.match(listening.text, /"error"/);
});
