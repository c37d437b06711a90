import assert from "node:assert/strict";
import { test } from "node:test";
import { json } from "./reply.ts";

test("JSON answers read as what they were made of, wherever a list stands again, and are inert in HTML", () => {
  const items = [{ title: "</script>", text: "\u2028 \u2029 \\u003c" }, [], null];
  const value = {
    items,
    none: undefined,
    "<a>": "<!--",
    cart: { items, note: null, deep: { items, one: { items } } },
    n: 1,
  };
  const { body } = json(200, value);
  assert.ok(typeof body === "string");
  assert.deepEqual(JSON.parse(body), JSON.parse(JSON.stringify(value)));
  assert.doesNotMatch(body, /[<\u2028\u2029]/);
  for (const one of [items, "<", 1, null, {}]) assert.deepEqual(JSON.parse(String(json(200, one).body)), one);
});
