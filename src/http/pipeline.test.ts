import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextIteration } from "node:timers/promises";
import { createScheduler } from "../runtime/scheduler.ts";
import type { Shop } from "../shop.ts";
import { CommitInDoubtError, DatabaseUnavailableError } from "../storage/database.ts";
import { createPipeline } from "./pipeline.ts";
import { addCachePolicy } from "./response-cache.ts";
import type { Route } from "./route.ts";
import { ClientDisconnectedError } from "./wire/read-body.ts";
import { createJsonReply, createTextReply, type Reply } from "./wire/reply.ts";
import type { IncomingRequest, StoreRequest } from "./wire/request.ts";

const snapshot = { stock: { watch: () => () => ({ isCurrent: () => true }) } };
const errors: unknown[] = [];
const shop = {
  config: { locales: { default: "en", others: ["fr"] } },
  snapshot: () => snapshot,
  hooks: { customerSessions: { cookies: [] } },
  process: {
    // The clock does not advance, so that a time slice never ends early on a busy machine.
    scheduler: createScheduler({ now: () => 0 }),
    log: { error: ({ error }: { readonly error: unknown }) => errors.push(error), recurring: () => {} },
    now: () => 0,
  },
} as unknown as Shop;

function requestFor(url: string, overrides: Partial<IncomingRequest> = {}): IncomingRequest {
  return {
    method: "GET",
    isHead: false,
    url,
    headers: {},
    origin: "https://shop.example",
    client: { scheme: "https", host: "shop.example", address: "192.0.2.1" },
    isSecure: true,
    receivedAt: performance.now(),
    isAborted: () => false,
    onRoute: undefined,
    readBody: async () => new Uint8Array(),
    ...overrides,
  } as IncomingRequest;
}

/** Returns a handler that counts its calls and waits before each response until the test releases it. */
function createBlockedHandler(answer: (request: StoreRequest, call: number) => Reply) {
  const pendingCalls: (() => void)[] = [];
  let calls = 0;
  return {
    calls: () => calls,
    release() {
      for (const resume of pendingCalls.splice(0)) resume();
    },
    handle: async (request: StoreRequest): Promise<Reply> => {
      calls += 1;
      const call = calls;
      await new Promise<void>((resume) => pendingCalls.push(resume));
      return answer(request, call);
    },
  };
}

const cachedText = (request: StoreRequest, body: string): Reply =>
  addCachePolicy(request, createTextReply(200, body), snapshot, {});
const pipelineOf = (...routes: readonly Route[]) =>
  createPipeline(shop, routes, () => createTextReply(404, "the theme's page"));

test("a client learns whether a write that failed may be saved", async () => {
  for (const [error, expectedMessage] of [
    [new DatabaseUnavailableError("refused"), /try again in a moment/],
    [new CommitInDoubtError("broken"), /may be saved/],
  ] as const) {
    const handle = pipelineOf({ path: "/write", format: "json", methods: { GET: () => Promise.reject(error) } });
    const { status, body } = await handle(requestFor("/write"));
    assert.equal(status, 502);
    assert.match(String(body), expectedMessage);
  }
});

test("a cached response is returned synchronously, and reports its route", async () => {
  const handle = pipelineOf({
    path: "/a/:id",
    format: "json",
    methods: { GET: (request) => cachedText(request, request.params.id ?? "") },
  });
  assert.equal((await handle(requestFor("/a/1"))).status, 200);
  const patterns: string[] = [];
  const cachedReply = handle(requestFor("/a/1", { onRoute: (pattern) => patterns.push(pattern) }));
  assert.ok(!(cachedReply instanceof Promise));
  assert.deepEqual([String(cachedReply.body), patterns], ["1", ["/a/:id"]]);
  assert.ok(handle(requestFor("/a/2")) instanceof Promise);
});

test("every request has a route: redirects, 404, 405, and malformed URLs too", async () => {
  const page: Route = { path: "/pages/:handle", format: "page", methods: { GET: () => createTextReply(200, "page") } };
  const endpoint: Route = {
    path: "/cart/add.js",
    format: "json",
    methods: { POST: () => createTextReply(200, "added") },
  };
  const handle = pipelineOf(page, endpoint, {
    ...{ path: "/search/suggest", format: "text", methods: { GET: () => createTextReply(200, "section") } },
  });
  for (const [method, url, status, expected, pattern] of [
    ["GET", "/pages/a", 200, "page", "/pages/:handle"],
    ["GET", "/pages/a/?x=1", 301, "/pages/a?x=1", "*"],
    ["GET", "/en/pages/a", 301, "/pages/a", "/pages/:handle"],
    ["GET", "/fr/pages/a", 200, "page", "/pages/:handle"],
    ["POST", "/cart/add.js", 200, "added", "/cart/add.js"],
    ["GET", "/cart/add.js", 405, "method_not_allowed", "/cart/add.js"],
    ["DELETE", "/pages/a", 405, "", "/pages/:handle"],
    ["GET", "/nothing", 404, "the theme's page", "*"],
    ["GET", "/nothing.json", 404, "not_found", "*"],
    ["POST", "/nothing", 404, "not_found", "*"],
    ["GET", "/search/suggest/", 404, "", "*"],
    ["GET", "/pages/%ff", 400, "bad_request", "*"],
    ["GET", "/pages/a%00", 400, "", "*"],
  ] as const) {
    let matchedPattern = "";
    const reply = await handle(requestFor(url, { method, onRoute: (route) => (matchedPattern = route) }));
    assert.equal(reply.status, status, `${method} ${url}`);
    assert.equal(matchedPattern, pattern, `${method} ${url}`);
    const content = reply.headers.location ?? String(reply.body);
    assert.ok(content.includes(expected), `${method} ${url}: ${content}`);
  }
});

test("equal concurrent requests share one response; others, and requests with a cart, have separate ones", async () => {
  const pendingCalls = createBlockedHandler((request, call) =>
    request.headers.cookie === undefined ? cachedText(request, `${call}`) : createTextReply(200, `${call}`),
  );
  const handle = pipelineOf({
    path: "/page",
    format: "page",
    methods: { GET: pendingCalls.handle },
    cacheAudience: "anonymous visitors",
  });
  const cartHeaders = { headers: { cookie: "__Host-cart=1" } };
  const replies = [
    ...Array.from({ length: 5 }, () => handle(requestFor("/page"))),
    handle(requestFor("/page?other")),
    handle(requestFor("/page", cartHeaders)),
  ];
  await nextIteration();
  assert.equal(pendingCalls.calls(), 3);
  pendingCalls.release();
  const bodies = (await Promise.all(replies)).map(({ body }) => String(body));
  assert.deepEqual(bodies, ["1", "1", "1", "1", "1", "2", "3"]);
});

test("if the first of equal requests is aborted, the next is handled", async () => {
  const pendingCalls = createBlockedHandler((request, call) => cachedText(request, `${call}`));
  const handle = pipelineOf({
    path: "/page",
    format: "page",
    methods: { GET: pendingCalls.handle },
    cacheAudience: "everyone",
  });
  const firstReply = handle(requestFor("/page", { isAborted: () => true }));
  const otherReplies = [handle(requestFor("/page")), handle(requestFor("/page"))];
  await assert.rejects(Promise.resolve(firstReply), ClientDisconnectedError);
  await nextIteration();
  assert.equal(pendingCalls.calls(), 1);
  pendingCalls.release();
  assert.deepEqual(
    (await Promise.all(otherReplies)).map(({ body }) => String(body)),
    ["1", "1"],
  );
});

test("health checks and cached responses do not wait in the queue, and an overload is 503", async () => {
  let nowMs = 0;
  const scheduler = createScheduler({ maxWaitMs: 100, now: () => nowMs });
  const busyRoute: Route = {
    path: "/busy",
    format: "json",
    methods: {
      GET: () => {
        nowMs += 80;
        return createJsonReply(200, {});
      },
    },
  };
  const cachedReply: Route = {
    path: "/cached",
    format: "json",
    methods: { GET: (request) => cachedText(request, "c") },
  };
  const probe: Route = {
    ...{ path: "/healthz", format: "json", methods: { GET: () => createTextReply(200, "ok") }, priority: "probe" },
  };
  const handle = createPipeline(
    { ...shop, process: { ...shop.process, scheduler } },
    [busyRoute, cachedReply, probe],
    () => createTextReply(404, ""),
  );
  await handle(requestFor("/cached", { receivedAt: 0 }));
  const queuedReplies = Array.from({ length: 10 }, () => handle(requestFor("/busy", { receivedAt: nowMs })));
  let isAnswered = false;
  const healthReply = Promise.resolve(handle(requestFor("/healthz"))).then((reply) => {
    isAnswered = true;
    return reply;
  });
  for (let tick = 0; tick < 10; tick += 1) await Promise.resolve();
  assert.ok(isAnswered, "before the next time slice");
  assert.equal((await healthReply).status, 200);
  assert.ok(!(handle(requestFor("/cached")) instanceof Promise));
  const statuses = (await Promise.all(queuedReplies)).map(({ status }) => status);
  assert.ok(statuses.includes(200) && statuses.includes(503), statuses.join());
});

test("an error other than a Problem is logged once and returned as 500 in the route's format", async () => {
  const brokenRoute: Route = {
    path: "/broken",
    format: "search-json",
    methods: {
      GET: () => {
        throw new Error("a bug");
      },
    },
  };
  errors.length = 0;
  const { status, body } = await pipelineOf(brokenRoute)(requestFor("/broken"));
  assert.deepEqual([status, errors.length], [500, 1]);
  assert.match(String(body), /Internal Server Error/);
});
