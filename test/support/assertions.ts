import assert from "node:assert/strict";
import type { Client, Reply } from "./client.ts";
import type { CartErrorJson, CartJson, MutationJson } from "./replies.ts";

/** Asserts that a reply is a cart error: status, code, one sentence in four fields, not cacheable. */
export function assertCartError(reply: Reply, status: number, error: string): CartErrorJson {
  assert.equal(reply.status, status, reply.text);
  assert.match(String(reply.headers["content-type"]), /^application\/json/);
  assert.match(String(reply.headers["cache-control"]), /no-store/);
  const body = reply.json<CartErrorJson>();
  assert.equal(body.error, error, reply.text);
  assert.equal(body.status, status);
  assert.ok(body.message.length > 0);
  assert.equal(body.description, body.errors);
  return body;
}

/** Asserts a 400 `validation_failed` with this field and rule; default: any rule. */
export function assertInvalid(reply: Reply, field: string, rule?: string): CartErrorJson {
  const body = assertCartError(reply, 400, "validation_failed");
  assert.ok(Array.isArray(body.fields), reply.text);
  for (const fieldError of body.fields ?? []) {
    assert.equal(typeof fieldError.field, "string");
    assert.equal(typeof fieldError.rule, "string");
    assert.ok(fieldError.message.length > 0);
  }
  const found = body.fields?.some(
    (fieldError) => fieldError.field === field && (rule === undefined || fieldError.rule === rule),
  );
  assert.ok(found, `expected field ${field} with rule ${rule ?? "any"}: ${reply.text}`);
  return body;
}

/** Asserts that a reply is a cart after a write. */
export function assertMutated(reply: Reply): MutationJson {
  assert.equal(reply.status, 200, reply.text);
  const body = reply.json<MutationJson>();
  assert.ok(Array.isArray(body.issues), "issues is an array");
  assert.equal(typeof body.cart, "object");
  assert.equal(body.cart.item_count, body.item_count);
  assert.ok(!("status" in body) && !("errors" in body) && !("error" in body), "a success has no status, no errors");
  return body;
}

/** Reads the shopper's cart, without issues. */
export async function readCart(client: Client): Promise<CartJson> {
  const reply = await client.get("/cart.js");
  assert.equal(reply.status, 200, reply.text);
  const { issues: _, ...cart } = reply.json<MutationJson>();
  return cart;
}

export async function add(client: Client, id: string | number, quantity = 1): Promise<MutationJson> {
  return assertMutated(await client.post("/cart/add.js", { id, quantity }));
}

/** Returns [title, quantity] of each line. */
export function summary(cart: CartJson): readonly (readonly [string, number])[] {
  return cart.items.map((line) => [String(line.variant_id), line.quantity] as const);
}
