import assert from "node:assert/strict";
import test from "node:test";
import { mediaTypeOf, parseForm } from "./forms.ts";

test("a media type has no parameters, no surrounding blanks, and lower case", () => {
  for (const [header, type] of [
    ["application/json", "application/json"],
    [" \tText/HTML \t;charset=utf-8", "text/html"],
    ["application/json;", "application/json"],
    ["application/json garbage", ""],
    ["application/json\u00a0", "application/json\u00a0"],
    ["application/json, text/plain", ""],
    [";", ""],
    ["", ""],
  ] as const)
    assert.equal(mediaTypeOf(header), type, header);
  assert.equal(mediaTypeOf(undefined), "");
});

test("a media type with many blanks is read in linear time", () => {
  const startUsage = process.cpuUsage();
  for (const header of [`a${"\t".repeat(500_000)}b`, `a${" ".repeat(500_000)}b;`, "\t".repeat(500_000)])
    mediaTypeOf(header);
  const { user, system } = process.cpuUsage(startUsage);
  // A function that rescans the blanks would take minutes.
  assert.ok(user + system < 2_000_000);
});

test("a field whose key objects inherit is ignored, and an error in the fields of shoppers", async () => {
  const parse = (name: string): Promise<object> =>
    parseForm(new TextEncoder().encode(`${encodeURIComponent(name)}=x`), "application/x-www-form-urlencoded");
  for (const key of ["toString", "valueOf", "hasOwnProperty", "constructor", "__proto__", "prototype"]) {
    assert.deepEqual(await parse(`operation[${key}]`), {}, key);
    await assert.rejects(parse(`properties[${key}]`), /cannot be read/, key);
  }
});
