import assert from "node:assert/strict";
import test from "node:test";
import type { PredictiveSearchResult } from "../../predictive-search/predictive-search.ts";
import { buildCart, buildCatalog, buildProduct, buildVariant, openTheme } from "../example-shop.fixture.ts";

test("a product has Shopify's field names, amounts in minor units, in the render's language", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid":
      "{{ product.id }} {{ product.title }} {{ product.url }} {{ product.price }} {{ product.price_max }} {{ product.price_varies }} {{ product.available }} {{ product.featured_image.aspect_ratio }} {{ product.options_with_values.first.values | join: '/' }} {{ product.has_only_default_variant }} {{ product.selected_or_first_available_variant.title }} {{ product.selected_variant.id }} {{ product.collections.first.url }} {{ product.metafields.care.wash }}",
  });
  assert.equal(
    await theme.section("a", { target: "/products/tote?variant=12", locale: "fr" }),
    "1 Cabas /fr/products/tote 1999 2599 true true 2.0 Red/Blue false Blue 12 /fr/collections/bags 30°",
  );
  assert.match(await theme.section("a", { target: "/products/mug" }), /^2 Mug .* false {2}\/collections|^2 Mug/);
});

test("only for a theme made for Shopify, a product without dates has an old date that scripts can read", async (t) => {
  const files = { "sections/a.liquid": "[{{ product.created_at | date: '%s' }}]" };
  const compat = { forms: true, script: true };
  for (const [settings, expected] of [
    [{}, "[]"],
    [{ compat }, "[0]"],
  ] as const) {
    const theme = await openTheme(t, files, settings);
    assert.equal(await theme.section("a", { target: "/products/tote" }), expected);
  }
});

test("only for a theme made for Shopify, an unknown handle is an empty object, which is true in conditions", async (t) => {
  const describe = (name: string): string =>
    `{% assign x = ${name} %}{% if x %}true{% endif %} {% if x == empty %}empty{% endif %} {% if x == blank %}blank{% endif %} {% if x.empty? %}empty?{% endif %} {{ x }}{{ x.title }}{{ x.links.size }} {{ x | json }} {{ x | default: "none" }}`;
  const names = [
    "collections['no']",
    "pages.no",
    "blogs.no",
    "all_products['no']",
    "articles['no/no']",
    "linklists.no",
  ];
  const files = {
    "sections/a.liquid": [...names, "collections[nothing]", "all_products['']"].map(describe).join(","),
    "sections/b.liquid": ["collections.bags", "all_products.tote"]
      .map((name) => `{% if ${name} == empty or ${name}.empty? %}empty{% else %}{{ ${name}.title }}{% endif %} `)
      .join(""),
  };
  for (const [compat, expected] of [
    [undefined, "  blank   null none"],
    [{ forms: true, script: true }, "true empty blank empty?  null none"],
  ] as const) {
    const theme = await openTheme(t, files, compat && { compat });
    assert.deepEqual(
      (await theme.section("a", {}))?.split(","),
      Array.from({ length: 8 }, () => expected),
    );
    assert.equal(await theme.section("b", {}), "Bags Tote ");
  }
});

test("variants have their fields; a non-numeric id is a string", async (t) => {
  const variant = buildVariant({
    id: "a-1",
    compareAtPrice: 2999,
    inventoryQuantity: 0,
    sku: "S",
    image: "/media/tote.jpg",
  });
  const theme = await openTheme(t, {
    "sections/a.liquid":
      "{% assign v = product.variants.first %}{{ v.id | json }} {{ v.compare_at_price }} {{ v.available }} {{ v.sku }} {{ v.url }} {{ v.option1 }} {{ v.quantity_rule.min }} {{ v.featured_image.position }}",
  });
  const catalog = buildCatalog([buildProduct({ variants: [variant] })]);
  assert.equal(
    await theme.section("a", { target: "/products/tote", catalog }),
    '"a-1" 2999 false S /products/tote?variant=a-1 Red 1 1',
  );
});

test("an image of a product has its product and the variants that show it", async (t) => {
  const image = { src: "/media/blue.jpg" };
  const variants = ["Red", "Blue", "Navy"].map((name, index) =>
    buildVariant({ id: String(index), title: name, options: [name], ...(index > 0 && { image: image.src }) }),
  );
  const catalog = buildCatalog([buildProduct({ variants, images: [{ src: "/media/tote.jpg" }, image] })]);
  const theme = await openTheme(t, {
    "sections/a.liquid":
      "{% for i in product.images %}{{ i.product_id }} {{ i.attached_to_variant? }} {{ i.variants | map: 'id' | join: '+' }}, {% endfor %}{{ product.media[1].variants.first.title }} {{ product.variants[1].featured_media.variants.size }} {{ product.featured_image.attached_to_variant? }} {{ shop.brand.logo.attached_to_variant? }}",
  });
  assert.equal(await theme.section("a", { target: "/products/tote", catalog }), "1 false , 1 true 1+2, Blue 2 false ");
});

test("images finds the files of media/, so that themes can test whether one exists", async (t) => {
  const names = ["red.png", "blue.png", "", "../layout/theme.liquid", "a".repeat(300), "."];
  const theme = await openTheme(t, {
    "sections/a.liquid": `{% assign names = "${names.join(",")}" | split: "," %}{% for name in names %}{% if images[name] != blank %}{{ images[name].src }}{% endif %},{% endfor %}{{ images[nothing] }}`,
    "layout/theme.liquid": "",
    "media/red.png": "",
  });
  assert.equal(await theme.section("a"), "/media/red.png,,,,,,");
  const otherTheme = await openTheme(t, { "sections/a.liquid": "{{ images['blue.png'].src }}" });
  assert.equal(await otherTheme.section("a"), "/media/blue.png");
});

test("the cart and its lines have the contract's fields", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid":
      "{{ cart.item_count }} {{ cart.line_count }} {{ cart.total_price }} {{ cart.total_price_cents }} {{ cart.amount_due_cents }} {{ cart.currency.iso_code }} {{ cart.currency.symbol }} {{ cart.requires_shipping }} {{ cart.note | json }}{% for i in cart.items %} {{ i.key }} {{ i.id }} {{ i.title }} {{ i.quantity }} {{ i.final_line_price }} {{ i.url }} {{ i.url_to_remove }} {{ i.instructions.can_remove }} {{ i.product.vendor }} {{ i.variant.title }} {{ i.image.src }}{% endfor %}",
    "sections/empty.liquid":
      "{% if cart == empty %}1{% endif %}{% if cart != empty %}2{% endif %}{% if cart.empty? %}3{% endif %}{% unless cart %}4{% endunless %}{% if cart == blank %}5{% endif %}",
  });
  assert.equal(
    await theme.section("a", { cart: async () => buildCart(2), locale: "fr" }),
    "2 1 3998 3998 3998 USD $ true null line-1 11 Cabas - Red 2 3998 /fr/products/tote?variant=11 /fr/cart/change?id=line-1&quantity=0 true Harbour Red /media/tote.jpg",
  );
  assert.equal(await theme.section("empty"), "135");
  assert.equal(await theme.section("empty", { cart: async () => buildCart(1) }), "2");
});

test("predictive_search has the buckets, and its styled text is not escaped again (spec 2.2)", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid":
      "{{ predictive_search.performed }} {{ predictive_search.terms | escape }} {{ predictive_search.types | join: ',' }} {% for q in predictive_search.resources.queries %}{{ q.styled_text }} {{ q.text }} {{ q.url }}{% endfor %} {{ predictive_search.resources.products.first.title }} {{ predictive_search.resources.pages.size }} {{ predictive_search.resources.bundles.first.url }}",
    "sections/counts.liquid":
      "{% for bucket in predictive_search.resources %}{{ bucket[0] }} {{ bucket[1].size }} {% endfor %}",
  });
  const product = buildProduct();
  const predictiveSearch: PredictiveSearchResult = {
    terms: "<to",
    types: ["query", "product"],
    queries: [{ text: "to<te", styledText: "<mark>to</mark><span>&lt;te</span>" }],
    products: [product],
    collections: [],
    pages: [],
    articles: [],
    bundles: [],
  };
  assert.equal(
    await theme.section("a", { predictiveSearch, target: "/search?q=to" }),
    "true &lt;to query,product <mark>to</mark><span>&lt;te</span> to&lt;te /search?q=to%3Cte Tote 0 ",
  );
  assert.equal(await theme.section("a"), "false     0 ");
  assert.equal(
    await theme.section("counts", { predictiveSearch }),
    "queries 1 products 1 collections 0 pages 0 articles 0 bundles 0 ",
  );
});

test("localization links to the same page in every language", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid":
      "{{ localization.language.iso_code }}:{% for l in localization.available_languages %} {{ l.endonym_name }} {{ l.url }}{% endfor %} {{ request.path }} {{ request.locale.iso_code }} {{ canonical_url }}",
  });
  assert.equal(
    await theme.section("a", { target: "/products/tote?variant=12&section_id=a", locale: "fr" }),
    "fr: English /products/tote?variant=12 Français /fr/products/tote?variant=12 日本語 /ja/products/tote?variant=12 /fr/products/tote fr https://shop.example/fr/products/tote",
  );
});

test("a language names the language of the theme's texts, which differs if the theme lacks it", async (t) => {
  const template = { "sections/a.liquid": "{{ request.locale.theme_iso_code }} {{ 'k' | t }}" };
  const texts = { "locales/en.default.json": '{"k":"K"}', "locales/nb.json": '{"k":"Å"}' };
  const theme = await openTheme(t, { ...template, ...texts });
  for (const [locale, expected] of [
    ["fr", "en K"],
    ["en-AU", "en-AU K"],
    ["no", "nb Å"],
  ] as const)
    assert.equal(await theme.section("a", { locale }), expected);
  const withoutTexts = await openTheme(t, template);
  assert.match(await withoutTexts.section("a", { locale: "fr" }), /^fr /);
});

test("menus are read from the store's settings, translated and prefixed", async (t) => {
  const tote = { title: "Tote", url: "/products/tote", links: [], translations: {} };
  const menus = {
    main: [
      { title: "Bags", url: "/collections/bags", translations: { fr: "Sacs" }, links: [tote] },
      { title: "Out", url: "https://out.example/", links: [], translations: {} },
    ],
  };
  const theme = await openTheme(
    t,
    {
      "sections/a.liquid":
        "{% for l in linklists.main.links %}{{ l.title }} {{ l.url }} {{ l.active }} {{ l.child_active }} {{ l.links.size }};{% endfor %}{{ linklists.none.links.size }}{{ linklists['main'].levels }}",
    },
    { menus },
  );
  assert.equal(
    await theme.section("a", { locale: "fr", target: "/products/tote" }),
    "Sacs /fr/collections/bags false true 1;Out https://out.example/ false false 0;2",
  );
});

test("blogs show published articles, newest first", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid":
      "{% for a in blogs.news.articles %}{{ a.title }} {{ a.url }}{% endfor %} {{ blogs.news.articles_count }} {{ blogs.none.title }}",
  });
  assert.equal(await theme.section("a"), "First /blogs/news/first 1 ");
  assert.match(await theme.section("a", { now: Date.parse("2028-01-01") }), /^Later .*First .* 2 $/);
});

test("no expression of a template reaches outside the shop's objects (N13)", async (t) => {
  const objects = [
    "product",
    "cart",
    "shop",
    "collections",
    "settings",
    "section",
    "localization",
    "routes",
    "template",
    "cart.items[0]",
  ];
  const names = ["constructor", "__proto__", "toString", "valueOf", "hasOwnProperty", "prototype", "__defineGetter__"];
  for (const object of objects) {
    const outputs = names.map((name) => `{{ ${object}.${name} }}{{ ${object}['${name}'].constructor }}`).join("");
    const theme = await openTheme(t, {
      "sections/a.liquid": `[${outputs.replaceAll(`{{ template.valueOf }}`, "")}]{{ constructor }}{{ toString }}`,
    });
    assert.equal(await theme.section("a", { cart: async () => buildCart(1), target: "/products/tote" }), "[]", object);
  }
});

test("an object prints its handle, or nothing; json writes its fields and does not follow links", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid": "[{{ product }}{{ shop }}{{ collections }}{{ cart }}]",
    "sections/b.liquid": "{{ product | json }}",
    "sections/c.liquid": "{{ cart | json }}",
  });
  const request = { target: "/products/tote", cart: async () => buildCart(1) };
  assert.equal(await theme.section("a", request), "[tote]");
  const product = JSON.parse(await theme.section("b", request));
  assert.deepEqual([product.title, product.variants.length, product.collections], ["Tote", 2, undefined]);
  const [media] = product.media;
  assert.deepEqual(
    [media.media_type, media.preview_image.src, media.preview_image.preview_image],
    ["image", media.src, undefined],
  );
  assert.ok(product.variants.every((variant: object) => "featured_media" in variant));
  const cart = JSON.parse(await theme.section("c", request));
  assert.deepEqual([cart.item_count, cart.items[0].quantity, cart.attributes, "note" in cart], [1, 1, {}, false]);
});

test("json of products omits exact stock, which templates can read, and writes the fields of options", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid":
      '{ "product": {{ product | json }}, "variants": {{ product.variants | json }}, "collection": {{ collections.all.products | json }}, "options": {{ product.options_with_values | json }} }',
    "sections/b.liquid":
      "{% assign v = product.variants.first %}{{ v.inventory_quantity }} {{ v.inventory_policy }}{% for o in product.options_with_values %} {{ o }} {{ o.selected_value }}{% endfor %}",
  });
  const request = { target: "/products/tote" };
  const text = await theme.section("a", request);
  assert.doesNotMatch(text, /inventory_(?:quantity|policy)/);
  const { product, options } = JSON.parse(text);
  assert.equal(product.variants.length, 2);
  assert.deepEqual(options, [{ name: "Colour", position: 1, values: ["Red", "Blue"] }]);
  assert.equal(await theme.section("b", request), "0 deny Colour Red");
});

test("live bundles can be iterated and looked up", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid":
      "{{ bundles.size }} {% for b in bundles %}{{ b.name }} {{ b.url }}{% endfor %} {{ bundles['gift-box'].products.size }}{{ bundles['none'].name }}",
  });
  assert.equal(await theme.section("a", { locale: "fr" }), "1 Gift box /fr/bundles/gift-box 2");
  const catalog = buildCatalog([buildProduct()]);
  assert.equal(await theme.section("a", { catalog }), "0  ", "one of its products no longer exists");
});
