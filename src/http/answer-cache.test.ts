import assert from "node:assert/strict";
import { test } from "node:test";
import { cacheable, conditional, createAnswerCache, type KeptAnswer } from "./answer-cache.ts";
import { json } from "./wire/reply.ts";

const keep = (source: object, text = "x"): KeptAnswer<object> => ({
  keep: { source, bytes: text.length, again: () => json(200, text) },
  madeAt: 0,
  stock: { isCurrent: () => true },
  where: {},
});

test("an answer is given again until what it was made from changes or a while has passed", () => {
  const cache = createAnswerCache();
  const [first, second] = [{}, {}];
  assert.equal(cache.find(first, "a", 0), undefined);
  cache.keep("a", keep(first));
  assert.ok(cache.find(first, "a", 1_999));
  assert.equal(cache.find(first, "b", 0), undefined);
  assert.equal(cache.find(first, "a", 2_000), undefined);
  assert.ok(cache.find(first, "a", 0));
  assert.equal(cache.find(second, "a", 0), undefined);
  cache.keep("a", keep(first));
  assert.equal(cache.find(second, "a", 0), undefined, "made from what was the newest before");
});

test("of too many answers those asked for longest ago are forgotten", () => {
  const cache = createAnswerCache(14_000);
  const source = {};
  cache.find(source, "", 0);
  for (const name of ["a", "b", "c"]) cache.keep(name, keep(source, "x".repeat(2_000)));
  cache.find(source, "a", 0);
  cache.keep("d", keep(source, "x".repeat(2_000)));
  const kept = ["a", "b", "c", "d"].filter((name) => cache.find(source, name, 0) !== undefined);
  assert.deepEqual(kept, ["a", "c", "d"]);
});

test("an answer whose address is seldom asked for twice is kept from the second time on", () => {
  const cache = createAnswerCache();
  const seldom = { ...keep({}).keep, whenAskedAgain: true } as const;
  const names = Array.from({ length: 1_000 }, (_, number) => `https://shop.example /search/suggest.json?q=${number}`);
  assert.equal(names.filter((name) => cache.wants(name, seldom)).length, 0);
  // Few share a place.
  assert.ok(names.filter((name) => cache.wants(name, seldom)).length > 950);
  assert.ok(cache.wants("https://shop.example /", keep({}).keep));
});

test("a caller who has the answer is told so", () => {
  const reply = cacheable(json(200, { text: "x" }));
  const etag = String(reply.headers.etag);
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"])
    assert.equal(conditional({ headers: { "if-none-match": known } }, reply).status, 304, known);
  assert.equal(conditional({ headers: { "if-none-match": '"other"' } }, reply).status, 200);
  assert.equal(conditional({ headers: {} }, reply).status, 200);
  assert.equal(conditional({ headers: { "if-none-match": "*" } }, json(200, {})).status, 200);
});

test("a kept answer holds on to no more memory than its body takes", () => {
  const { body } = cacheable(json(200, { title: "Café", text: "x".repeat(3_000) }));
  assert.ok(body instanceof Uint8Array);
  assert.equal(body.buffer.byteLength, body.length);
  assert.equal(JSON.parse(Buffer.from(body).toString()).title, "Café");
});
