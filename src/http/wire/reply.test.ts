import assert from "node:assert/strict";
import { test } from "node:test";
import { JsonText, toSafeJson } from "../json/inert-json.ts";
import { createJsonReply } from "./reply.ts";

test("JSON responses parse to their data, including embedded JSON text, and are inert in HTML", () => {
  const items = [{ title: "</script>", text: "\u2028 \u2029 \\u003c" }, [], null];
  const value = { items, none: undefined, "<a>": "<!--", cart: { items, note: null }, n: 1 };
  const text = new JsonText(toSafeJson(value));
  for (const [input, expected] of [
    [value, value],
    [
      { ...value, text },
      { ...value, text: value },
    ],
    [text, value],
  ]) {
    const { body } = createJsonReply(200, input);
    assert.ok(typeof body === "string");
    assert.deepEqual(JSON.parse(body), JSON.parse(JSON.stringify(expected)));
    assert.doesNotMatch(body, /[<\u2028\u2029]/);
  }
  for (const input of [items, "<", 1, null, {}])
    assert.deepEqual(JSON.parse(String(createJsonReply(200, input).body)), input);
});
