import assert from "node:assert/strict";
import { test } from "node:test";
import { createPurgeRequests, formatTagHeader } from "./purge-requests.ts";

const tags = ["any", "page-a.b", "list-(sale)"];

test("each format has its requests", () => {
  assert.deepEqual(createPurgeRequests({ format: "fastly", token: "secret" }, tags), [
    { method: "POST", headers: { "surrogate-key": "any page-a.b list-(sale)", "fastly-key": "secret" } },
  ]);
  const json = { "content-type": "application/json", authorization: "Bearer secret" };
  for (const format of ["cloudflare", "webhook"] as const)
    assert.deepEqual(createPurgeRequests({ format, token: "secret" }, tags), [
      { method: "POST", headers: json, body: '{"tags":["any","page-a.b","list-(sale)"]}' },
    ]);
  assert.deepEqual(createPurgeRequests({ format: "varnish" }, tags), [
    {
      method: "PURGE",
      headers: { "x-purge-tags": "(^|[[:space:]])(any|page-a[.]b|list-[(]sale[)])([[:space:]]|$)" },
    },
  ]);
});

test("a request has at most the number of tags that the CDN accepts", () => {
  const requests = createPurgeRequests(
    { format: "cloudflare" },
    Array.from({ length: 61 }, (_, index) => `page-${index}`),
  );
  assert.deepEqual(
    requests.map(({ body }) => (JSON.parse(String(body)) as { tags: string[] }).tags.length),
    [30, 30, 1],
  );
});

test("a page with too many tags for a header is purged with each change", () => {
  const many = Array.from({ length: 1_000 }, (_, index) => `product-${index}`);
  assert.deepEqual(formatTagHeader({ format: "cloudflare" }, many), { "cache-tag": "shop,any" });
  assert.deepEqual(formatTagHeader({ format: "varnish" }, ["pages"]), { "surrogate-key": "shop pages" });
});
