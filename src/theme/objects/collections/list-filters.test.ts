import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import type { Product } from "../../../catalog/product.ts";
import { buildCatalog, buildProduct, buildVariant, openTheme } from "../../example-shop.fixture.ts";

function createProduct(id: number, vendor: string, productType: string, price: number, stock = 5): Product {
  return buildProduct({
    id: String(id),
    handle: `p${id}`,
    title: `P${id}`,
    vendor,
    productType,
    variants: [buildVariant({ id: String(id * 10), price, inventoryQuantity: stock })],
    translations: { fr: { product_type: productType === "Bag" ? "Sac" : "Corde" } },
  });
}

const catalog = buildCatalog([
  createProduct(1, "Ansty", "Bag", 1000),
  createProduct(2, "Ansty", "Rope", 2500),
  createProduct(3, "Cobb & Co", "Bag", 4000, 0),
  createProduct(4, "Cobb & Co", "Rope", 8050),
]);

const template = `{{ collection.products_count }}/{{ collection.all_products_count }}:{% for p in collection.products %} {{ p.title }}{% endfor %}|
{%- for f in collection.filters %}{{ f.type }} {{ f.label }} {{ f.param_name }} {% for v in f.values %}[{{ v.label }} {{ v.value }} {{ v.count }}{% if v.active %}*{% endif %}]{% endfor %};{% endfor -%}`;

async function renderTarget(t: TestContext, target: string, locale = "en", section = template): Promise<string> {
  const theme = await openTheme(t, { "sections/a.liquid": section });
  return theme.section("a", { target, catalog, locale });
}

test("a collection has its filters with the number of products of each value", async (t) => {
  assert.equal(
    await renderTarget(t, "/collections/all"),
    "4/4: P1 P2 P3 P4|list Availability filter.v.availability [In stock 1 3][Sold out 0 1];price_range Price filter.v.price ;list Product type filter.p.product_type [Bag Bag 2][Rope Rope 2];list Vendor filter.p.vendor [Ansty Ansty 2][Cobb & Co Cobb & Co 2];list Colour filter.v.option.colour [Red Red 4];list Tags filter.p.tag [linen linen 4];",
  );
});

test("names and values of filters from imported files print as text, also without escaping", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid":
      "{% for f in collection.filters %}{{ f.param_name }} {% for v in f.active_values %}{{ v.value }} {{ v.label | escape }}{% endfor %} {% endfor %}",
  });
  const catalog = buildCatalog([
    buildProduct({ vendor: '5" <b>', options: ['Size"><script>'], variants: [buildVariant()] }),
  ]);
  const target = `/collections/all?filter.p.vendor=${encodeURIComponent('5" <b>')}`;
  const html = await theme.section("a", { target, catalog });
  assert.match(html, / filter\.p\.vendor 5&quot; &lt;b&gt; 5&quot; &lt;b&gt; /);
  assert.match(
    await theme.section("a", { target: "/collections/all", catalog }),
    / filter\.v\.option\.size&quot;&gt;&lt;script&gt; /,
  );
});

test("search terms and the order cannot add elements to a template that prints them without escaping", async (t) => {
  const q = encodeURIComponent('5" <b>');
  const section = "{{ search.terms }}|{{ search.terms | escape }}|{{ search.terms | url_encode }}";
  const text = "5&quot; &lt;b&gt;";
  assert.equal(await renderTarget(t, `/search?q=${q}`, "en", section), `${text}|${text}|5%22+%3Cb%3E`);
  assert.equal(await renderTarget(t, "/search?q=men's", "en", section), "men's|men&#39;s|men%27s");
  const order = "[{{ collection.sort_by }}]";
  assert.equal(await renderTarget(t, `/collections/all?sort_by=${q}`, "en", order), "[]");
  assert.equal(await renderTarget(t, "/collections/all?sort_by=title-ascending", "en", order), "[title-ascending]");
});

test("values of one filter are combined by or, filters by and, and counts follow", async (t) => {
  assert.match(
    await renderTarget(
      t,
      "/collections/all?filter.p.vendor=Ansty&filter.p.vendor=Cobb+%26+Co&filter.p.product_type=Bag",
    ),
    /^2\/4: P1 P3\|.*\[In stock 1 1\]\[Sold out 0 1\].*\[Bag Bag 2\*\]\[Rope Rope 2\].*\[Ansty Ansty 1\*\]\[Cobb & Co Cobb & Co 1\*\]/,
  );
  assert.match(await renderTarget(t, "/collections/all?filter.v.availability=0"), /^1\/4: P3\|/);
});

test("prices are decimals of the currency, with both bounds included, sorted as requested", async (t) => {
  const target = "/collections/all?filter.v.price.gte=25&filter.v.price.lte=80.50&sort_by=price-descending";
  assert.match(await renderTarget(t, target), /^3\/4: P4 P3 P2\|/);
  assert.equal(
    await renderTarget(
      t,
      target,
      "en",
      "{% for f in collection.filters %}{% if f.type == 'price_range' %}{{ f.min_value.value }} {{ f.max_value.value }} {{ f.max_value.decimal }} {{ f.range_max }} {{ f.url_to_remove }}{% endif %}{% endfor %}",
    ),
    "2500 8050 80.50 8050 /collections/all?sort_by=price-descending",
  );
});

test("an invalid price, an unknown vendor and empty form fields are ignored", async (t) => {
  for (const query of ["filter.v.price.gte=abc", "filter.v.price.lte=", "filter.v.price.gte=1.999", "filter.p.vendor="])
    assert.match(await renderTarget(t, `/collections/all?${query}`), /^4\/4:/, query);
  assert.match(await renderTarget(t, "/collections/all?filter.p.vendor=nobody"), /^0\/4:\|/);
});

test("URLs keep the language, the order and the other values, and start at the first page", async (t) => {
  const target = "/collections/all?filter.p.vendor=Ansty&filter.p.vendor=Cobb+%26+Co&sort_by=manual&page=2";
  assert.equal(
    await renderTarget(
      t,
      target,
      "fr",
      "{% for f in collection.filters %}{% for v in f.active_values %}{{ v.url_to_remove }} {% endfor %}{% if f.param_name == 'filter.p.product_type' %}{{ f.values.first.label }} {{ f.inactive_values.first.url_to_add }} {% endif %}{% endfor %}",
    ),
    "Corde /fr/collections/all?filter.p.vendor=Ansty&filter.p.vendor=Cobb+%26+Co&sort_by=manual&filter.p.product_type=Rope /fr/collections/all?filter.p.vendor=Cobb+%26+Co&sort_by=manual /fr/collections/all?filter.p.vendor=Ansty&sort_by=manual ",
  );
});

test("filters of the URL apply only to the collection of the page", async (t) => {
  assert.equal(
    await renderTarget(
      t,
      "/collections/bags?filter.p.vendor=nobody",
      "en",
      "{{ collections['all'].products_count }} {{ collections['all'].filters.size }}",
    ),
    "4 0",
  );
});
