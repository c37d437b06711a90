import assert from "node:assert/strict";
import { test } from "node:test";
import { scopes as allScopes } from "../../src/security/api-token.ts";
import { type Operation, readApiDocument } from "../support/api-document.ts";
import { createClient, type Headers, type Reply } from "../support/client.ts";
import { startDemoShop } from "../support/demo-shop.ts";

const document = readApiDocument();
const shop = await startDemoShop();
const json: Headers = { "content-type": "application/json" };

/** Asserts the error code. The client compares each response with the document. */
function codeOf(reply: Reply, status: number): string {
  assert.equal(reply.status, status, reply.text);
  return reply.json<{ error: string }>().error;
}

function addressOf({ path, parameters }: Operation): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parameters.find((one) => one.name === name)?.example)),
  );
}

const needs = (scheme: string): readonly Operation[] =>
  document.operations.filter(({ security }) => security.some((one) => one[scheme] !== undefined));

test("a protected endpoint returns 401 without a token and 403 without its scope, with WWW-Authenticate", async () => {
  const operations = needs("bearer");
  const publicOperations = document.operations.filter(
    ({ tags, security }) => tags.includes("management") && security.every((one) => one.bearer === undefined),
  );
  assert.deepEqual(
    publicOperations.map(({ operationId }) => operationId).sort(),
    ["paymentEvents", "publishedKeys"],
    "other management operations need a token",
  );
  for (const operation of operations) {
    const client = createClient(shop.origin);
    const target = addressOf(operation);
    const without = await client.send(operation.method, target, { headers: json, body: "{}" });
    assert.equal(codeOf(without, 401), "unauthorized", target);
    const scopes = operation.security.flatMap((one) => one.bearer ?? []);
    if (scopes.length === 0) continue;
    // A token with all other scopes.
    const otherScopes = allScopes.filter((scope) => !scopes.includes(scope));
    const token = await shop.token(...otherScopes);
    const headers = { ...json, authorization: `Bearer ${token}` };
    const other = await client.send(operation.method, target, { headers, body: "{}" });
    assert.equal(codeOf(other, 403), "insufficient_scope", target);
    assert.match(String(other.headers["www-authenticate"]), new RegExp(scopes.join()), target);
  }
});

test("a write without a CSRF token returns 403", async () => {
  const operations = needs("csrfToken");
  assert.ok(operations.length >= 10);
  for (const operation of operations) {
    const reply = await createClient(shop.origin).send("POST", addressOf(operation), { headers: json, body: "{}" });
    assert.equal(codeOf(reply, 403), "csrf_missing", operation.path);
  }
});

test("an unsupported method returns 405 with Allow", async () => {
  for (const operation of document.operations.filter(({ path }) => path !== "/metrics")) {
    const reply = await createClient(shop.origin).send("DELETE", addressOf(operation));
    assert.equal(reply.status, 405, operation.path);
    assert.match(
      String(reply.headers.allow),
      new RegExp(operation.operationId.endsWith("ByLink") ? "POST" : operation.method),
    );
    assert.deepEqual(document.mismatchesOf(operation, reply), []);
  }
});

test("a missing resource returns 404 in the format of its URL", async () => {
  for (const operation of document.operations) {
    if (operation.method !== "GET" || operation.responses[404] === undefined || !operation.path.includes("{")) continue;
    const target = operation.path.replaceAll(/\{\w+\}/g, "no-such-thing");
    const reply = await createClient(shop.origin).get(target);
    if (reply.status === 401) continue;
    assert.equal(reply.status, 404, target);
    assert.deepEqual(document.mismatchesOf(operation, reply), []);
  }
});

test("cart writes are rejected as documented: body, cartId, sections_url, size, key, revision, stock, members", async () => {
  const client = createClient(shop.origin);
  assert.equal(codeOf(await client.post("/cart/add.js", "{"), 400), "validation_failed");
  assert.equal(
    codeOf(await client.post("/cart/add.js", "id=101", { "content-type": "text/plain" }), 400),
    "validation_failed",
  );
  assert.equal(codeOf(await client.post("/cart/add.js", {}), 400), "validation_failed");
  assert.equal(codeOf(await client.post("/cart/add.js", { id: 101, cartId: "x" }), 400), "validation_failed");
  assert.equal(
    codeOf(await client.post("/cart/add.js?sections_url=//a.example", { id: 101 }), 400),
    "invalid_sections_url",
  );
  assert.equal(
    codeOf(await client.post("/cart/add.js", { id: 101, note: "x".repeat(70_000) }), 413),
    "payload_too_large",
  );
  const key = { "idempotency-key": "once" };
  assert.equal((await client.post("/cart/add.js", { id: 101 }, key)).status, 200);
  assert.equal(codeOf(await client.post("/cart/add.js", { id: 102 }, key), 409), "idempotency_conflict");
  assert.equal(
    codeOf(await client.post("/cart/change.js", { line: 1, quantity: 2 }, { "if-match": '"9"' }), 412),
    "cart_changed",
  );
  assert.equal(codeOf(await client.post("/cart/add.js", { id: 101, quantity: 9_000 }), 422), "insufficient_stock");
  const { products } = (await client.get("/products.json?limit=250")).json<{ products: { handle: string }[] }>();
  const shown = await Promise.all(
    products.map(async ({ handle }) => (await client.get(`/products/${handle}.js`)).json<Product>()),
  );
  const members = shown.find((product) => product.requires_customer)?.variants[0]?.id;
  assert.equal(codeOf(await client.post("/cart/add.js", { id: members }), 401), "customer_required");
});

interface Product {
  readonly requires_customer: boolean;
  readonly variants: readonly { readonly id: number }[];
}

test("searches, rates, recommendations and batches are rejected as documented", async () => {
  const client = createClient(shop.origin);
  for (const target of [
    "/search/suggest.json",
    "/search/suggest.json?q=a&type=nothing",
    "/search/suggest?q=a",
    "/cart/shipping_rates.json",
    "/recommendations/products.json",
  ])
    assert.equal((await client.get(target)).status, 422, target);
  assert.equal((await client.get("/search/suggest?q=a&section_id=nothing")).status, 404);
  const headers = {
    ...json,
    authorization: `Bearer ${await shop.token("stock:write", "catalog:write", "checkouts:complete")}`,
  };
  const post = (target: string, body: string) => client.send("POST", target, { headers, body });
  for (const target of ["/admin/stock", "/admin/catalog"]) {
    for (const body of ["", "[]", "{", '{"variant_id":"none","quantity":1}', "[1]"])
      assert.equal(codeOf(await post(target, body), 400), "validation_failed", `${target} ${body}`);
    assert.equal(codeOf(await post(target, " ".repeat(2_200_000)), 413), "payload_too_large");
  }
  assert.equal(codeOf(await post("/api/checkouts/none/complete", "{}"), 400), "validation_failed");
  const payment = JSON.stringify({ amount: 1, currency: "USD", reference: "r" });
  assert.equal(codeOf(await post("/api/checkouts/none/complete", payment), 404), "not_found");
});

test("repeated invalid tokens return 429 with Retry-After", async () => {
  const client = createClient(shop.origin);
  let last = await client.get("/api/token");
  for (let tries = 0; tries < 80 && last.status === 401; tries += 1)
    last = await client.get("/api/token", { authorization: "Bearer vitrine_wrong" });
  assert.equal(codeOf(last, 429), "rate_limited");
});
