import assert from "node:assert/strict";
import { test } from "node:test";
import { parseSectionIds } from "./section-ids.ts";

const ids = (query: string, body = {}) => parseSectionIds(new URLSearchParams(query), body);

test("section ids are read from every spelling, in order, without duplicates, at most five (spec 4.8)", () => {
  assert.deepEqual(ids("sections=a,b,c,d,e,f,g"), ["a", "b", "c", "d", "e"]);
  assert.deepEqual(ids("section_id=z&section_ids[]=y&section_ids[]=x&sections=a, b"), ["a", "b", "y", "x", "z"]);
  assert.deepEqual(ids("", { section_id: "z", section_ids: ["y"], sections: "a,b" }), ["a", "b", "y", "z"]);
  assert.deepEqual(ids("sections=a", { sections: ["a", "b"] }), ["a", "b"]);
  assert.deepEqual(ids(`sections=${Array(1_000).fill("a").join(",")}`), ["a"]);
  assert.deepEqual(ids("sections=__proto__,"), ["__proto__"]);
  assert.deepEqual(ids("section_ids[0]=a&section_ids[1]=b&sections[0]=c&sections[x]=d"), ["c", "a", "b"]);
});

test("values that are not ids are ignored (spec 4.8)", () => {
  assert.deepEqual(ids("", { sections: 1, section_ids: [1, null, {}, "a"], section_id: {} }), ["a"]);
  assert.deepEqual(ids("", { section_ids: {} }), []);
  assert.deepEqual(ids("sections=&section_id="), []);
});
