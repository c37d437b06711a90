import { testFilters } from "./filter-examples.fixture.ts";

testFilters({
  link_to: [
    ["{{ '<b>' | link_to: '/a\"b', class: 'c' }}", '<a href="/a%22b" class="c">&lt;b&gt;</a>'],
    ["{{ 'x' | link_to: 'java\tscript:alert(1)' }}", '<a href="#">x</a>'],
    ["{{ 'x' | link_to: '/a', 'A \"title\"', onclick: 'x' }}", '<a href="/a" title="A &quot;title&quot;">x</a>'],
    ["{{ '&larr; Older &amp; <b>' | link_to: '/a' }}", '<a href="/a">&larr; Older &amp; &lt;b&gt;</a>'],
  ],
  within: [
    ["{{ product.url | within: collection }}", "/collections/bags/products/tote"],
    ["{{ '/x' | within: collection }} {{ product.url | within: nil }}", "/x /products/tote"],
  ],
  sort_by: [["{{ collection.url | sort_by: 'title-ascending' }}", "/collections/bags?sort_by=title-ascending"]],
  "url_for_type, url_for_vendor": [
    [
      "{{ 'A & B' | url_for_type }} {{ product.vendor | url_for_vendor }}",
      "/collections/all?filter.p.product_type=A%20%26%20B /collections/all?filter.p.vendor=Harbour",
    ],
  ],
  "link_to_type, link_to_vendor": [
    [
      "{{ '<x>' | link_to_type }}",
      '<a href="/collections/all?filter.p.product_type=%3Cx%3E" title="&lt;x&gt;">&lt;x&gt;</a>',
    ],
    [
      "{{ 'V' | link_to_vendor: class: 'c' }}",
      '<a href="/collections/all?filter.p.vendor=V" title="V" class="c">V</a>',
    ],
  ],
  "link_to_tag, link_to_add_tag, link_to_remove_tag": [
    [
      "{{ 'Linen' | link_to_tag: 'Fine linen' }}",
      '<a href="/collections/bags/fine-linen" title="Show products matching tag Fine linen">Linen</a>',
    ],
    [
      "{{ '+' | link_to_add_tag: 'red' }}",
      '<a href="/collections/bags/red" title="Narrow selection to products matching tag red">+</a>',
    ],
    ["{{ '-' | link_to_remove_tag: 'red' }}", '<a href="/collections/bags" title="Remove tag red">-</a>'],
  ],
  highlight_active_tag: [["{{ '<red>' | highlight_active_tag }}", "&lt;red&gt;"]],
  "customer_login_link, customer_logout_link, customer_register_link": [
    ["{{ 'In' | customer_login_link }}", '<a href="/account/login" id="customer_login_link">In</a>'],
    ["{{ 'Out' | customer_logout_link }}", '<a href="/account/logout" id="customer_logout_link">Out</a>'],
    ["{{ 'New' | customer_register_link }}", '<a href="/account/register" id="customer_register_link">New</a>'],
  ],
  "edit_customer_address_link, delete_customer_address_link": [
    ["{{ 'E' | edit_customer_address_link: 1 }}{{ '<' | delete_customer_address_link: 1 }}", "E&lt;"],
  ],
  asset_url: [
    ["{{ 'none.css' | asset_url }}", "/assets/none.css"],
    ["{{ '../../etc/passwd' | asset_url }}", "/assets/..%2F..%2Fetc%2Fpasswd"],
    [
      "{{ 'icons.eot?#iefix' | asset_url }} {{ 'a.svg?\"#b' | asset_url }}",
      "/assets/icons.eot#iefix /assets/a.svg?%22#b",
    ],
  ],
  "shopify_asset_url, global_asset_url": [
    ["{{ 'x.js' | shopify_asset_url | script_tag }}{{ 'x.css' | global_asset_url | stylesheet_tag }}", ""],
  ],
  stylesheet_tag: [
    [
      "{{ 'https://x.example/a.css' | stylesheet_tag: media: 'print' }}",
      '<link rel="stylesheet" href="https://x.example/a.css" media="print">',
    ],
    [
      "{{ '/a.css' | stylesheet_tag: preload: true }}",
      '<link rel="preload" href="/a.css" as="style"><link rel="stylesheet" href="/a.css">',
    ],
    ["{{ '/\"><script>' | stylesheet_tag }}", '<link rel="stylesheet" href="/%22%3E%3Cscript%3E">'],
  ],
  script_tag: [
    ["{{ '/a.js' | script_tag }}", '<script src="/a.js" type="text/javascript"></script>'],
    [
      "{{ '/a.js' | script_tag: type: 'module', defer: true, async: false, id: '<a>', src: '/b.js' }}",
      '<script src="/a.js" type="module" defer id="&lt;a&gt;"></script>',
    ],
  ],
  preload_tag: [
    ["{{ '/a.css' | preload_tag: as: 'style' }}", '<link rel="preload" href="/a.css" as="style">'],
    [
      "{{ '/a.js' | preload_tag: as: 'script', type: 'text/javascript' }}",
      '<link rel="preload" href="/a.js" as="script" type="text/javascript">',
    ],
  ],
});

testFilters(
  {
    "link_to of an asset's content": [
      ["{{ 'a.svg' | inline_asset_content | link_to: '/a' }}", '<a href="/a"><svg><title>A &amp; B</title></svg></a>'],
      [
        "{% assign svg = 'a.svg' | inline_asset_content %}{{ svg | replace: '<svg', '<svg id=\"a\"' }} {{ svg | size }} {{ svg | split: '>' | first }} {% if svg contains '<svg' %}{{ svg | json }}{% endif %} {{ 'none.svg' | inline_asset_content | default: 'none' }}",
        '<svg id="a"><title>A &amp; B</title></svg> 35 <svg "\\u003csvg\\u003e\\u003ctitle\\u003eA \\u0026amp; B\\u003c/title\\u003e\\u003c/svg\\u003e" none',
      ],
      ["{{ 'a.txt' | inline_asset_content | escape }}", "&quot;A&quot; &amp; B"],
    ],
  },
  { "assets/a.svg": "<svg><title>A &amp; B</title></svg>", "assets/a.txt": '"A" & B' },
);
