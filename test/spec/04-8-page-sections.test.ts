import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { customerToken } from "../support/customer-token.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop({
  themeFiles: {
    "sections/greeting.liquid": "<p>{{ customer.email | default: 'guest' }}</p>",
    "sections/due.liquid": "<p>due={{ cart.amount_due_cents }}</p>",
    "sections/policy.liquid": "<p>{{ page.title }}</p>",
  },
});
const client = shop.client();

for (const path of ["/products/no-such", "/pages/rain-draft", "/no/such/page", "/de/cart", "/gift_cards/no-such"]) {
  test(`4.8 a section of a missing page is 404: ${path}`, async () => {
    const [page, section, map] = await Promise.all([
      client.get(path),
      client.get(`${path}?section_id=context`),
      client.get(`${path}?sections=context,no-such`),
    ]);
    assert.deepEqual([page.status, section.status, map.status], [404, 404, 404]);
    assert.match(section.text, /^<div id="store-section-context"><p>type=404 /);
    assert.deepEqual(Object.keys(map.json()), ["context", "no-such"]);
  });
}

for (const path of ["/de/search/suggest", "/search/suggest/", "/fr/search/suggest/"]) {
  test(`4.1 an unknown spelling of /search/suggest is 404: ${path}`, async () => {
    for (const query of ["", "?q=rain", "?q=rain&section_id=predictive-search"])
      assert.equal((await client.get(path + query)).status, 404, query);
  });
}

for (const path of ["/search/suggest?q=rain", "/recommendations/products?product_id=1"]) {
  test(`4.8 a section of ${path} shows the signed-in customer and the cart with their prices`, async () => {
    const member = shop.client();
    await add(member, variant.unlimited);
    const read = async (id: string, visitor = member): Promise<readonly [string, string]> => {
      const { text, headers } = await visitor.get(`${path}&section_id=${id}`);
      return [text.replace(/<[^>]*>/g, "").trim(), String(headers["cache-control"])];
    };
    assert.deepEqual(await read("greeting"), ["guest", "no-store"]);
    assert.deepEqual(await read("due"), ["due=1999", "no-store"]);
    member.cookies.set("customer", customerToken("7"));
    assert.deepEqual(await read("greeting"), ["mate@example.test", "no-store"]);
    assert.deepEqual(await read("due"), ["due=1299", "no-store"]);
    assert.deepEqual(await read("greeting", client), ["guest", "no-store"]);
    assert.deepEqual(await read("one"), ["one", "public, max-age=0, must-revalidate"]);
  });
}
