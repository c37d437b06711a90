import assert from "node:assert/strict";
import { test } from "node:test";
import { startShop } from "../support/shop.ts";

const shop = await startShop();
const client = shop.client();

const rows: readonly (readonly [string, string, string])[] = [
  ["q missing", "", "Missing q param"],
  ["q empty", "q=", "Missing q param"],
  ["invalid type", "q=a&type=shoe", "Invalid option for type parameter"],
  ["invalid limit", "q=a&limit=11", "Invalid option for limit parameter"],
  ["invalid limit_scope", "q=a&limit_scope=most", "Invalid option for limit_scope parameter"],
];
for (const [name, query, detail] of rows) {
  test(`7.1 422 ${name}: a text that begins with "Invalid parameter error: " on /search/suggest`, async () => {
    for (const path of ["/search/suggest", "/fr/search/suggest"]) {
      const reply = await client.get(`${path}?section_id=predictive-search&${query}`);
      assert.equal(reply.status, 422);
      assert.match(String(reply.headers["content-type"]), /^text\/plain/);
      assert.equal(reply.text, `Invalid parameter error: ${detail}`);
      assert.match(String(reply.headers["cache-control"]), /no-store/);
    }
  });

  test(`7.1 422 ${name}: { status, message, description } on /search/suggest.json`, async () => {
    const reply = await client.get(`/search/suggest.json?${query}`);
    assert.equal(reply.status, 422);
    assert.match(String(reply.headers["content-type"]), /^application\/json/);
    assert.deepEqual(reply.json(), { status: "422", message: "Invalid parameter error", description: detail });
    assert.match(String(reply.headers["cache-control"]), /no-store/);
  });
}

test("7.1 422 section_id missing, in HTML mode only", async () => {
  for (const query of ["q=rain", "q=rain&section_id="]) {
    const reply = await client.get(`/search/suggest?${query}`);
    assert.deepEqual([reply.status, reply.text], [422, "Invalid parameter error: Missing section_id param"]);
  }
  assert.equal((await client.get("/search/suggest.json?q=rain")).status, 200);
});

for (const id of [
  "no-such-section",
  "../layout/theme",
  "__proto__",
  "toString",
  "/etc/passwd",
  "header-group.json",
  "predictive-search.liquid",
]) {
  test(`7.1 404 section id not found in the theme: ${id}`, async () => {
    const reply = await client.get(`/search/suggest?q=rain&section_id=${encodeURIComponent(id)}`);
    assert.equal(reply.status, 404);
    assert.match(String(reply.headers["content-type"]), /^text\/plain/);
    assert.equal(reply.text, `Section not found: '${id}' was not found in the theme`);
  });
}

test("7.1 404 a long section id is shortened without cutting a character in half", async () => {
  const reply = await client.get(`/search/suggest?q=rain&section_id=${"a".repeat(99)}${encodeURIComponent("⛵🚢")}`);
  assert.equal(reply.text, `Section not found: '${"a".repeat(99)}⛵' was not found in the theme`);
  const otherReply = await client.get(`/search/suggest?q=rain&section_id=${"a".repeat(99)}${encodeURIComponent("🚢")}`);
  assert.equal(otherReply.text, `Section not found: '${"a".repeat(99)}' was not found in the theme`);
});

for (const id of ["endless", "enormous", "recursive"]) {
  test(`7.1 500 unexpected error, HTML mode: Internal server error (section ${id})`, async () => {
    const reply = await client.get(`/search/suggest?q=rain&section_id=${id}`);
    assert.deepEqual([reply.status, reply.text], [500, "Internal server error"]);
    assert.match(String(reply.headers["content-type"]), /^text\/plain/);
  });
}

test('7.1 500 unexpected error, JSON mode: { status: "500", message: "Internal Server Error" }', async () => {
  let isBroken = false;
  const now = (): number => {
    if (isBroken) throw new Error("the clock is gone");
    return Date.now();
  };
  const broken = await startShop({ now });
  try {
    isBroken = true;
    const json = await broken.client().get("/search/suggest.json?q=rain");
    assert.equal(json.status, 500);
    assert.match(String(json.headers["content-type"]), /^application\/json/);
    const body = json.json<{ status: string; message: string }>();
    assert.deepEqual([body.status, body.message], ["500", "Internal Server Error"]);
    assert.ok(!json.text.includes("clock"), "the response has no internal details");
    const html = await broken.client().get("/search/suggest?q=rain&section_id=one");
    assert.deepEqual([html.status, html.text], [500, "Internal server error"]);
  } finally {
    isBroken = false;
    await broken.close();
  }
});
