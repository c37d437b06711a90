import assert from "node:assert/strict";
import { test } from "node:test";
import { processorTime } from "../support/processor-time.ts";
import { buckets, type SuggestJson } from "../support/replies.ts";
import { startShop } from "../support/shop.ts";
import { assertReply, type Expectation, victim } from "./abuse-row.ts";

const shop = await startShop({
  themeFiles: { "templates/search.liquid": "[{{ search.terms | escape }}: {{ search.complete_results_count }}]" },
});
const client = await victim(shop);
const cart = (await client.get("/cart.js")).text;

const okExpectation: Expectation = { status: 200, body: /^\{"resources":\{"results":/ };
const either: Expectation = { status: [200, 422] };
const unknown: Expectation = { status: 404 };
const e = encodeURIComponent;
const json = "/search/suggest.json";

const rows: readonly (readonly [string, readonly string[], Expectation])[] = [
  ["S3 zero width", [`${json}?q=%E2%80%8B`], either],
  ["S11", [`${json}?q=a&type=${"product,".repeat(700)}product`], either],
  [
    "S12",
    ["resources[type][]=product", "resources[type][a]=b", "resources=product"].map((more) => `${json}?q=a&${more}`),
    okExpectation,
  ],
  ["S14", ["' OR 1=1--", "%';DROP TABLE carts"].map((q) => `${json}?q=${e(q)}`), okExpectation],
  [
    "S15",
    ['"', "*", "NEAR(", "a:b", "-x", "AND", 'a"b*(', "(", "a OR", "^a", "{a b}"].map((q) => `${json}?q=${e(q)}`),
    okExpectation,
  ],
  [
    "S16",
    ["x".repeat(6_000), "\ufdfa".repeat(600), "e\u0301".repeat(900), "\u0300".repeat(1_000)].map(
      (q) => `${json}?q=${e(q)}`,
    ),
    either,
  ],
  [
    "S17",
    ["a%00b", "%FF", "%C0%80", "%", "%ud83d", "%ED%A0%80", "%F0%9F"].map((q) => `${json}?q=${q}`),
    { ...either, check: ({ text }) => assert.ok(!text.includes("\\u0000") && !text.includes("\0")) },
  ],
  [
    "S20",
    [`${json}?q=a%0d%0aSet-Cookie:x=1`],
    { ...okExpectation, check: ({ headers }) => assert.equal(headers["set-cookie"], undefined) },
  ],
  [
    "S23",
    ["nosuch", "../../etc/passwd", "..%2f..%2fx", "/etc/passwd", "a%00b", "__proto__", "toString", "constructor"].map(
      (id) => `/search/suggest?q=a&section_id=${id}`,
    ),
    { status: 404, body: /^Section not found: / },
  ],
  [
    "S25 long",
    [`/search/suggest?q=a&section_id=${"x".repeat(7_000)}`],
    { status: 404, check: ({ text }) => assert.ok(text.length < 1_000, "the id is cut short") },
  ],
  ["S25 twice", ["/search/suggest?q=a&section_id=one&section_id=two"], { status: 200, body: /store-section-one/ }],
  ["S27", [`${json}?q=a&section_id=x`], okExpectation],
  [
    "S29",
    [
      "/zz/search/suggest.json?q=a",
      "/SEARCH/suggest.json?q=a",
      "/search/suggest.json/?q=a",
      "//search/suggest.json?q=a",
      "/en/../search/suggest.json?q=a",
    ],
    unknown,
  ],
  [
    "S31",
    [`${json}?q=a&__proto__[polluted]=1&constructor.prototype.polluted=1&constructor[prototype][polluted]=1`],
    okExpectation,
  ],
  ["S32 parameters", [`${json}?q=a&${"a=1&".repeat(1_000)}`], okExpectation],
  ["S32 length", [`${json}?q=a&x=${"y".repeat(16_384)}`], { status: [200, 414, 431] }],
];

for (const [id, paths, expected] of rows) {
  test(id, async () => {
    for (const path of paths) {
      const started = processorTime();
      const reply = await client.get(path);
      assertReply(reply, expected, processorTime() - started);
    }
    assert.equal((await client.get("/cart.js")).text, cart);
  });
}

const hostile = [
  "<img src=x onerror=alert(1)>",
  '"><script>',
  "</script>",
  "{{ 7 | times: 7 }}",
  "{% render 'x' %}",
  "raincoat <b>",
];
for (const q of hostile) {
  test(`S18, S19 ${q} is printed literally, never as markup and never evaluated`, async () => {
    const path = `q=${e(q)}&type=product,query,page,collection,article,bundle`;
    const section = await client.get(`/search/suggest?section_id=predictive-search&${path}`);
    assertReply(section, { status: 200 });
    assert.doesNotMatch(section.text, /<img|<script|<b>|terms=49/);
    const { queries } = (await client.get(`${json}?${path}`)).json<SuggestJson>().resources.results;
    for (const { styled_text, url } of queries) {
      assert.doesNotMatch(styled_text.replaceAll(/<\/?(mark|span)>/g, ""), /[<>]/);
      assert.match(url, /^[\x21-\x7e]+$/);
      assert.doesNotMatch(url, /[<>"]/);
    }
    const page = await client.get(`/search?q=${e(q)}`);
    assert.doesNotMatch(page.text, /<img src=x|"><script>/);
  });
}

test("S17 the results page removes control characters and searches the remaining text", async () => {
  for (const control of ["%00", "%01", "%1B", "%C2%85", "%00%00"]) {
    const page = await client.get(`/search?q=harbour${control}raincoat`);
    assertReply(page, { status: 200 });
    assert.doesNotMatch(page.text, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/, control);
    assert.match(page.text, /\[harbour +raincoat: 1\]/, control);
  }
});

test("S21 unpublished items appear in no result list, with any type, limit and locale", async () => {
  for (const prefix of ["", "/fr", "/ja"]) {
    for (const q of ["rain prototype", "rain", "rain secret", "rain draft", "rain over", "prototype", "31"]) {
      const query = `q=${e(q)}&type=product,query,page,collection,article,bundle&limit_scope=each`;
      const reply = await client.get(`${prefix}${json}?${query}`);
      const results = reply.json<SuggestJson>().resources.results;
      for (const bucket of buckets) {
        for (const result of results[bucket]) {
          assert.doesNotMatch(
            JSON.stringify(result),
            /prototype|rain.secret|rain.draft|rain.over|rain.ahead|rain.half|rain.off|rain.to.come/i,
          );
        }
      }
    }
  }
});

test("S24 an id with markup is returned as text/plain with nosniff", async () => {
  const reply = await client.get(`/search/suggest?q=a&section_id=${e("<script>alert(1)</script>")}`);
  assertReply(reply, { status: 404, body: /^Section not found: / });
  assert.match(String(reply.headers["content-type"]), /^text\/plain;\s*charset=utf-8$/i);
});

test("S26 an endless section is stopped, and the next request works", async () => {
  for (const id of ["endless", "enormous", "recursive"]) {
    const started = processorTime();
    const reply = await client.get(`/search/suggest?q=a&section_id=${id}`);
    assertReply(reply, { status: 500, body: /^Internal server error$/ }, processorTime() - started);
    assertReply(await client.get("/search/suggest?q=a&section_id=one"), { status: 200 });
  }
});

test("S28 other methods are 405, and HEAD returns headers only", async () => {
  for (const method of ["POST", "PUT", "DELETE", "PATCH"])
    assertReply(await client.send(method, `${json}?q=a`), { status: 405 });
  const head = await client.send("HEAD", `${json}?q=a`);
  assert.deepEqual([head.status, head.text], [200, ""]);
  assert.equal(head.headers["content-length"], String(Buffer.byteLength((await client.get(`${json}?q=a`)).text)));
});

test("S30, S33 headers, cookies and unknown parameters do not change the response", async () => {
  const clean = await client.get(`${json}?q=rain`);
  const dirty = [
    { "x-forwarded-host": "evil.test" },
    { "x-original-url": "/cart.js" },
    { "x-forwarded-prefix": "/evil" },
    { "accept-language": "xx" },
    { cookie: "cart=forged; csrf_token=forged" },
  ];
  for (const headers of dirty) assert.equal((await client.get(`${json}?q=rain`, headers)).text, clean.text);
  assert.equal((await client.get(`${json}?q=rain&utm_source=x&cartId=1`)).text, clean.text);
});
