import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { buildCatalog, buildProduct, buildVariant, openTheme } from "../example-shop.fixture.ts";
import { listGlobalTypes } from "../render/globals.ts";
import type { RenderRequest } from "../theme.ts";
import { knownTypes } from "./template-object.ts";

async function renderOutput(
  t: TestContext,
  liquid: string,
  target = "/",
  request: Partial<RenderRequest> = {},
  settings: Parameters<typeof openTheme>[2] = {},
): Promise<string> {
  const theme = await openTheme(t, { "sections/a.liquid": liquid }, settings);
  return theme.section("a", { target, ...request });
}

const boot = buildProduct({
  id: "7",
  handle: "boot",
  title: "Boot",
  tags: ["Wet Days", "wool"],
  options: ["Size", "Colour"],
  variants: [
    buildVariant({ id: "71", options: ["S", "Red"], inventoryQuantity: 0 }),
    buildVariant({ id: "72", options: ["S", "Blue"], inventoryQuantity: 3 }),
    buildVariant({ id: "73", options: ["M", "Red"], inventoryQuantity: 0 }),
  ],
});
const unitPriceMeasure = { quantity: { value: 0.75, unit: "l" }, reference: { value: 100, unit: "ml" } } as const;
const voucher = buildProduct({
  id: "8",
  handle: "voucher",
  title: "Voucher",
  category: "Gifts > Cards > Gift Cards",
  giftCard: true,
  seo: { title: "Vouchers", description: "Give one." },
  variants: [buildVariant({ id: "81", weightUnit: "kg", cost: 3, unitPriceMeasure })],
});
const catalog = buildCatalog([boot, buildProduct(), voucher]);

const pickerTemplate =
  "{% for o in product.options_with_values %}{{ o.name }}={{ o.selected_value }}:{% for v in o.values %}{{ v }}{% if v.selected %}*{% endif %}{% unless v.available %}-{% endunless %}>{{ v.variant.id }} {% endfor %};{% endfor %}";

test("an option value is available if the preceding selected values have such a variant", async (t) => {
  assert.equal(
    await renderOutput(t, pickerTemplate, "/products/boot", { catalog }),
    "Size=S:S*>72 M-> ;Colour=Blue:Red->71 Blue*>72 ;",
  );
  assert.equal(
    await renderOutput(t, pickerTemplate, "/products/boot?variant=73", { catalog }),
    "Size=M:S>71 M*->73 ;Colour=Red:Red*->73 Blue-> ;",
  );
});

test("a unit price per item is in the page's language", async (t) => {
  const measure = { quantity: { value: 6, unit: "item" }, reference: { value: 1, unit: "item" } } as const;
  const eggs = buildProduct({ handle: "eggs", variants: [buildVariant({ price: 600, unitPriceMeasure: measure })] });
  const liquid =
    "{% assign one = product.variants[0] %}{{ one.unit_price | unit_price_with_measurement: one.unit_price_measurement }}";
  const output = await renderOutput(t, liquid, "/products/eggs", { catalog: buildCatalog([eggs]), locale: "fr" });
  assert.match(output, /1,00.*\/pièce/);
});

test("options_by_name ignores case", async (t) => {
  const liquid =
    "{{ product.options_by_name['colour'].selected_value }} {{ product.options_by_name.SIZE.name }} {{ product.options_by_name.size.values | join: '/' }}[{{ product.options_by_name.none }}]{% for pair in product.options_by_name %}{{ pair[0] }}={{ pair[1].position }} {% endfor %}";
  assert.equal(await renderOutput(t, liquid, "/products/boot", { catalog }), "Blue Size S/M[]Size=1 Colour=2 ");
});

test("option value ids in the URL select a variant, or a combination without a variant", async (t) => {
  const id = (option: number, value: number) => `{{ product.options_with_values[${option}].values[${value}].id }}`;
  const ids = await renderOutput(t, `${id(0, 1)},${id(1, 0)} ${id(0, 1)},${id(1, 1)}`, "/products/boot", { catalog });
  const [availableOptionIds, unavailableOptionIds] = ids.split(" ");
  const liquid =
    "{{ product.selected_variant.id }} {{ product.options_with_values[0].selected_value }} {{ product.options_with_values[1].selected_value }}";
  assert.equal(
    await renderOutput(t, liquid, `/products/boot?option_values=${availableOptionIds}`, { catalog }),
    "73 M Red",
  );
  assert.equal(
    await renderOutput(t, liquid, `/products/boot?option_values=${unavailableOptionIds}`, { catalog }),
    " M Blue",
  );
  assert.equal(await renderOutput(t, liquid, "/products/boot?option_values=1,2", { catalog }), " S Blue");
});

test("two objects for the same product or variant are equal", async (t) => {
  const liquid =
    "{% assign v = product.selected_or_first_available_variant %}{% for one in product.variants %}{% if one == v %}{{ one.id }}{% endif %}{% endfor %}" +
    "{% if all_products['boot'] == product %}same{% endif %}{% if all_products['tote'] != product %} other{% endif %}{% if product == empty %} empty{% endif %}" +
    "{% if product.options_with_values[0].selected_value == 'S' %} S{% endif %}{% if product.options_with_values[0].values contains 'M' %} M{% endif %}";
  assert.equal(await renderOutput(t, liquid, "/products/boot", { catalog }), "72same other S M");
});

const printCases: readonly (readonly [name: string, liquid: string, target: string, text: string])[] = [
  [
    "a metafield prints its value",
    "{{ product.metafields.care.wash }} {{ product.metafields.care.wash.value }} {{ product.metafields.care.wash.type }}{{ product.metafields.no.such.value }}",
    "/products/tote",
    "30° 30° single_line_text_field",
  ],
  [
    "the path of a collection filters it by tag",
    "{{ collection.all_tags | join: ',' }} {{ collection.products_count }} {{ current_tags | join: ',' }}",
    "/collections/all/wet-days",
    "linen,Wet Days,wool 1 Wet Days",
  ],
  ["the collection of all products has no id", "{{ collection.handle }}{{ collection.id }}", "/collections/all", "all"],
  ["current_tags is empty without tags in the path", "{% if current_tags %}tagged{% endif %}", "/collections/all", ""],
  [
    "a collection lists its product types and vendors",
    "{{ collection.all_types | join }} {{ collection.all_vendors | join }}",
    "/collections/all",
    "Bag Harbour",
  ],
  [
    "a product page uses the description and image of the product",
    "{{ page_description }}|{{ page_image.alt }}",
    "/products/tote",
    "A bag.|A red tote",
  ],
  [
    "a product page prints SEO fields, category, weight and unit price",
    "{{ page_title }}|{{ page_description }}|{{ product.title }}|{{ product.gift_card? }}|" +
      "{% for one in product.category.ancestors %}{{ one.name }} > {% endfor %}{{ product.category }}|" +
      "{{ product.variants[0].weight_in_unit }} {{ product.variants[0].weight_unit }}|" +
      "{% assign one = product.variants[0] %}{{ one.unit_price }} {{ one.unit_price_measurement.measured_type }} " +
      "{{ one.unit_price | unit_price_with_measurement: one.unit_price_measurement }}",
    "/products/voucher",
    "Vouchers|Give one.|Voucher|true|Gifts > Cards > Gift Cards|0.25 kg|267 volume $2.67/100 ml",
  ],
  ["the home page uses the description of the page about", "{{ page_description }}", "/", "Us"],
  [
    "a language has a text direction",
    "{{ request.locale.direction }} {{ localization.language.direction }}",
    "/",
    "ltr ltr",
  ],
  [
    "the shop has money formats for scripts",
    "{{ shop.money_format | remove: '$' }} {{ shop.money_with_currency_format | remove: '$' }}",
    "/",
    "{{amount}} {{amount}} USD",
  ],
  [
    "a shop without policies prints none",
    "{{ shop.policies.size }}{% if shop.privacy_policy == blank %} none{% endif %}",
    "/",
    "0 none",
  ],
  [
    "a collection returns the previous and next product",
    "[{{ collection.previous_product.title }}][{{ collection.next_product.title }}][{{ collection.next_product }}][{{ 'Next' | link_to: collection.next_product }}]",
    "/collections/all/products/boot",
    '[][Tote][/collections/all/products/tote][<a href="/collections/all/products/tote">Next</a>]',
  ],
  [
    "a product page outside collections has no next product",
    "[{{ collections.all.next_product }}][{{ collection.next_product }}]",
    "/products/boot",
    "[][]",
  ],
  [
    "current_vendor is the vendor that filters the collection, without HTML of the URL",
    "[{{ collection.current_vendor }}][{{ collection.current_type }}][{{ collections.bags.current_vendor }}]",
    "/collections/all?filter.p.vendor=Harbour%22%3E",
    "[Harbour&quot;&gt;][][]",
  ],
  [
    "a template has a name, a suffix and a directory",
    "{{ template.name }} {{ template.suffix }}|{{ template.directory }}",
    "/cart",
    "cart |",
  ],
  ["total_discounts is the discount of the cart", "{{ cart.total_discounts }}", "/cart", "0"],
  [
    "a missing image has the URL of a drawing in img_url, and none in image_url",
    "[{{ nil | img_url }}][{{ product.nosuch | img_url: '100x' }}][{{ nil | image_url: width: 10 }}]",
    "/products/boot",
    "[/vitrine/no-image.svg][/vitrine/no-image.svg][]",
  ],
  [
    "country_option_tags contains an option for each country",
    '{% if country_option_tags contains \'value="France" data-code="FR"\' %}FR{% endif %}',
    "/",
    "FR",
  ],
  [
    "articles, images and blogs are available by name",
    "{{ articles['news/first'].title }} {{ images['a.png'].src }} {{ blogs.news.title }}",
    "/",
    "First /media/a.png News",
  ],
  [
    "missing fields print nothing, and additional_checkout_buttons is false",
    "{{ product.unit_price }}{{ product.nosuch }}{{ nosuch.a.b }}{{ powered_by_link }}{{ additional_checkout_buttons }}",
    "/products/tote",
    "false",
  ],
  [
    "an article has an author and a number of comments",
    "{{ article.user.first_name }} {{ article.comments_count }} {{ blog.next_article.title }}",
    "/blogs/news/first",
    "Ann 0 ",
  ],
  [
    "other pages have no recommendations",
    "{{ recommendations.performed? }} {{ recommendations.products_count }}",
    "/",
    "false 0",
  ],
];

for (const [name, liquid, target, text] of printCases)
  test(name, async (t) => assert.equal(await renderOutput(t, liquid, target, { catalog }), text));

test("the recommendations page has the product and its recommended products", async (t) => {
  const recommendations = { products: [buildProduct()], intent: "related" as const };
  const liquid =
    "{{ recommendations.performed? }} {{ recommendations.intent }} {% for p in recommendations.products %}{{ p.title }}{% endfor %} {{ product.title }}";
  const target = "/recommendations/products?product_id=7";
  assert.equal(await renderOutput(t, liquid, target, { catalog, recommendations }), "true related Tote Boot");
});

test("a right-to-left language has the direction rtl", async (t) => {
  const locales = { default: "en", others: ["ar"] };
  const liquid =
    "{{ request.locale.direction }} {{ request.locale.endonym_name }} {{ localization.available_languages.size }}";
  assert.equal(await renderOutput(t, liquid, "/", { locale: "ar" }, { locales }), "rtl العربية 2");
});

test("search returns the types that foreign themes support, and finds products by id", async (t) => {
  const compat = { forms: true, script: true, sectionClass: "shopify-section", sectionPrefix: "shopify-section-" };
  const liquid =
    "{{ search.types | join: ',' }} {{ search.results_count }}: {% for r in search.results %}{{ r.title }} {% endfor %}";
  assert.equal(await renderOutput(t, liquid, "/search?q=x", {}, { compat }), "product,article,page 0: ");
  assert.equal(
    await renderOutput(t, liquid, "/search?q=id:2+OR+id:1+OR+id:99", {}, { compat }),
    "product,article,page 2: Mug Tote ",
  );
});

test("every field and variable has a declared type", () => {
  const openTypes = new Set(["settings", "metafields", "gift_card"]);
  const typeNames = [
    ...listGlobalTypes().values(),
    ...[...knownTypes.values()].flatMap((fields) => [...fields.values()]),
  ];
  const unknownTypes = typeNames
    .map((name) => name.replace(/\[\]$|[{}]/g, ""))
    .filter((name) => name !== "" && !openTypes.has(name));
  assert.deepEqual(
    [...new Set(unknownTypes)].filter((name) => !knownTypes.has(name)),
    [],
  );
});

test("localization lists only the country of the shop, because visitors cannot select another one", async (t) => {
  const liquid =
    "{{ localization.country }} {{ localization.country.iso_code }} {{ localization.country.currency.iso_code }}{% for c in localization.available_countries %} {{ c.name }}{% if c == localization.country %}*{% endif %}{% endfor %}";
  const settings = { shipping: { countries: ["US", "DE", "CA"], rates: [] } };
  assert.equal(await renderOutput(t, liquid, "/", { locale: "fr" }, settings), "États-Unis US USD États-Unis*");
  const worldwideSettings = { shipping: { countries: [], rates: [] } };
  assert.equal(await renderOutput(t, liquid, "/", {}, worldwideSettings), "  USD");
  const flagTemplate =
    "{{ localization.country | image_url: width: 32 }} {{ localization.country | image_url: width: 32 | image_tag }}";
  const svg = decodeURIComponent(await renderOutput(t, flagTemplate, "/", {}, settings));
  assert.match(svg, /^data:image\/svg\+xml,<svg .*🇺🇸.*<img src="data:.*" alt="United States" width="32" height="24"/);
  assert.equal(await renderOutput(t, flagTemplate, "/", {}, worldwideSettings), " ");
});

test("the shop object contains data of the settings and the catalog", async (t) => {
  const liquid =
    "{{ shop.email }} {{ shop.phone }} {{ shop.address.city }} {{ shop.address.country }} {{ shop.address | format_address }} {{ shop.brand.logo | image_url: width: 10 }} {{ shop.brand.logo.alt }} {{ shop.brand.slogan }} {{ shop.brand.metafields.social_links.instagram.value }} {{ shop.enabled_payment_types | join: ',' }} {{ shop.vendors | join: ',' }} {{ shop.types | join: ',' }} {{ shop.search_types | join: ',' }}";
  const settings = {
    contact: { email: "tea@example.test", phone: "+49 1", address: { company: "Tea", city: "Emden", country: "DE" } },
    brand: { logo: "/media/logo.png", slogan: "Brewed", social: { instagram: "https://insta.example/tea" } },
    paymentTypes: ["visa", "paypal"],
  };
  const catalog = buildCatalog([
    buildProduct({ vendor: "Norrland", productType: "Bags" }),
    buildProduct({ id: "8", handle: "b", vendor: "Ansty", productType: "Bags" }),
  ]);
  assert.equal(
    await renderOutput(t, liquid, "/", { catalog }, settings),
    "tea@example.test +49 1 Emden Germany <p>Tea<br>Emden<br>Germany</p> /media/logo.png?width=10 Tea & Co Brewed https://insta.example/tea visa,paypal Ansty,Norrland Bags product,collection,page,article,bundle",
  );
  assert.equal(
    await renderOutput(
      t,
      "[{{ shop.email }}{{ shop.address.city }}{{ shop.brand.logo }}{{ shop.enabled_payment_types.size }}]",
    ),
    "[0]",
  );
});
