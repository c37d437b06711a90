import assert from "node:assert/strict";
import { add } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import type { Body, Client, Headers, Reply } from "../support/client.ts";
import { processorTime } from "../support/processor-time.ts";
import type { CartErrorJson } from "../support/replies.ts";
import type { TestShop } from "../support/shop.ts";

export interface Expectation {
  readonly status: number | readonly number[];
  /** Error code of the body. */
  readonly error?: string;
  /** Path of the field that the body reports. */
  readonly field?: string;
  readonly body?: RegExp;
  readonly check?: (reply: Reply) => void;
}

/** Returns the expectation of a 400 `validation_failed`. */
export function validationFailed(field?: string): Expectation {
  return { status: 400, error: "validation_failed", ...(field === undefined ? {} : { field }) };
}

/** Returns a client with two raincoats in its cart. */
export async function victim(shop: TestShop): Promise<Client> {
  const client = shop.client();
  await add(client, variant.tracked, 2);
  return client;
}

/** Sends a POST request, and asserts the expected reply and an unchanged cart. */
export async function assertPost(
  client: Client,
  path: string,
  body: Body,
  expected: Expectation,
  headers: Headers = {},
): Promise<void> {
  const before = (await client.get("/cart.js")).text;
  const cookie = client.cookies.get("cart");
  const started = processorTime();
  const reply = await client.post(path, body, headers);
  assertReply(reply, expected, processorTime() - started);
  assert.equal((await client.get("/cart.js")).text, before, "the cart is as it was");
  assert.equal(client.cookies.get("cart"), cookie, "no new cart cookie");
}

/** Asserts an expectation, and the rules for every response. */
export function assertReply(reply: Reply, expected: Expectation, ms = 0): void {
  const statuses = [expected.status].flat();
  assert.ok(statuses.includes(reply.status), `${reply.status} is not ${statuses}: ${reply.text.slice(0, 300)}`);
  assert.ok(ms < 1_000, `took ${ms} ms of processor time`);
  if (reply.text !== "") {
    assert.match(
      String(reply.headers["content-type"]),
      /^(application\/(json|javascript|xml|atom\+xml)|text\/(html|plain|xml|javascript|css|csv|markdown|event-stream)|image\/)/,
    );
    assert.equal(reply.headers["x-content-type-options"], "nosniff");
  }
  assert.doesNotMatch(reply.text, /(?:\\n|\n) +at .{1,200}:\d+:\d+|node_modules|SQLITE|SELECT |\/home\/|\/src\/|\.ts:/);
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
  if (expected.error !== undefined) assert.equal(reply.json<CartErrorJson>().error, expected.error, reply.text);
  if (expected.field !== undefined) {
    const fields = reply.json<CartErrorJson>().fields?.map(({ field }) => field);
    assert.ok(fields?.includes(expected.field), `${expected.field} is not among ${fields}`);
  }
  if (expected.body !== undefined) assert.match(reply.text, expected.body);
  expected.check?.(reply);
}
