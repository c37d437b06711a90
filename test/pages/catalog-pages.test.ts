import assert from "node:assert/strict";
import { test } from "node:test";
import { product, type RowJson } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";

const now = Date.parse("2026-06-15T22:30:00Z");
const one = (id: number, more: object = {}) => [{ id, price: 100, ...more }];
const tagged = (id: number, handle: string, title: string, tags: readonly string[], more: object = {}): RowJson => ({
  ...product(id, handle, title, one(id * 10)),
  tags,
  ...more,
});
const rows: readonly RowJson[] = [
  tagged(1, "tea", "Zebra Tea", ["Été", "50% off", "rain"], {
    vendor: "North",
    description: "<style>p{}</style><p>Salt &amp; pepper &ndash; 5 &lt; 6</p>",
    translations: { fr: { title: "Ananas", tags: ["Summer", "Rabais", "pluie"] } },
  }),
  tagged(2, "pot", "Apple Pot", ["ガイド", "50% off"], {
    vendor: "South",
    translations: { fr: { title: "Écharpe" }, "pt-br": { title: "Bule" } },
  }),
  tagged(3, "cup", "Mug", ["한국", "กันฝน"], { translations: { fr: { title: "Zèbre" } } }),
  {
    ...product(4, "coat", "Coat", [
      { id: 41, price: 100, options: ["S", "Red"] },
      { id: 42, price: 100, options: ["M", "Red"] },
    ]),
    options: ["Size", "Colour"],
  },
  { kind: "collection", id: 50, handle: "all-été", title: "All", products: ["tea", "pot", "cup"] },
  {
    kind: "article",
    id: 60,
    handle: "out",
    title: "Out",
    blog: "news",
    published_at: "2026-01-02T00:00:00Z",
    tags: ["Été"],
    content: "<p>Fish &amp; chips&nbsp;&mdash; caf&eacute;</p>",
  },
  { kind: "article", id: 61, handle: "to-come", title: "To come", blog: "news", published_at: "2999-01-01T00:00:00Z" },
  { kind: "bundle", id: 70, handle: "live", name: "Live", type: "box_builder", products: ["tea"] },
  {
    kind: "bundle",
    id: 71,
    handle: "over",
    name: "Over",
    type: "box_builder",
    products: ["tea"],
    ends_at: "2020-01-01T00:00:00Z",
  },
];
const listing = `{% for p in collection.products %}{{ p.handle }} {% endfor %}| {{ collection.products_count }} of {{ collection.all_products_count }}
| tags {{ collection.all_tags | join: ',' }} | current {{ current_tags | join: ',' }}{% if current_tags contains '50% off' %} has{% endif %}
| {% for tag in collection.all_tags %}{{ tag | link_to_tag: tag }}{% endfor %}
| {% for f in collection.filters %}{% for v in f.values %}{{ v.label }}={{ v.count }} {% endfor %}{% endfor %}`;
const settings = `[{{ section.settings.article.title }}|{% for a in section.settings.blog.articles %}{{ a.title }}{% endfor %}]
{% schema %}{ "name": "Picked", "settings": [{ "type": "article", "id": "article", "label": "Article" }, { "type": "blog", "id": "blog", "label": "Blog" }] }{% endschema %}`;
const themeFiles = {
  "templates/collection.liquid": listing,
  "templates/collection.constraint.liquid":
    "{{ collection.products | map: 'handle' | join: ',' }} of {{ collections[collection.handle].products_count }}: {{ current_tags | join: ',' }}",
  "templates/blog.liquid":
    "{% for a in blog.articles %}{{ a.handle }} {% endfor %}| {% for tag in blog.all_tags %}{{ tag | link_to_tag: tag }}{% endfor %}",
  "sections/picked.liquid": settings,
  "templates/index.json": JSON.stringify({
    sections: {
      soon: { type: "picked", settings: { article: "news/to-come", blog: "news" } },
      out: { type: "picked", settings: { article: "news/out", blog: "news" } },
    },
    order: ["soon", "out"],
  }),
  "templates/product.json": JSON.stringify({ sections: { main: { type: "goods" } }, order: ["main"] }),
  "sections/goods.liquid":
    "|{{ page_description | escape }}|{% for v in product.variants %}{{ v.options | join: '/' }};{% endfor %}" +
    "{% paginate product.variants by 1 %}{% for v in product.variants %}<{{ v.id }}>{% endfor %}{{ paginate.pages }}{% endpaginate %}",
  "templates/article.liquid":
    "{{ page_description | escape }}|{{ article.content | strip_html | escape_once }}|" +
    "{% assign list = 'a,b,c,d,e' | split: ',' %}{% paginate list by 2 %}{% for x in list %}{{ x }}{% endfor %} {{ list.size }} {{ paginate.current_page }}/{{ paginate.pages }}{% endpaginate %} {% for x in list %}{{ x }}{% endfor %}",
  "locales/pt-br.json": JSON.stringify({ greeting: "Olá" }),
  "templates/cart.liquid": "{{ 'greeting' | t }}",
};
const locales = { default: "en", others: ["fr", "pt-BR"] };
const shop = await startShop({ rows, themeFiles, config: { locales }, now: () => now });
const client = shop.client();

/** Returns the output of a page's template. */
async function shown(path: string): Promise<string> {
  const reply = await client.get(path);
  assert.equal(reply.status, 200, `${path}: ${reply.text}`);
  return (/<main>([\s\S]*)<\/main>/.exec(reply.text)?.[1] ?? "").replace(/\s+/g, " ").trim();
}

const base = `/collections/${encodeURIComponent("all-été")}`;

/** Returns the URLs of the tag links on a page, by tag. */
function tagLinks(html: string): ReadonlyMap<string, string> {
  return new Map(
    [...html.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)<\/a>/g)].map(([, href = "", tag = ""]) => [tag, href]),
  );
}

test("the parameter constraint filters a collection by tags, but not the collections that a template looks up", async () => {
  for (const [path, wanted] of [
    ["?constraint=rain", "tea of 3: rain"],
    ["?constraint=50-off+rain", "tea of 3: 50% off,rain"],
    ["/50-off?constraint=%EA%B0%80%EC%9D%B4%EB%93%9C", "of 3: 50% off,가이드"],
    ["?constraint=50-off", "tea,pot of 3: 50% off"],
    ["?constraint=", "tea,pot,cup of 3:"],
  ] as const)
    assert.equal(await shown(`${base}${path}${path.includes("?") ? "&" : "?"}view=constraint`), wanted, path);
  const reply = await client.get("/collections/vendors?q=North&constraint=rain");
  assert.equal(reply.headers.location, "/collections/all?filter.p.vendor=North&constraint=rain");
});

test("a tag link lists the products with the tag, in any script and language", async () => {
  for (const [prefix, wanted] of [
    ["", { Été: "tea", "50% off": "tea pot", ガイド: "pot", 한국: "cup", กันฝน: "cup", rain: "tea" }],
    ["/fr", { Summer: "tea", Rabais: "tea", pluie: "tea", ガイド: "pot", "50% off": "tea pot", 한국: "cup" }],
  ] as const) {
    const links = tagLinks(await shown(`${prefix}${base}`));
    for (const [tag, handles] of Object.entries(wanted)) {
      const href = links.get(tag) ?? assert.fail(`${prefix} ${tag} of ${[...links.keys()]}`);
      assert.ok(href.startsWith(`${prefix}${base}/`), href);
      assert.equal((await shown(href)).split(" |")[0], handles, `${prefix} ${tag} ${href}`);
    }
  }
  const [, href = ""] = [...tagLinks(await shown("/blogs/news"))][0] ?? [];
  assert.equal((await shown(href)).split(" |")[0], "news/out");
});

test("a tag page works in other languages and in any spelling of its URL", async () => {
  assert.match(await shown(`/fr${base}/rain`), /^tea \|/);
  assert.match(await shown(`${base.toLowerCase()}/rain`), /^tea \|/);
  assert.match(await shown(`${base}/${encodeURIComponent("Été")}`), /^tea \|/);
  assert.match(await shown(`${base}/50-off+rain`), /^tea \|/);
});

test("current_tags have the displayed spelling", async () => {
  assert.match(await shown(`${base}/50-off`), /current 50% off has/);
  assert.match(await shown(`/fr${base}/pluie+summer`), /current pluie,Summer \|/);
  assert.match(await shown(`/fr${base}/rain`), /current pluie \|/);
  assert.match(await shown(`${base}/unknown`), /^\| 0 of 3 .*current unknown \|/);
});

test("counts and filters of a tag page cover its products", async () => {
  assert.match(await shown(base), /\| 3 of 3 .*In stock=3 Sold out=0 .*Harbour=1 North=1 South=1/);
  assert.match(await shown(`${base}/50-off`), /\| 2 of 3 .*In stock=2 Sold out=0 .*North=1 South=1 50% off=2 /);
  assert.match(
    await shown(`${base}/50-off?filter.p.vendor=North`),
    /^tea \| 1 of 3 .*In stock=1 .*North=1 South=1 50% off=1 /,
  );
});

test("products are sorted by translated titles in the collation of the language", async () => {
  assert.match(await shown(`${base}?sort_by=title-ascending`), /^pot cup tea /);
  assert.match(await shown(`/fr${base}?sort_by=title-ascending`), /^tea pot cup /);
  assert.match(await shown(`/fr${base}?sort_by=title-descending`), /^cup pot tea /);
});

test("unpublished and ended items appear on no page and in no sitemap", async () => {
  assert.match(await shown("/"), /\[\|Out\].*\[Out\|Out\]/);
  const map = (await client.get("/sitemap.xml")).text;
  assert.match(map, /\/blogs\/news\/out</);
  assert.match(map, /\/bundles\/live</);
  assert.doesNotMatch(map, /to-come|\/bundles\/over/);
});

test("characters written as entities are escaped once", async () => {
  assert.match(await shown("/products/tea"), /\|Salt &amp; pepper – 5 &lt; 6\|/);
  assert.match(await shown("/blogs/news/out"), /^Fish &amp; chips — café\|Fish &amp; chips&nbsp;&mdash; caf&eacute;\|/);
});

test("paginate shows a page of any list", async () => {
  assert.match(await shown("/blogs/news/out"), /\|ab 5 1\/3 abcde$/);
  assert.match(await shown("/blogs/news/out?page=3"), /\|e 5 3\/3 abcde$/);
  assert.match(await shown("/products/coat"), /<41>2 *<\/div>$/);
  assert.match(await shown("/products/coat?page=2"), /<42>2 *<\/div>$/);
});

test("the spelling of a language does not matter in translations and locale file names", async () => {
  assert.match((await client.get("/pt-BR/search/suggest.json?q=bule")).text, /"title":"Bule"/);
  assert.equal(await shown("/pt-BR/cart"), "Olá");
});

test("an import reports missing translations of option names", async () => {
  const coat = { ...rows[3], translations: { fr: { options: ["Taille"] } } } as RowJson;
  await assert.rejects(startShop({ rows: [coat] }), /translations\.fr\.options.*2/);
});
