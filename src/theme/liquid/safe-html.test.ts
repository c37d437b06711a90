import assert from "node:assert/strict";
import test from "node:test";
import { escapeIfUnsafe, SafeHtml } from "./safe-html.ts";

test("only text that could add elements or attributes is escaped", () => {
  for (const text of ["", "children's", "a=b's", "a & b", "=", "''"]) assert.equal(escapeIfUnsafe(text), text);
  for (const text of ["<b", "a>", 'a"', "' onclick=", "'=", "=' x='", "'\n="])
    assert.ok(escapeIfUnsafe(text) instanceof SafeHtml, text);
});

test("text with many apostrophes is read in linear time", () => {
  const startUsage = process.cpuUsage();
  escapeIfUnsafe("'".repeat(500_000));
  escapeIfUnsafe(`=${"'".repeat(500_000)}`);
  const { user, system } = process.cpuUsage(startUsage);
  // A function that rescans the text for each apostrophe would take minutes.
  assert.ok(user + system < 2_000_000);
});
