import assert from "node:assert/strict";
import { test } from "node:test";
import { cacheable, conditional, createAnswerCache } from "./answer-cache.ts";
import { json, type Reply } from "./wire/reply.ts";

const answer = (text: string): Reply => cacheable(json(200, { text }));

test("an answer is made once, until what it is made from changes or a while has passed", async () => {
  const cache = createAnswerCache();
  let made = 0;
  const make = async () => ({ reply: answer(String(++made)), keep: true });
  const ask = (source: object, name: string, now: number) => cache.answer(source, name, now, make);
  const [first, second] = [{}, {}];
  await ask(first, "a", 0);
  await ask(first, "a", 100);
  assert.equal(made, 1);
  await ask(first, "b", 100);
  await ask(first, "a", 60_000);
  assert.equal(made, 3);
  await ask(second, "a", 60_000);
  assert.equal(made, 4);
});

test("an answer that is the caller's alone is not kept", async () => {
  const cache = createAnswerCache();
  const source = {};
  const mine = await cache.answer(source, "a", 0, async () => ({ reply: answer("mine"), keep: false }));
  const yours = await cache.answer(source, "a", 0, async () => ({ reply: answer("yours"), keep: false }));
  assert.notDeepEqual(mine.body, yours.body);
});

test("of too many answers those asked for longest ago are forgotten", async () => {
  const cache = createAnswerCache(undefined, 10_000);
  const source = {};
  let made = 0;
  const ask = (name: string) =>
    cache.answer(source, name, 0, async () => ({ reply: answer(`${++made}${"x".repeat(2_000)}`), keep: true }));
  for (const name of ["a", "b", "c"]) await ask(name);
  await ask("a");
  await ask("d");
  assert.equal(made, 4);
  await ask("a");
  assert.equal(made, 4);
  await ask("b");
  assert.equal(made, 5);
});

test("a caller who has the answer is told so", () => {
  const reply = answer("x");
  const etag = String(reply.headers.etag);
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"])
    assert.equal(conditional({ headers: { "if-none-match": known } }, reply).status, 304, known);
  assert.equal(conditional({ headers: { "if-none-match": '"other"' } }, reply).status, 200);
  assert.equal(conditional({ headers: {} }, reply).status, 200);
  assert.equal(conditional({ headers: { "if-none-match": "*" } }, json(200, {})).status, 200);
});
