import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
  addCachePolicy,
  type CachedResponse,
  createResponseCache,
  replyIfModified,
  toCacheableReply,
} from "./response-cache.ts";
import type { RouteMatch } from "./route.ts";
import { ByteString } from "./wire/byte-string.ts";
import { createJsonReply } from "./wire/reply.ts";
import type { StoreRequest } from "./wire/request.ts";

const responseOf = (source: object, text = "x"): CachedResponse => ({
  policy: { source, bytes: text.length, tryReuse: () => createJsonReply(200, text) },
  route: {} as RouteMatch,
  stock: { isCurrent: () => true },
});

test("a response is returned until its source changes or two seconds have passed", () => {
  const [firstSource, secondSource] = [{}, {}];
  let source = firstSource;
  let now = 0;
  const cache = createResponseCache({ source: () => source, now: () => now });
  assert.equal(cache.get("a"), undefined);
  cache.set("a", responseOf(firstSource));
  now = 1_999;
  assert.ok(cache.get("a"));
  assert.equal(cache.get("b"), undefined);
  now = 2_000;
  assert.equal(cache.get("a"), undefined);
  cache.set("a", responseOf(firstSource));
  source = secondSource;
  assert.equal(cache.get("a"), undefined);
  cache.set("a", responseOf(firstSource));
  assert.equal(cache.get("a"), undefined, "its source is not the newest");
});

test("above the limit of memory the least recently used responses are removed", () => {
  const source = {};
  const cache = createResponseCache({ source: () => source, now: () => 0, maxBytes: 14_000 });
  for (const url of ["a", "b", "c"]) cache.set(url, responseOf(source, "x".repeat(2_000)));
  cache.get("a");
  cache.set("d", responseOf(source, "x".repeat(2_000)));
  const cachedUrls = ["a", "b", "c", "d"].filter((url) => cache.get(url) !== undefined);
  assert.deepEqual(cachedUrls, ["a", "c", "d"]);
});

test("a rarely repeated response is wanted at the second request", () => {
  const cache = createResponseCache({ source: () => ({}), now: () => 0 });
  const rarePolicy = { ...responseOf({}).policy, isRarelyRepeated: true } as const;
  const urls = Array.from({ length: 1_000 }, (_, number) => `https://shop.example /search/suggest.json?q=${number}`);
  assert.equal(urls.filter((url) => cache.shouldCache(url, rarePolicy)).length, 0);
  // A few URLs may be missing, because two URLs can have the same hash slot.
  assert.ok(urls.filter((url) => cache.shouldCache(url, rarePolicy)).length > 950);
  assert.ok(cache.shouldCache("https://shop.example /", responseOf({}).policy));
});

test("a client that has the response gets 304", () => {
  const reply = toCacheableReply(createJsonReply(200, { text: "x" }));
  const etag = String(reply.headers.etag);
  for (const header of [etag, `W/${etag}`, `"other", ${etag}`, "*"])
    assert.equal(replyIfModified({ headers: { "if-none-match": header } }, reply).status, 304, header);
  assert.equal(replyIfModified({ headers: { "if-none-match": '"other"' } }, reply).status, 200);
  assert.equal(replyIfModified({ headers: {} }, reply).status, 200);
  assert.equal(replyIfModified({ headers: { "if-none-match": "*" } }, createJsonReply(200, {})).status, 200);
});

test("a cached response uses no more memory than its body", () => {
  const { body } = toCacheableReply(createJsonReply(200, { title: "Café", text: "x".repeat(3_000) }));
  assert.ok(body instanceof Uint8Array);
  assert.equal(body.buffer.byteLength, body.length);
  assert.equal(JSON.parse(Buffer.from(body).toString()).title, "Café");
});

test("a reused response retains its body only as bytes", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const request = { headers: {} } as StoreRequest;
  const createReply = () => ({ ...createJsonReply(200, {}), body: new ByteString("a body") });
  const { policy, firstBody } = (() => {
    const { body, cachePolicy } = addCachePolicy(request, createReply(), {});
    assert.ok(body instanceof ByteString && cachePolicy !== undefined);
    return { policy: cachePolicy, firstBody: new WeakRef(body) };
  })();
  const reusedReply = policy.tryReuse(request);
  assert.deepEqual(reusedReply?.body, Buffer.from("a body"));
  assert.equal(policy.tryReuse(request), reusedReply, "the encoder finds compressed versions by the reply");
  await nextTurn();
  collectGarbage();
  assert.equal(firstBody.deref(), undefined);
});
