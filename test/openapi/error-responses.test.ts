import assert from "node:assert/strict";
import { test } from "node:test";
import { readApiDocument } from "../support/api-document.ts";
import { createClient } from "../support/client.ts";
import { startDemoShop } from "../support/demo-shop.ts";

const document = readApiDocument();
const shop = await startDemoShop();

test("management operations need a token, except two", () => {
  const publicOperations = document.operations.filter(
    ({ tags, security }) => tags.includes("management") && security.every((one) => one.bearer === undefined),
  );
  assert.deepEqual(publicOperations.map(({ operationId }) => operationId).sort(), ["paymentEvents", "publishedKeys"]);
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
