import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import * as script from "../../client/vitrine.js";
import { variant } from "../support/catalog.ts";
import { createClient, send } from "../support/client.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

const { Cart, createSuggest, VitrineError } = script;
const shop = await startShop();
after(() => shop.close());

/** Function that intercepts a visitor's request to delay, abort or answer it. */
type Interceptor = (url: URL, init: RequestInit, pass: () => Promise<Response>) => Promise<Response>;

/** Returns a visitor's `fetch`, which stores cookies like a browser. */
function visitor(intercept: Interceptor = (_url, _init, pass) => pass()): {
  readonly fetch: typeof fetch;
  readonly requests: string[];
} {
  const client = createClient(shop.origin);
  const requests: string[] = [];
  const go = async (address: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(address));
    requests.push(`${init.method ?? "GET"} ${url.pathname}`);
    return intercept(url, init, async () => {
      const headers = Object.fromEntries(new Headers(init.headers));
      const body = init.body === undefined || init.body === null ? {} : { body: String(init.body) };
      const reply = await client.send(init.method ?? "GET", url.pathname + url.search, { headers, ...body });
      return new Response(reply.text, { status: reply.status, headers: reply.headers as Record<string, string> });
    });
  };
  return { fetch: go as typeof fetch, requests };
}

function cartOf(user: { readonly fetch: typeof fetch }): script.Cart {
  return new Cart({ root: shop.origin, fetch: user.fetch, pauses: [1, 1] });
}

test("add, change, update, clear and get return the cart with the registered sections", async () => {
  const cart = cartOf(visitor());
  cart.sections = ["cart-count"];
  const events: script.CartChanged[] = [];
  cart.addEventListener("cart:changed", ({ detail }) => events.push(detail));
  const added = await cart.add([variant.tracked, { id: variant.unlimited, quantity: 2, properties: { Name: "Ada" } }]);
  assert.equal(added.item_count, 3);
  assert.match(added.sections?.["cart-count"] ?? "", /count=3/);
  const [first, second] = added.items;
  assert.deepEqual(second?.properties, { Name: "Ada" });
  assert.equal((await cart.change(first?.key ?? "", 4)).item_count, 6);
  assert.equal((await cart.change({ line: 2 }, 0)).line_count, 1);
  assert.equal((await cart.update({ note: "by the back door" })).note, "by the back door");
  const read = await cart.get({ sections: ["cart-count"], sectionsUrl: "/cart" });
  assert.match(read.sections?.["cart-count"] ?? "", /count=4 .*note=by the back door/);
  assert.equal((await cart.clear()).item_count, 0);
  assert.deepEqual(
    events.map(({ cart: { item_count }, source }) => [item_count, source]),
    [
      [3, "write"],
      [6, "write"],
      [4, "write"],
      [4, "write"],
      [0, "write"],
    ],
  );
});

test("a product form can be added to the cart or bought directly, with its properties", async () => {
  const form = new FormData();
  for (const [name, value] of [
    ["form_type", "product"],
    ["id", String(variant.unlimited)],
    ["quantity", "2"],
    ["properties[Engraving]", "S. S. Petrel"],
  ] as const)
    form.append(name, value);
  const { items } = await cartOf(visitor()).add(form);
  assert.deepEqual(
    items.map(({ variant_id, quantity, properties }) => [variant_id, quantity, properties]),
    [[variant.unlimited, 2, { Engraving: "S. S. Petrel" }]],
  );
  const item = { id: variant.unlimited, properties: { Engraving: "S. S. Petrel" } };
  for (const product of [form, item]) {
    const bodies: unknown[] = [];
    const shopper = visitor((_url, init, pass) => {
      bodies.push(JSON.parse(String(init.body ?? "null")));
      return pass();
    });
    await cartOf(shopper).buyNow(product);
    const { variantId, properties } = (bodies.at(-1) as { item: { product: Record<string, unknown> } }).item.product;
    assert.deepEqual([String(variantId), properties], [String(variant.unlimited), { Engraving: "S. S. Petrel" }]);
  }
});

test("a write whose response was lost is retried with its key and applied once", async () => {
  const keys: (string | null)[] = [];
  const cart = cartOf(
    visitor(async (_url, init, pass) => {
      if (init.method !== "POST") return pass();
      keys.push(new Headers(init.headers).get("idempotency-key"));
      const answer = await pass();
      if (keys.length === 1) throw new TypeError("the line broke");
      return keys.length === 2 ? new Response("<h1>Bad gateway</h1>", { status: 502 }) : answer;
    }),
  );
  const { item_count } = await cart.add(variant.unlimited);
  assert.equal(item_count, 1);
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
});

test("a write fails with a network error, which an event reports, if the server stays unreachable", async () => {
  const user = visitor(async (_url, init, pass) => (init.method === "POST" ? Promise.reject(new TypeError()) : pass()));
  const cart = cartOf(user);
  const events: script.CartFailed[] = [];
  cart.addEventListener("cart:error", ({ detail }) => events.push(detail));
  await assert.rejects(cart.add(1), (error) => error instanceof VitrineError && error.code === "network");
  assert.equal(user.requests.filter((line) => line.startsWith("POST")).length, 3);
  assert.deepEqual(
    events.map(({ error, pending }) => [error.status, pending]),
    [[0, 0]],
  );
});

test("a rejected token is renewed only once per write", async () => {
  let tokens = 0;
  let isBroken = false;
  const user = visitor(async (url, init, pass) => {
    if (url.pathname === "/api/csrf") tokens += 1;
    const isStale = init.method === "POST" && (tokens === 1 || isBroken);
    if (isStale) (init.headers as Record<string, string>)["x-csrf-token"] = "v1.stale";
    return pass();
  });
  const cart = cartOf(user);
  assert.equal((await cart.add(variant.unlimited)).item_count, 1);
  assert.equal(tokens, 2);
  isBroken = true;
  await assert.rejects(cart.clear(), (error) => error instanceof VitrineError && error.code === "csrf_mismatch");
  assert.equal(tokens, 3);
});

test("writes are sent in order, one at a time, and a rejected write does not block the next", async () => {
  let open = 0;
  let most = 0;
  const user = visitor(async (_url, init, pass) => {
    if (init.method !== "POST") return pass();
    open += 1;
    most = Math.max(most, open);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return pass().finally(() => (open -= 1));
  });
  const cart = cartOf(user);
  const pending: number[] = [];
  cart.addEventListener("cart:changed", (event) => pending.push(event.detail.pending));
  const wrong = assert.rejects(cart.add(variant.soldOut), (error) => {
    assert.ok(error instanceof VitrineError);
    assert.equal(error.code, "out_of_stock");
    assert.equal(error.answer.cart?.item_count, 0);
    return error.message.length > 0;
  });
  const writes = [1, 2, 3].map((quantity) => cart.add({ id: variant.unlimited, quantity }));
  assert.equal(cart.pending, 4);
  await wrong;
  assert.deepEqual(
    (await Promise.all(writes)).map(({ item_count }) => item_count),
    [1, 3, 6],
  );
  assert.equal(most, 1);
  assert.deepEqual(pending, [2, 1, 0]);
});

test("a write on an outdated revision is rejected with the current cart", async () => {
  const cart = cartOf(visitor());
  const { revision } = await cart.add(variant.unlimited);
  await cart.add(variant.unlimited);
  await assert.rejects(cart.clear({ ifMatch: revision }), (error) => {
    assert.ok(error instanceof VitrineError);
    assert.equal(error.code, "cart_changed");
    return error.answer.cart?.item_count === 2;
  });
});

test("a response older than the last reported cart is not reported", async () => {
  let hold: Promise<void> | undefined;
  let onHeld = (): void => undefined;
  const user = visitor(async (_url, init, pass) => {
    const answer = await pass();
    if (init.method !== "POST" && hold !== undefined) {
      onHeld();
      await hold;
    }
    return answer;
  });
  const [cart, otherTab] = [cartOf(user), cartOf(user)];
  const events: number[] = [];
  cart.addEventListener("cart:changed", ({ detail }) => events.push(detail.cart.item_count));
  /** Runs a refresh whose response arrives after `meanwhile`. */
  const lateRefresh = async (meanwhile: () => Promise<unknown>): Promise<void> => {
    let release = (): void => undefined;
    hold = new Promise<void>((resolve) => (release = resolve));
    const isHeld = new Promise<void>((resolve) => (onHeld = resolve));
    const late = cart.refresh();
    await isHeld;
    hold = undefined;
    await meanwhile();
    release();
    await late;
  };
  // The late response has no cart, but the newer response has the first cart.
  await lateRefresh(() => cart.add({ id: variant.unlimited, quantity: 2 }));
  assert.deepEqual(events.splice(0), [2]);
  await lateRefresh(async () => {
    await otherTab.add({ id: variant.unlimited, quantity: 3 });
    await cart.refresh();
  });
  assert.deepEqual(events.splice(0), [5]);
  // A response with an equal revision is not older, so it is reported again.
  await cart.refresh();
  assert.deepEqual(events.splice(0), [5]);
});

test("express checkout returns a URL and does not change the cart", async () => {
  const cart = cartOf(visitor());
  const { checkout_url } = await cart.buyNow({ id: variant.unlimited, quantity: 3 });
  assert.match(checkout_url, /^\/checkout\/[\w-]+$/);
  assert.equal((await cart.get()).item_count, 0);
});

test("an older suggestion never replaces a newer one, and cached suggestions need no request", async () => {
  const held: (() => void)[] = [];
  const user = visitor(async (url, _init, pass) => {
    const answer = await pass();
    // The first response is delayed until after the others.
    if (url.searchParams.get("q") === "can") await new Promise<void>((resolve) => held.push(resolve));
    return answer;
  });
  const suggest = createSuggest({ root: shop.origin, fetch: user.fetch, debounce: 1, types: ["product"], limit: 4 });
  const older = suggest("can");
  await until(() => held.length > 0, "the request is delayed");
  const newer = await suggest(" rain  coat ");
  held[0]?.();
  assert.equal(await older, undefined);
  assert.equal(newer?.products[0]?.title, "Harbour Raincoat");
  const before = user.requests.length;
  assert.equal(await suggest("rain coat"), newer);
  assert.equal(suggest.cached("rain coat"), newer);
  assert.equal(user.requests.length, before);
  assert.equal(await suggest("  "), null);
});

test("several keystrokes in quick succession cause one request, and the response may be a section", async () => {
  const user = visitor();
  const suggest = createSuggest({
    root: shop.origin,
    fetch: user.fetch,
    debounce: 20,
    section: "predictive-search",
  });
  const answers = await Promise.all(["r", "ra", "rai", "rain"].map((typed) => suggest(typed)));
  assert.deepEqual(answers.slice(0, 3), [undefined, undefined, undefined]);
  assert.match(answers[3] ?? "", /^<div id="store-section-predictive-search">[\s\S]*Harbour Raincoat/);
  assert.deepEqual(user.requests, ["GET /search/suggest"]);
  suggest("tote").then((answer) => assert.equal(answer, undefined));
  suggest.cancel();
  await assert.rejects(suggest("rain", { section: "no-such-section" }), { name: "VitrineError", status: 404 });
});

test("the least recently used responses are evicted from the cache", async () => {
  const user = visitor();
  const suggest = createSuggest({ root: shop.origin, fetch: user.fetch, debounce: 0, keep: 2 });
  for (const typed of ["rain", "tote", "rain", "flag"]) await suggest(typed);
  assert.ok(suggest.cached("rain"));
  assert.equal(suggest.cached("tote"), undefined);
});

const sizes = { "vitrine.js": 4_096, "compat.js": 2_600, "search-client.js": 4_700 };
for (const [name, most] of Object.entries(sizes)) {
  test(`/vitrine/${name} is served without comments, within its size limit and cacheable`, async () => {
    const reply = await send(shop.origin, "GET", `/vitrine/${name}`);
    assert.equal(reply.status, 200);
    assert.match(String(reply.headers["content-type"]), /^text\/javascript/);
    assert.match(String(reply.headers["cache-control"]), /^public/);
    assert.ok(reply.headers.etag);
    const bytes = gzipSync(reply.text, { level: 9 }).length;
    assert.ok(bytes <= most, `${bytes} bytes`);
    assert.doesNotMatch(reply.text, /^\s*(\/\/|\/?\*)/m);
    const source = await readFile(new URL(`../../client/${name}`, import.meta.url), "utf8");
    const code = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "").replaceAll(/\s+/g, "");
    assert.ok(code(reply.text) === code(source), "the code is that of the source");
  });
}

test("the type declarations cover every export of the module", async () => {
  const types = await readFile(new URL("../../client/vitrine.d.ts", import.meta.url), "utf8");
  const declared = [...types.matchAll(/^export declare (?:class|const|function) (\w+)/gm)].map((match) => match[1]);
  assert.deepEqual(declared.sort(), Object.keys(script).sort());
});
