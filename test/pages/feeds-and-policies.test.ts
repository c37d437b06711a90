import assert from "node:assert/strict";
import { test } from "node:test";
import { type RowJson, rows } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";

const article = (id: number, handle: string, more: object): RowJson => ({
  kind: "article",
  id,
  handle,
  title: handle,
  blog: "log",
  ...more,
});
const shop = await startShop({
  rows: [
    ...rows,
    article(900, "older", { published_at: "2026-01-01T00:00:00Z", content: "<p>Fish & chips</p>", author: "Ada" }),
    article(901, "newer", {
      title: 'Ropes & "knots" <b>\u000b</b>',
      published_at: "2026-02-01T10:00:00+01:00",
      content: "<p>Tie ]]> it.</p>",
      translations: { fr: { title: "Nœuds" } },
    }),
    article(902, "undated", {}),
    article(903, "to-come", { published_at: "2999-01-01T00:00:00Z" }),
    { kind: "page", id: 950, handle: "refund-policy", title: "Refunds", content: "<p>Yes.</p>" },
  ],
});
const client = shop.client();

test("a blog's Atom feed contains published articles, newest first, as valid XML", async () => {
  const reply = await client.get("/blogs/log.atom");
  assert.equal(reply.status, 200, reply.text);
  assert.match(String(reply.headers["content-type"]), /^application\/atom\+xml/);
  const ids = [...reply.text.matchAll(/<entry>.*?<id>([^<]*)<\/id>/gs)].map((match) => match[1]?.split("/").at(-1));
  assert.deepEqual(ids, ["newer", "older", "undated"]);
  assert.match(reply.text, /<title>Ropes &#38; &#34;knots&#34; &#60;b&#62;&#60;\/b&#62;<\/title>/);
  assert.match(reply.text, /<content type="html">&#60;p&#62;Fish &#38; chips/);
  assert.match(reply.text, /<updated>2026-02-01T09:00:00.000Z<\/updated>/);
  assert.match(reply.text, new RegExp(`<link rel="self" href="${shop.origin}/blogs/log.atom"/>`));
  assert.doesNotMatch(reply.text, /to-come|\u000b/);
});

test("a feed is in the language of its path, and a missing blog has none", async () => {
  const reply = await client.get("/fr/blogs/log.atom");
  assert.match(reply.text, /<title>Nœuds<\/title>/);
  assert.match(reply.text, new RegExp(`<link href="${shop.origin}/fr/blogs/log/newer"/>`));
  assert.equal((await client.get("/blogs/no-such.atom")).status, 404);
});

const led: readonly (readonly [string, number, string])[] = [
  ["/policies/refund-policy", 301, "/pages/refund-policy"],
  ["/fr/policies/refund-policy", 301, "/fr/pages/refund-policy"],
  ["/collections/vendors?q=Bunting%20%26%20Co", 301, "/collections/all?filter.p.vendor=Bunting+%26+Co"],
  ["/collections/types?q=Flags", 301, "/collections/all?filter.p.product_type=Flags"],
  [
    "/collections/vendors?q=Bunting&section_id=main&page=2",
    301,
    "/collections/all?filter.p.vendor=Bunting&section_id=main&page=2",
  ],
  ["/policies/refund-policy?section_id=main", 301, "/pages/refund-policy?section_id=main"],
  ["/fr/collections/vendors", 301, "/fr/collections"],
  ["/password", 302, "/"],
  ["/fr/password", 302, "/fr/"],
];
for (const [from, status, to] of led) {
  test(`${from} redirects to ${to}`, async () => {
    const reply = await client.get(from);
    assert.deepEqual([reply.status, reply.headers.location], [status, to], reply.text);
  });
}

test("a policy without a page is 404, and a collection of that name is unaffected", async () => {
  assert.equal((await client.get("/policies/shipping-policy")).status, 404);
  assert.equal((await client.get("/policies/rain-care")).status, 404);
  const other = await startShop({
    rows: [...rows, { kind: "collection", id: 990, handle: "vendors", title: "Vendors", products: [] }],
  });
  assert.equal((await other.client().get("/collections/vendors?q=Bunting")).status, 200);
});
