import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../support/assertions.ts";
import { product, variant } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop();
const client = shop.client();

const pages: readonly (readonly [string, RegExp])[] = [
  ["/", /type=index /],
  ["/products/harbour-raincoat", /type=product .*product=Harbour Raincoat/],
  ["/collections", /type=list-collections /],
  ["/collections/rainwear", /type=collection .*collection=Rainwear/],
  ["/collections/rainwear/products/harbour-raincoat", /type=product .*product=Harbour Raincoat/],
  ["/pages/rain-care", /type=page /],
  ["/blogs/journal", /type=blog /],
  ["/blogs/journal/rain-at-sea", /type=article /],
  ["/bundles/rainy-day", /type=bundle /],
  ["/search?q=rain", /type=search /],
  ["/cart", /type=cart /],
];
for (const [path, expected] of pages) {
  test(`the page ${path} exists in every language`, async () => {
    for (const prefix of ["", "/fr", "/ja"]) {
      const reply = await client.get(`${prefix}${path === "/" && prefix !== "" ? "" : path}`);
      assert.equal(reply.status, 200, `${prefix}${path}`);
      assert.match(String(reply.headers["content-type"]), /^text\/html;\s*charset=utf-8/i);
      if (prefix === "") assert.match(reply.text, expected);
      else assert.ok(reply.text.includes(`locale=${prefix.slice(1)} `), reply.text);
    }
  });
}

test("a product whose handle ends in a file extension has its page and its JSON", async () => {
  const other = await startShop({ rows: [product(900, "three.js", "Three", [{ id: 901, price: 100 }])] });
  const page = await other.client().get("/products/three.js");
  assert.match(page.text, /type=product .*product=Three/);
  assert.equal((await other.client().get("/products/three.js.js")).json().handle, "three.js");
  assert.equal((await other.client().get("/products/four.js")).json().error, "not_found");
});

test("a response that contains its request's host is not cacheable unless a setting fixes the host", async () => {
  const configured = await startShop({ config: { origin: "https://shop.example" } });
  const paths = ["/robots.txt", "/sitemap.xml", "/agents.md", "/collections/all.atom", "/blogs/journal.atom"];
  for (const path of [...paths, "/products.json"])
    for (const host of ["evil.test", "EVIL.test:80"]) {
      const own = await shop.client().get(path, { host });
      assert.match(own.text, /http:\/\/evil\.test\//);
      assert.equal(own.headers["cache-control"], "no-store");
      const set = await configured.client().get(path, { host });
      assert.match(set.text, /https:\/\/shop\.example\//);
      assert.match(String(set.headers["cache-control"]), /^public/);
    }
});

test("a page with a non-canonical path is not compressed together with a visitor's token and cart", async () => {
  const visitor = (await startShop({ themeFiles: { "templates/page.liquid": "long ".repeat(500) } })).client();
  await add(visitor, variant.tracked);
  const accept = { "accept-encoding": "gzip" };
  const plain = await visitor.get("/pages/rain-care", accept);
  assert.equal(plain.headers["content-encoding"], "gzip");
  const odd = await visitor.get("/pages/rain-%63are", accept);
  assert.deepEqual([odd.status, odd.headers["content-encoding"]], [200, undefined]);
});

const missing = [
  "/products/rain-prototype",
  "/collections/rain-secret",
  "/pages/rain-draft",
  "/blogs/journal/rain-to-come",
  "/blogs/nowhere",
  "/bundles/rain-over",
  "/bundles/rain-half",
  "/collections/flags/products/no-such",
  "/products",
  "/assets/no-such.css",
  "/media/no-such.png",
];
for (const path of missing) {
  test(`unpublished, ended and unknown pages are 404: ${path}`, async () => {
    assert.equal((await client.get(path)).status, 404);
  });
}

for (const path of ["/products/harbour-raincoat.js", "/products/harbour-raincoat.json"]) {
  test(`${path} returns the product as JSON`, async () => {
    const reply = await client.get(path);
    assert.equal(reply.status, 200);
    assert.match(String(reply.headers["content-type"]), /^application\/json/);
    assert.match(reply.text, /"title":"Harbour Raincoat"/);
    assert.equal((await client.get(path.replace("harbour-raincoat", "rain-prototype"))).status, 404);
  });
}

test("?section_id= on any page returns the HTML of that section only", async () => {
  const reply = await client.get("/products/harbour-raincoat?section_id=context");
  assert.equal(reply.status, 200);
  assert.match(reply.text.trim(), /^<div id="store-section-context">[\s\S]*type=product [\s\S]*<\/div>$/);
  assert.equal((await client.get("/?section_id=no-such")).status, 404);
});

test("sections of the template of one page are available on every page", async () => {
  assert.equal((await client.get("/cart?section_id=main")).status, 404);
  const referer = `${shop.origin}/fr/products/harbour-raincoat`;
  const reply = await client.get("/cart?section_id=main", { referer });
  assert.match(reply.text, /^<div id="store-section-main">[\s\S]*type=cart /);
  assert.equal(
    (await client.get("/cart?section_id=main", { referer: "https://elsewhere.example/products/harbour-raincoat" }))
      .status,
    404,
  );
});

test("sections of the template of one page are available for suggestions, which are then not cached", async () => {
  const path = "/search/suggest?q=rain&section_id=main";
  const reply = await client.get(path, { referer: `${shop.origin}/products/harbour-raincoat` });
  assert.equal(reply.status, 200);
  assert.match(reply.text, /^<div id="store-section-main">/);
  for (let times = 0; times < 2; times += 1) assert.equal((await client.get(path)).status, 404);
});

test("?sections= on any page returns a JSON object", async () => {
  const shopper = shop.client();
  await add(shopper, variant.tracked, 2);
  const reply = await shopper.get("/cart?sections=cart-count,no-such");
  assert.match(String(reply.headers["content-type"]), /^application\/json/);
  const map = reply.json<Record<string, string | null>>();
  assert.match(String(map["cart-count"]), /count=2 /);
  assert.equal(map["no-such"], null);
});

test("a template of the theme changes the rules of /robots.txt, however it separates lines", async () => {
  const { origin } = shop;
  const defaultRules = (await client.get("/robots.txt")).text.split("\n").filter((line) => line !== "");
  const templates = [
    `{% for group in robots.default_groups %}
  {{- group.user_agent -}}
  {% for rule in group.rules %}
    {{- rule -}}
  {% endfor %}
  {%- if group.user_agent.value == '*' -%}
    {{ 'Disallow: /*?q=*' }}
  {%- endif -%}
  {%- if group.sitemap != blank -%}
    {{ group.sitemap }}
  {%- endif -%}
{% endfor %}`,
    `{% for group in robots.default_groups %}
{{ group.user_agent.directive }}: {{ group.user_agent.value }}

{% for rule in group.rules %}
  {{ rule.directive }}: {{ rule.value }}
{% endfor %}
  Disallow: /*?q=*
{{ group.sitemap }}
{% endfor %}`,
  ];
  for (const template of templates) {
    const ownGroup = "\n\n# Own rules\nUser-agent: {{ shop.name | handleize }}-crawler\nDisallow: /\n";
    const themed = await startShop({ themeFiles: { "templates/robots.txt.liquid": template + ownGroup } });
    const { headers, text } = await themed.client().get("/robots.txt");
    assert.equal(headers["content-type"], "text/plain; charset=utf-8");
    assert.deepEqual(text.replace(themed.origin, origin).split("\n"), [
      ...defaultRules.toSpliced(-1, 0, "Disallow: /*?q=*"),
      ...["# Own rules", "", "User-agent: test-harbour-crawler", "Disallow: /", ""],
    ]);
  }
});

test("if the theme's template of /robots.txt exceeds a limit, the generated rules apply", async () => {
  const template = "{% for number in (1..100000000) %}{{ number }}{% endfor %}";
  const themed = await startShop({ themeFiles: { "templates/robots.txt.liquid": template } });
  assert.match((await themed.client().get("/robots.txt")).text, /^User-agent: \*\nDisallow: \/cart\n/);
});

test("/robots.txt, /sitemap.xml, /healthz and /readyz respond", async () => {
  const robots = await client.get("/robots.txt");
  assert.match(String(robots.headers["content-type"]), /^text\/plain/);
  // The cart is disallowed in each language, but the product "cart-rope" is allowed.
  assert.match(robots.text, /^Disallow: \/cart\nDisallow: \/checkout\n[\s\S]*^Disallow: \/fr\/cart$/m);
  assert.doesNotMatch(robots.text, /\/\*\/cart/);
  const sitemap = await client.get("/sitemap.xml");
  assert.equal(sitemap.status, 200);
  assert.match(sitemap.text, /\/products\/harbour-raincoat</);
  assert.doesNotMatch(sitemap.text, /rain-prototype|rain-secret|rain-draft/);
  assert.match(sitemap.text, /\/fr<[\s\S]*hreflang="x-default"[\s\S]*\/blogs\/journal</);
  const places = [...sitemap.text.matchAll(/<loc>https?:\/\/[^/<]+([^<]*)<\/loc>/g)].map(([, path = ""]) => path);
  const answers = await Promise.all(places.map(async (path) => `${path} ${(await client.get(path)).status}`));
  assert.deepEqual(
    answers,
    places.map((path) => `${path} 200`),
  );
  assert.equal((await client.get("/healthz")).status, 200);
  assert.equal((await client.get("/readyz")).status, 200);
});

test("assets are cacheable, and no file outside the theme's assets is served", async () => {
  const own = await startShop({ themeFiles: { "assets/site.css": "body { color: red }" } });
  try {
    const shopper = own.client();
    const reply = await shopper.get("/assets/site.css");
    assert.deepEqual([reply.status, reply.text], [200, "body { color: red }"]);
    assert.match(String(reply.headers["content-type"]), /^text\/css/);
    for (const path of [
      "/assets/../layout/theme.liquid",
      "/assets/..%2flayout%2ftheme.liquid",
      "/assets/%2e%2e/layout/theme.liquid",
      "/assets/",
      "/assets",
    ]) {
      assert.equal((await shopper.get(path)).status, 404, path);
    }
  } finally {
    await own.close();
  }
});
