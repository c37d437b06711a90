import { testFilters } from "./filter-examples.fixture.ts";

testFilters({
  handleize: [
    ["{{ ' Crème Brûlée! 茶 ' | handleize }} {{ 'A' | handle }}", "creme-brulee-茶 a"],
    [
      "{{ 'Été' | handle }} {{ 'ガイド' | handle }} {{ '한국' | handle }} {{ 'กันฝน' | handle }}",
      "ete ガイド 한국 กันฝน",
    ],
    [`{{ "Men's (new) [in]" | handle }} {{ '"A"_b.c' | handle }} {{ 'Men’s' | handle }}`, "mens-new-in a_b-c men-s"],
    ["{{ 'ete' | handle }} {{ 'İzmir' | handle | handle }} {{ '50% off' | handle | handle }}", "ete izmir 50-off"],
  ],
  camelize: [["{{ 'coming-soon now' | camelize }} {{ 'a_b' | camelcase }}", "ComingSoonNow AB"]],
  pluralize: [["{{ 1 | pluralize: 'a', 'b' }}{{ 2 | pluralize: 'a', 'b' }}", "ab"]],
  url_encode: [
    ["{{ 'a b&c/é!' | url_encode }} {{ 'a b' | url_param_escape }}", "a+b%26c%2F%C3%A9%21 a%20b"],
    ["{{ 'a+b%26' | url_decode }} {{ '%' | url_decode }}", "a b& %"],
    ["{{ '/a b' | url_escape }}", "/a%20b"],
  ],
  "url_encode, url_param_escape, url_escape, and handleize of escaped text": [
    [
      `{{ '"a" & b' | escape | url_encode }} {{ '"a" & b' | escape | url_param_escape }}`,
      "%22a%22+%26+b %22a%22%20%26%20b",
    ],
    [`{{ '"a" & b' | escape | url_escape }} {{ '"a" & b' | escape | handleize }}`, "%22a%22%20&%20b a-b"],
    [
      `{{ "<'/onclick=" | escape | url_escape }} {{ "<'/onclick=" | escape | camelize }}`,
      "%3C%27/onclick= &lt;&#39;/onclick=",
    ],
  ],
  "escape and escape_once of HTML and of escaped text": [
    [
      "{{ 'A & b' | link_to: '/x' | escape }} {{ 'A & b' | escape | escape }}",
      "&lt;a href=&quot;/x&quot;&gt;A &amp;amp; b&lt;/a&gt; A &amp; b",
    ],
    [
      "{{ 'A & b' | link_to: '/x' | escape_once }} {{ 'A & b' | escape | escape_once }}",
      "&lt;a href=&quot;/x&quot;&gt;A &amp; b&lt;/a&gt; A &amp; b",
    ],
    [
      "{{ '/a.png' | image_tag: alt: 'A & b' | escape }}{{ '/a.png' | img_tag: 'A' | escape_once }}",
      '<img src="/a.png" alt="A &amp; b" loading="lazy"><img src="/a.png" alt="A">',
    ],
    ["{{ product.media.first | media_tag | escape | slice: 0, 8 }}", "&lt;img "],
  ],
  "json and size of escaped text, in attributes and for innerHTML": [
    [`{{ "<i>'s" | escape | json }} {{ "<i>'s" | escape | size }}`, '"\\u0026lt;i\\u0026gt;\\u0026#39;s" 15'],
    [`{{ "'" | escape | escape | json }} {{ "'" | escape_once | json }}`, '"\\u0026#39;" "\\u0026#39;"'],
    [`{{ 'A & <b>' | link_to: '/x' | strip_html | escape | json }}`, '"A \\u0026amp; \\u0026lt;b\\u0026gt;"'],
  ],
  "strip_html of HTML and of escaped text": [
    [
      "{{ 'A & <b>' | link_to: '/x' | strip_html }} {{ '2026-03-07' | time_tag: '%Y' | strip_html }}",
      "A &amp; &lt;b&gt; 2026",
    ],
    ["{{ 'A & <b>' | link_to: '/x' | strip_html | json }}", '"A \\u0026 \\u003cb\\u003e"'],
    ["{{ '<b>a</b>' | escape | strip_html }} {{ '<b>a</b> < <i' | strip_html }}", "&lt;b&gt;a&lt;/b&gt; a < i"],
  ],
  "md5, sha1, sha256": [
    ["{{ 'a' | md5 }} {{ 'a' | sha1 }}", "0cc175b9c0f1b6a831c399e269772661 86f7e437faa5a7fce15d1ddcb9eaeaea377667b8"],
    ["{{ 'a' | sha256 }}", "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"],
  ],
  blake3: [
    ["{{ '' | blake3 }}", "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"],
    ["{{ 'abc' | blake3 }}", "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85"],
  ],
  "hmac_sha1, hmac_sha256": [
    ["{{ 'a' | hmac_sha1: 'k' }}", "40e7d441cadb17b07f050341aa23a6820ed81c8b"],
    ["{{ 'a' | hmac_sha256: 'k' | slice: 0, 16 }}", "78da91511e675587"],
  ],
  "base64_encode, base64_decode": [
    ["{{ '_#/.é' | base64_encode }} {{ 'XyMvLg==' | base64_decode }}", "XyMvLsOp _#/."],
    ["{{ '?>?>' | base64_url_safe_encode }} {{ 'Pz4_Pg==' | base64_url_safe_decode }}", "Pz4_Pg== ?>?>"],
  ],
});
