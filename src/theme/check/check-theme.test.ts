import assert from "node:assert/strict";
import test from "node:test";
import { type Files, findingsOf } from "./theme-files.fixture.ts";

interface CheckCase {
  readonly faultyTheme: Files;
  /** Expected problems of the faulty theme, in order. */
  readonly expectedFindings: readonly string[];
  /** The corrected theme, which has no problems. */
  readonly correctTheme: Files;
}

const cases: Readonly<Record<string, CheckCase>> = {
  "an unknown filter": {
    faultyTheme: { "sections/a.liquid": "\n  {{ product.price | monye }}" },
    expectedFindings: ['sections/a.liquid:2:22 error unknown-filter: unknown filter "monye": did you mean "money"?'],
    correctTheme: { "sections/a.liquid": "\n  {{ product.price | money }}" },
  },
  "a filter in a condition, a loop or an argument": {
    faultyTheme: {
      "sections/a.liquid": "{% if a | upcas %}{% endif %}{% assign b = 1 | plsu: 1 %}{% liquid\n echo b | rond\n%}",
    },
    expectedFindings: [
      'sections/a.liquid:1:1 warning syntax: "a | upcas" is malformed; the unreadable parts are ignored',
      'sections/a.liquid:1:7 warning unknown-variable: unknown variable "a", which is always empty',
      'sections/a.liquid:1:48 error unknown-filter: unknown filter "plsu": did you mean "plus"?',
      'sections/a.liquid:2:11 error unknown-filter: unknown filter "rond": did you mean "round"?',
    ],
    correctTheme: { "sections/a.liquid": "{% assign b = 1 | plus: 1 %}{% liquid\n echo b | round\n%}" },
  },
  "an unknown tag, with and without a body": {
    faultyTheme: { "sections/a.liquid": "{% rendre 'b' %}\n{% shout %}{{ 1 | nosuch }}{% endshout %}" },
    expectedFindings: [
      'sections/a.liquid:1:1 error unknown-tag: unknown tag "rendre": did you mean "render"?',
      'sections/a.liquid:2:1 error unknown-tag: unknown tag "shout"',
      'sections/a.liquid:2:19 error unknown-filter: unknown filter "nosuch"',
    ],
    correctTheme: { "sections/a.liquid": "{% render 'b' %}", "snippets/b.liquid": "b" },
  },
  "a tag that is not closed": {
    faultyTheme: {
      "sections/a.liquid": "\n{% if product %}x",
      "sections/c.liquid": "a\n{{ product",
    },
    expectedFindings: [
      "sections/a.liquid:2:1 error syntax: 'if' tag was never closed",
      "sections/c.liquid:2:1 error syntax: Variable '{{' was not properly terminated with regexp: /\\}\\}/",
    ],
    correctTheme: {
      "sections/a.liquid": "\n{% if product %}x{% endif %}",
      "sections/b.liquid": "{% for x in (1..2) %}{% endfor %}",
    },
  },
  "an unknown property of an object or a nested object": {
    faultyTheme: {
      "sections/a.liquid":
        "{{ product.titel }}{{ product.featured_image.heigth }}{% for p in collection.products %}{{ p.vendr }}{% endfor %}{{ collections['a'].titel }}",
    },
    expectedFindings: [
      'sections/a.liquid:1:12 warning unknown-property: unknown property "titel" of product, which is always empty: did you mean "title"?',
      'sections/a.liquid:1:46 warning unknown-property: unknown property "heigth" of image, which is always empty: did you mean "height"?',
      'sections/a.liquid:1:94 warning unknown-property: unknown property "vendr" of product, which is always empty: did you mean "vendor"?',
      'sections/a.liquid:1:134 warning unknown-property: unknown property "titel" of collection, which is always empty: did you mean "title"?',
    ],
    correctTheme: {
      "sections/a.liquid":
        "{{ product.title }}{{ product.featured_image.height }}{% for p in collection.products %}{{ p.vendor }}{% endfor %}{{ collections['a'].title }}{{ product.images.size }}{{ product.variants.first.price }}{{ product.metafields.a.b.c }}",
    },
  },
  "an unknown property of a snippet argument": {
    faultyTheme: {
      "sections/a.liquid": "{% render 'card', item: product %}",
      "snippets/card.liquid": "{{ item.titel }}",
    },
    expectedFindings: [
      'snippets/card.liquid:1:9 warning unknown-property: unknown property "titel" of product, which is always empty: did you mean "title"?',
    ],
    correctTheme: {
      "sections/a.liquid": "{% render 'card', item: product %}{% render 'card' with section as item %}",
      "snippets/card.liquid": "{{ item.anything }}{{ never_given }}",
    },
  },
  "an unknown variable": {
    faultyTheme: { "sections/a.liquid": "{{ prodct.title }}" },
    expectedFindings: [
      'sections/a.liquid:1:4 warning unknown-variable: unknown variable "prodct", which is always empty: did you mean "product"?',
    ],
    correctTheme: {
      "sections/a.liquid":
        "{% assign x = 1 %}{% capture y %}{% endcapture %}{% for z in (1..x) %}{{ z }}{{ forloop.index }}{% endfor %}{{ y }}{% increment n %}{{ n }}{% form 'cart', cart %}{{ form.id }}{% endform %}{% paginate collection.products by 2 %}{{ paginate.pages }}{% endpaginate %}",
    },
  },
  "a missing file": {
    faultyTheme: {
      "layout/theme.liquid": "{% section 'heder' %}{% sections 'top' %}",
      "sections/header.liquid": "{% render 'pric' %}{% content_for 'block', type: 'gone', id: 'x' %}",
      "snippets/price.liquid": "{% render 'price-tag' %}",
      "snippets/price-tag.liquid": "",
      "templates/page.liquid": "{% layout 'bare' %}{% render 'price' %}",
    },
    expectedFindings: [
      'layout/theme.liquid:1:1 error missing-file: no file sections/heder.liquid: did you mean "header"?',
      "layout/theme.liquid:1:22 error missing-file: no file sections/top.json",
      'sections/header.liquid:1:1 error missing-file: no file snippets/pric.liquid: did you mean "price"?',
      "sections/header.liquid:1:20 error missing-file: no file blocks/gone.liquid",
      "templates/page.liquid:1:1 error missing-file: no file layout/bare.liquid",
    ],
    correctTheme: {
      "layout/theme.liquid": "{% section 'header' %}{% sections 'top' %}",
      "sections/header.liquid": "{% render 'price' %}",
      "sections/top.json": '{"sections":{},"order":[]}',
      "snippets/price.liquid": "",
      "templates/page.liquid": "{% layout none %}",
    },
  },
  "a missing asset": {
    faultyTheme: {
      "assets/base.css": "",
      "sections/a.liquid":
        "{{ 'bas.css' | asset_url }}{% assign n = 'icon' | append: '.svg' %}\n{{ n | inline_asset_content }}",
    },
    expectedFindings: [
      'sections/a.liquid:1:16 error missing-asset: no file assets/bas.css: did you mean "base.css"?',
      "sections/a.liquid:2:8 error missing-asset: no file assets/icon.svg",
    ],
    correctTheme: {
      "assets/base.css": "",
      "assets/theme.css.liquid": "a { color: {{ settings.c }} }",
      "sections/a.liquid":
        "{{ 'base.css?#a' | asset_url }}{{ 'theme.css' | asset_url }}{{ product.handle | append: '.svg' | asset_url }}",
    },
  },
  "missing and inconsistent translations": {
    faultyTheme: {
      "sections/a.liquid": "{{ 'cart.titel' | t }}{{ 'cart.items' | t: count: 2 }}{{ 'shopify.page' | t }}",
      "locales/en.default.json":
        '{"cart":{"title":"Cart of {{ name }}","items":{"one":"1","other":"{{ count }}"},"empty":"-"}}',
      "locales/pl.json": '{"cart":{"title":"{{ nme }}","items":{"one":"1","other":"n"}},"old":"x"}',
      "locales/fr.json": '{"cart":{"title":"t","empty":"-","items":{"one":"1"}}}',
    },
    expectedFindings: [
      'locales/fr.json:1:43 error locale: "cart.items" has no plural form "other"',
      'locales/pl.json:1:1 warning locale: 1 text without the plural form "few", "other" is shown: cart.items',
      'locales/pl.json:1:1 warning locale: 1 text without the plural form "many", "other" is shown: cart.items',
      "locales/pl.json:1:1 warning locale: has 1 text that locales/en.default.json lacks: old",
      "locales/pl.json:1:1 warning locale: lacks 1 text, shown in the language of locales/en.default.json: cart.empty",
      'locales/pl.json:1:10 warning locale: "cart.title" names {{ nme }}, which the text of locales/en.default.json does not',
      'sections/a.liquid:1:19 error missing-translation: no text "cart.titel" in locales/en.default.json: did you mean "cart.title"?',
    ],
    correctTheme: {
      "sections/a.liquid": "{{ 'cart.title' | t: name: 'x' }}{{ 'cart.items' | t: count: 2 }}{{ product.type | t }}",
      "locales/en.default.json":
        '/* made by hand */ {"cart":{"title":"Cart of {{ name }}","items":{"one":"1","other":"{{ count }}"}}}',
      // Whole numbers have no form "other" in Polish.
      "locales/pl.json": '{"cart":{"title":"{{ name }}","items":{"one":"1","few":"2","many":"5"}}}',
      "locales/pt.json": '{"cart":{"title":"t","items":{"one":"1","other":"n"}},"shopify":{"day":{"one":"1"}}}',
      "locales/fr.json": '{"cart":{"title":"t","items":{"one":"1","other":"n"}}}',
    },
  },
  "unescaped text that a link can set": {
    faultyTheme: {
      "sections/a.liquid":
        "{{ search.terms }}{% assign t = predictive_search.terms | upcase | default: 'x' %}<b>{{ t | append: '!' }}</b>\n{% capture c %}{{ search.terms }}{% endcapture %}{{ c }}",
    },
    expectedFindings: [
      'sections/a.liquid:1:1 error unescaped: prints search.terms, which shoppers write, as HTML: add "| escape" +1',
      'sections/a.liquid:1:86 error unescaped: prints predictive_search.terms, which shoppers write, as HTML: add "| escape"',
    ],
    correctTheme: {
      "sections/a.liquid":
        "{{ search.terms | escape }}{{ search.terms | json }}{{ search.terms.size }}{{ 'a' | t: terms: search.terms, default: 'b' }}{% if search.terms == 'x' %}{% endif %}{% capture c %}{{ search.terms }}{% endcapture %}{{ c | escape }}{% assign t = search.terms %}{% if t %}{% assign t = t | escape %}{% else %}{% assign t = 'x' %}{% endif %}{{ t }}{{ search.terms | url_encode }}",
    },
  },
  "unescaped text that only its author sees": {
    faultyTheme: {
      "sections/a.liquid":
        "{{ cart.note }}{% for item in cart.items %}{% for property in item.properties %}{{ property.last }}{% endfor %}{% render 'line', line: item %}{% endfor %}{% form 'contact' %}{{ form.email }}{% endform %}{{ customer.email }}",
      "snippets/line.liquid": "{{ line.properties['engraving'] }}",
    },
    expectedFindings: [
      'sections/a.liquid:1:1 warning unescaped: prints the cart\'s note or attributes, which shoppers write, as HTML: add "| escape"',
      'sections/a.liquid:1:81 warning unescaped: prints a line item\'s properties, which shoppers write, as HTML: add "| escape" +1',
      'sections/a.liquid:1:204 warning unescaped: prints the customer\'s data, which shoppers write, as HTML: add "| escape"',
    ],
    correctTheme: {
      "sections/a.liquid":
        "{{ cart.note | escape }}{% for item in cart.items %}{% for property in item.properties %}{{ property.last | escape }}{% endfor %}{{ item.title }}{{ item.properties | size }}{% endfor %}{% form 'contact' %}{{ form.email | escape }}{{ form.id }}{% endform %}",
    },
  },
  "a setting that the schema does not define": {
    faultyTheme: {
      "sections/a.liquid":
        '{{ section.settings.titel }}{{ settings.colr }}{% for block in section.blocks %}{{ block.settings.tex }}{% endfor %}{% schema %}{"settings":[{"type":"text","id":"title"}],"blocks":[{"type":"b","settings":[{"type":"text","id":"text"}]}]}{% endschema %}',
      "blocks/c.liquid": '{{ block.settings.x }}{% schema %}{"settings":[{"type":"text","id":"y"}]}{% endschema %}',
      "config/settings_schema.json": '[{"name":"a","settings":[{"type":"color","id":"color"}]}]',
    },
    expectedFindings: [
      'blocks/c.liquid:1:19 warning unknown-property: the schema of blocks/c.liquid has no setting "x"',
      'sections/a.liquid:1:21 warning unknown-property: the schema of sections/a.liquid has no setting "titel": did you mean "title"?',
      'sections/a.liquid:1:41 warning unknown-property: config/settings_schema.json has no setting "colr": did you mean "color"?',
      'sections/a.liquid:1:99 warning unknown-property: no block of sections/a.liquid has a setting "tex": did you mean "text"?',
    ],
    correctTheme: {
      "sections/a.liquid":
        '{{ section.settings.title }}{{ settings.color.red }}{% for block in section.blocks %}{{ block.settings.text }}{{ block.type }}{% endfor %}{{ section.settings[block.type] }}{% schema %}{"settings":[{"type":"text","id":"title"}],"blocks":[{"type":"b","settings":[{"type":"text","id":"text"}]}]}{% endschema %}',
      "config/settings_schema.json": '[{"name":"a","settings":[{"type":"color","id":"color"}]}]',
      "sections/b.liquid":
        '{% for block in section.blocks %}{{ block.settings.any }}{% endfor %}{% schema %}{"blocks":[{"type":"@theme"}]}{% endschema %}',
    },
  },
  "an unused snippet": {
    faultyTheme: { "snippets/old.liquid": "{% comment %}{% render 'old' %}{% endcomment %}" },
    expectedFindings: ["snippets/old.liquid:1:1 warning unused-snippet: nothing renders this snippet: delete it"],
    correctTheme: {
      "snippets/old.liquid": "",
      "snippets/b.liquid": "{% liquid\n render 'old'\n%}",
      "sections/a.liquid": "{% include 'b' %}",
    },
  },
  "snippets that render each other": {
    faultyTheme: {
      "sections/a.liquid": "{% render 'one' %}",
      "snippets/one.liquid": "{% render 'two' %}",
      "snippets/two.liquid": "\n {% render 'three' %}",
      "snippets/three.liquid": "{% if a %}{% render 'one' %}{% endif %}",
    },
    expectedFindings: [
      "snippets/one.liquid:1:1 error circular-snippets: renders itself recursively: snippets/one.liquid → snippets/two.liquid → snippets/three.liquid → snippets/one.liquid",
    ],
    correctTheme: {
      "sections/a.liquid": "{% render 'one' %}{% render 'two' %}",
      "snippets/one.liquid": "{% render 'two' %}",
      "snippets/two.liquid": "",
    },
  },
  "section ids of another shop system": {
    faultyTheme: {
      "assets/a.js": `\nconst a = document.querySelector('#shopify-section-header');\nconst b = \`shopify-section-\${id}\`;`,
    },
    expectedFindings: [
      'assets/a.js:2:36 error wrapper-id: the ids of sections start with "store-section-": use that instead of "shopify-section-", or set "compat: true" in vitrine.config.ts for a theme made for Shopify +1',
    ],
    correctTheme: {
      "assets/a.js":
        "const a = document.querySelector('#store-section-header'); a.classList.add('shopify-section-sticky');",
      "assets/a.css": ".shopify-section-sticky { top: 0 }",
    },
  },
  "cart writes without the CSRF token": {
    faultyTheme: {
      "assets/a.js": `fetch(\`\${routes.cart_add_url}\`, { method: 'POST' });\nxhr.open('POST', '/cart/change.js');`,
      "sections/a.liquid": '{{ product.title }}\n{% javascript %}fetch("/cart/update.js", o);{% endjavascript %}',
    },
    expectedFindings: [
      'assets/a.js:1:1 error cart-token: writes to the cart without the header "x-csrf-token", which is refused: set "compat: true" in vitrine.config.ts, or send the header +2',
    ],
    correctTheme: {
      "assets/a.js": "fetch('/cart/add.js', { method: 'POST', headers: { 'x-csrf-token': token } });",
      "assets/b.js": "fetch('/cart.js'); fetch('/search/suggest');",
      "assets/c.js": 'import { cart } from "/vitrine/vitrine.js"; cart.add(1);',
    },
  },
  "inline scripts and event handlers": {
    faultyTheme: { "sections/a.liquid": '<script>\nlet a;</script>\n<a href="/" onclick="go()">x</a>' },
    expectedFindings: [
      "sections/a.liquid:1:1 warning inline-code: inline script: pages of this theme are served with a looser content security policy; move it into a file of assets/",
      "sections/a.liquid:3:13 warning inline-code: inline event handler: pages of this theme are served with a looser content security policy; move it into a file of assets/",
    ],
    correctTheme: {
      "assets/a.js": "",
      "sections/a.liquid":
        '<script src="{{ \'a.js\' | asset_url }}" defer></script><script type="application/ld+json">{}</script><script type=\'application/json\'>{}</script>{% comment %}<script>{% endcomment %}<p>on = "x"</p>',
    },
  },
};

for (const [name, { faultyTheme, expectedFindings, correctTheme }] of Object.entries(cases)) {
  test(`check reports ${name}`, (t) => {
    assert.deepEqual(findingsOf(t, faultyTheme), expectedFindings);
  });
  test(`check reports nothing for the corrected theme: ${name}`, (t) => {
    assert.deepEqual(
      findingsOf(t, correctTheme).filter((finding) => !finding.includes("unused-snippet")),
      [],
    );
  });
}

test("cart writes without a token are valid if the compat script adds it", (t) => {
  const files = { "assets/a.js": "fetch('/cart/add.js', { method: 'POST' });" };
  assert.deepEqual(
    findingsOf(t, files, { compat: { forms: true, script: true, sectionPrefix: "store-section-" } }),
    [],
  );
});

test("a theme without a layout is reported", (t) => {
  const findings = findingsOf(t, { "layout/theme.liquid": "{% if %}" });
  assert.equal(findings.length, 1, findings.join("\n"));
});
