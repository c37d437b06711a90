import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { openTheme } from "../../example-shop.fixture.ts";

interface Setting {
  readonly type: string;
  readonly value?: unknown;
  readonly default?: unknown;
  readonly options?: readonly unknown[];
}

/** Renders a template such as `{{ section.settings.x }}` with the given setting. */
async function renderSetting(t: TestContext, setting: Setting, liquid: string, target = "/"): Promise<string> {
  const { value: _, ...settingSchema } = setting;
  const schema = JSON.stringify({ settings: [{ id: "x", ...settingSchema }] });
  const settings = setting.value === undefined ? {} : { x: setting.value };
  const template = JSON.stringify({ sections: { main: { type: "a", settings } } });
  const theme = await openTheme(
    t,
    {
      "sections/a.liquid": `{% assign x = section.settings.x %}${liquid}{% schema %}${schema}{% endschema %}`,
      "templates/index.json": template,
      "templates/product.json": template,
      "locales/en.default.schema.json": '{"defaults":{"hello":"Hello there"}}',
      "config/settings_schema.json": JSON.stringify([
        { name: "theme_info", theme_name: "Quay" },
        {
          name: "Colours",
          settings: [
            {
              id: "schemes",
              type: "color_scheme_group",
              definition: [{ id: "back", type: "color", default: "#000000" }],
            },
          ],
        },
      ]),
      "config/settings_data.json":
        '/* made */ {"current":"Sea","presets":{"Sea":{"schemes":{"one":{"settings":{"back":"#ffffff"}},"two":{"settings":{}}}}}}',
    },
    { menus: { "main-menu": [{ title: "Bags", url: "/collections/bags", links: [], translations: {} }] } },
  );
  return theme.section("main", { target });
}

const choices = [
  { value: "one", label: "1" },
  { value: "two", label: "2" },
];

const cases: readonly (readonly [name: string, setting: Setting, liquid: string, text: string])[] = [
  ["a default text by its key", { type: "text", default: "t:defaults.hello" }, "{{ x }}", "Hello there"],
  ["a checkbox without a value", { type: "checkbox" }, "{{ x }}", "false"],
  ...["text", "textarea", "html", "liquid", "richtext", "inline_richtext"].map(
    (type) =>
      [
        `empty text without a value: ${type}`,
        { type },
        '{{ x | json }}{% if x != "" %} not empty{% endif %}',
        '""',
      ] as const,
  ),
  ...["product_list", "collection_list", "article_list", "metaobject_list"].map(
    (type) => [`an empty list without a value: ${type}`, { type }, "{{ x | json }} {{ x.size }}", "[] 0"] as const,
  ),
  ...["number", "url", "product", "link_list", "image_picker", "video_url"].map(
    (type) => [`nothing without a value: ${type}`, { type }, "{{ x | json }}", "null"] as const,
  ),
  ["a text that is null", { type: "text", value: null }, "{{ x | json }}", '""'],
  ["a select without a default has its first option", { type: "select", options: choices }, "{{ x }}", "one"],
  ["a radio without a default has its first option", { type: "radio", options: choices }, "{{ x }}", "one"],
  ["a select with a value", { type: "select", options: choices, value: "two" }, "{{ x }}", "two"],
  ["a select with a default", { type: "select", options: choices, default: "two" }, "{{ x }}", "two"],
  ["a select without options", { type: "select" }, "{% if x == blank %}none{% endif %}", "none"],
  ["an alignment without a default", { type: "text_alignment" }, "{{ x }}", "left"],
  ["a color scheme without a default is the first one", { type: "color_scheme" }, "{{ x.id }}", "one"],
  ["an unchecked checkbox", { type: "checkbox", default: true, value: false }, "{{ x }}", "false"],
  [
    "a colour",
    { type: "color", value: "#1E90FF80" },
    "{{ x }} {{ x.red }} {{ x.rgb }} {{ x.rgba }} {{ x.hue }} {{ x.saturation }} {{ x.lightness }} {{ x.chroma }} {{ x.oklch }}, {{ x.oklcha }}",
    "#1E90FF80 30 30 144 255 30 144 255 / 0.5 210 100 56 0.19 65.2% 0.190 253.2, 65.2% 0.190 253.2 / 0.5",
  ],
  ...[{ type: "color", value: "" }, { type: "color" }].map(
    (setting) =>
      [
        `an empty color ${JSON.stringify(setting)}`,
        setting,
        "{% if x == blank %}none{% endif %}{% if x != '' %}set{% endif %}{{ x.red }}{{ x | color_brightness }}",
        "none",
      ] as const,
  ),
  [
    "a colour scheme",
    { type: "color_scheme", value: "two" },
    "{{ x }} {{ x.id }} {{ x.settings.back }}",
    "two two #000000",
  ],
  ["a removed color scheme", { type: "color_scheme", value: "nine" }, "color-{{ x }}", "color-one"],
  [
    "all schemes",
    { type: "text" },
    "{% for s in settings.schemes %}{{ s.id }}:{{ s.settings.back.rgb }} {% endfor %}{{ settings.schemes.size }}",
    "one:255 255 255 two:0 0 0 2",
  ],
  [
    "a font",
    { type: "font_picker", default: "playfair_display_i7" },
    "{{ x.family }}, {{ x.fallback_families }} {{ x.weight }} {{ x.style }} {{ x.system? }}",
    '"Playfair Display", serif 700 italic true',
  ],
  [
    "a font, whose weight is text",
    { type: "font_picker", default: "playfair_display_i7" },
    "{% for font in x.variants %}{% if font.weight > '200' and font.weight == '700' %}bold{% endif %}{% endfor %}, {{ x.weight | plus: 100 }}",
    "bold, 800",
  ],
  [
    "a font of the machine",
    { type: "font_picker", value: "helvetica_n4" },
    "{{ x.family }} {{ x.system? }}",
    "Helvetica true",
  ],
  ["a URL of the shop", { type: "url", value: "shopify://collections/bags" }, "{{ x }}", "/collections/bags"],
  [
    "a menu",
    { type: "link_list", value: "main-menu" },
    "{{ x.links.first.title }} {{ x.links[0].type }}",
    "Bags collection_link",
  ],
  ["a product", { type: "product", value: "mug" }, "{{ x.title }}", "Mug"],
  [
    "products",
    { type: "product_list", value: ["mug", "gone", "tote"] },
    "{% for p in x %}{{ p.title }} {% endfor %}",
    "Mug Tote ",
  ],
  [
    "articles",
    { type: "article_list", value: ["news/gone", "news/first"] },
    "{% for article in x %}{{ article.title }} {% endfor %}",
    "First ",
  ],
  ["an article", { type: "article", value: "news/first" }, "{{ x.title }}", "First"],
  [
    "a picture",
    { type: "image_picker", value: "/media/a.jpg" },
    "{{ x.src }} {{ x.aspect_ratio }}",
    "/media/a.jpg 1.0",
  ],
  [
    "a picture of elsewhere",
    { type: "image_picker", value: "shopify://shop_images/a.jpg" },
    "{{ x.src }}{% if x == nil %}none{% endif %}",
    "none",
  ],
  [
    "a film",
    { type: "video_url", value: "https://www.youtube.com/watch?v=abcdefg1234" },
    "{{ x.type }} {{ x.id }}",
    "youtube abcdefg1234",
  ],
  [
    "a short film without cookies",
    { type: "video_url", value: "https://www.youtube-nocookie.com/shorts/abcdefg1234" },
    "{{ x.type }} {{ x.id }}",
    "youtube abcdefg1234",
  ],
  [
    "the short host of a video with www",
    { type: "video_url", value: "https://www.youtu.be/abcdefg1234" },
    "{{ x.type }} {{ x.id }}",
    "youtube abcdefg1234",
  ],
  [
    "Liquid of the merchant",
    { type: "liquid", value: "{% if true %}{{ shop.name }}{% endif %}" },
    "{{ x }}",
    "Tea & Co",
  ],
  ["a field of the page's product", { type: "text", value: "By {{ product.vendor }}!" }, "{{ x }}", "By Harbour!"],
  ["the page's product itself", { type: "product", value: "{{ closest.product }}" }, "{{ x.handle }}", "tote"],
  ["a missing metafield", { type: "text", value: "{{ product.metafields.a.b.value }}" }, "[{{ x }}]", "[]"],
  [
    "a field of what there is not here, and what is no path",
    {
      type: "text",
      value: 'a{{ metaobjects.experts["a-b"].photo.value | x: 1 }}b{{ 1 + 2 }}c{{ collections["bags"].title }}',
    },
    "{{ x }}",
    "abcBags",
  ],
  ["a default in each language", { type: "text", default: { fr: "Soldes", en: "Sale" } }, "{{ x }}", "Sale"],
  [
    "a default in a language the shop has not",
    { type: "text", default: { de: "Ausverkauf" } },
    "{{ x }}",
    "Ausverkauf",
  ],
  ["a value in each language", { type: "text", value: { fr: "Soldes", en: "Sale" } }, "{{ x }}", "Sale"],
  ["text in HTML", { type: "richtext", value: "<p>{{ shop.name }}</p>" }, "{{ x }}", "<p>Tea &amp; Co</p>"],
  ["the product's HTML", { type: "richtext", value: "{{ product.description }}" }, "{{ x }}", "<p>A bag.</p>"],
];

for (const [name, setting, liquid, text] of cases)
  test(`setting: ${name}`, async (t) => assert.equal(await renderSetting(t, setting, liquid, "/products/tote"), text));

test("a setting's Liquid that reads itself fails its section", async (t) => {
  const setting = { type: "liquid", value: "{{ section.settings.x }}" };
  await assert.rejects(renderSetting(t, setting, "{{ x }}"), /reads the setting itself/);
});

test("settings resolve to the objects that they name, with the schema's defaults", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid": `{{ settings.tone }} {{ settings.size }} {{ section.settings.col.title }} {{ section.settings.item.url }} {{ section.settings.items | map: 'handle' | join }} {{ section.settings.pic | image_url }} {{ section.settings.go }} {{ section.settings.menu.links.size }} {{ section.settings.word }} {{ section.settings.gone.title }}{{ section.settings.constructor }}
      {%- schema %}{"settings":[{"id":"col","type":"collection","default":"bags"},{"id":"item","type":"product","default":"tote"},{"id":"items","type":"product_list","default":["tote","none","mug"]},{"id":"pic","type":"image_picker","default":"/media/a.jpg"},{"id":"go","type":"url","default":"/cart"},{"id":"menu","type":"link_list","default":"none"},{"id":"word","type":"text","default":"t:word"},{"id":"gone","type":"page","default":"none"}]}{% endschema %}`,
    "config/settings_schema.json":
      '[{"name":"info"},{"settings":[{"id":"tone","default":"blue"},{"id":"size","default":3}]}]',
    "config/settings_data.json": '/* c */ {"current":"Default","presets":{"Default":{"size":9}}}',
    "locales/fr.json": '{"word":"mot"}',
  });
  assert.equal(
    await theme.section("a", { locale: "fr" }),
    "blue 9 Bags /fr/products/tote tote mug /media/a.jpg /fr/cart  mot ",
  );
});

test("settings that name objects print and find them by handle, as in themes from before 2021", async (t) => {
  const kinds = [
    "collection=bags",
    "product=tote",
    "page=about",
    "blog=news",
    "article=news/first",
    "link_list=main-menu",
  ];
  const settings = kinds.map((kind) => {
    const [type, handle] = kind.split("=");
    return { id: type, type, default: handle };
  });
  const theme = await openTheme(t, {
    "sections/a.liquid": `{% assign s = section.settings -%}
      {{ collections[s.collection].title }},{{ all_products[s.product].title }},{{ pages[s.page].title }},
      {{- blogs[s.blog].title }},{{ articles[s.article].title }},{{ linklists[s.link_list].title }}
      {{- ' /' }}{{ s.collection }}/{{ s.product }}/{{ s.page }}/{{ 'blogs/' | append: s.blog }}/{{ s.article }}/{{ s.link_list }}
      {%- schema %}${JSON.stringify({ settings })}{% endschema %}`,
  });
  assert.equal(
    await theme.section("a"),
    "Bags,Tote,About,News,First,Main menu /bags/tote/about/blogs/news/news/first/main-menu",
  );
});
