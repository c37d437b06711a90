import { testFilters } from "./filter-examples.fixture.ts";

testFilters(
  {
    weight_with_unit: [
      [
        "{{ 250 | weight_with_unit }} {{ 1250 | weight_with_unit }} {{ 907.18474 | weight_with_unit: 'lb' }}",
        "250 g 1.25 kg 2 lb",
      ],
    ],
    money_amount: [["{{ 123456 | money_amount }} {{ nil | money_amount }}", "1234.56 "]],
    unit_price_with_measurement: [
      ["{{ 250 | unit_price_with_measurement: nil }} {{ 'x' | unit_price_with_measurement: nil }}", "$2.50 x"],
    ],
    format_address: [["{{ nil | format_address }}", ""]],
    format_list: [
      ["{{ 'a,b,c' | split: ',' | format_list }} {{ 'a' | format_list }}{{ nil | format_list }}", "a, b, and c a"],
    ],
    format_code: [["{{ 'ABCDEFGHIJ' | format_code }}", "ABCD EFGH IJ"]],
    default_errors: [
      [
        "{% form 'customer_login' %}{{ form.errors | default_errors }}{% endform %}{{ nil | default_errors }}",
        '<form method="post" action="/account/login" id="customer_login" accept-charset="UTF-8"><input type="hidden" name="form_type" value="customer_login"><input type="hidden" name="utf8" value="\u2713"></form>',
      ],
    ],
    currency_selector: [
      [
        "{{ form | currency_selector: class: 'c' }}",
        '<select name="currency" class="c"><option value="USD" selected>USD</option></select>',
      ],
    ],
    metafield_tag: [
      [
        "{{ product.metafields.care.wash | metafield_tag }}",
        '<span class="metafield-single_line_text_field">30°</span>',
      ],
      [
        "{{ '<b>' | metafield_tag }}{{ nil | metafield_tag }}",
        '<span class="metafield-single_line_text_field">&lt;b&gt;</span>',
      ],
      [
        "{% assign l = '<a>,b' | split: ',' %}{{ l | metafield_tag: list_format: 'ordered' }}",
        '<ol class="metafield-single_line_text_field"><li>&lt;a&gt;</li><li>b</li></ol>',
      ],
    ],
    metafield_text: [["{{ product.metafields.care.wash | metafield_text }} {{ '<' | metafield_text }}", "30° &lt;"]],
    payment_button: [
      [
        "{{ form | payment_button | split: 'class=' | last }}",
        '"shopify-payment-button__button shopify-payment-button__button--unbranded">Buy &lt;now&gt;</button></div>',
      ],
    ],
    payment_type_svg_tag: [
      [
        "{{ 'visa' | payment_type_svg_tag: class: 'c' | slice: 0, 15 }} {{ '\"><x>' | payment_type_svg_tag | split: '<x>' | size }}",
        '<svg class="c"  1',
      ],
    ],
    payment_type_img_url: [["{{ 'visa' | payment_type_img_url | slice: 0, 24 }}", "data:image/svg+xml,%3Csv"]],
    "payment_terms, login_button, avatar": [
      ["{{ form | payment_terms }}{{ shop | login_button }}{{ customer | avatar }}", ""],
    ],
    line_items_for: [
      ["{% assign l = cart | line_items_for: product %}{{ l.size }} {{ l.first.quantity }}", "1 3"],
      ["{% assign l = cart | line_items_for: product.variants.last %}{{ l.size }}", "0"],
    ],
    standard_event_data: [
      [
        "{{ cart | standard_event_data: 'view', context: 'page' }}",
        '{"context":"page","cart":{"totalQuantity":3,"cost":{"totalAmount":{"amount":"59.97","currencyCode":"USD"}}}}',
      ],
      [
        "{{ collection | standard_event_data: 'view' }} {{ 'x' | standard_event_data: 'view' }}",
        '{"context":null,"collection":{"id":"5","handle":"bags","title":"Bags"}} null',
      ],
    ],
    font_face: [
      [
        "{{ 'assistant_n4' | font_face: font_display: 'swap' | strip_newlines | split: '?v=' | first }}",
        '@font-face {  font-family: "Assistant";  font-weight: 400;  font-style: normal;  font-display: swap;  src: url("/assets/assistant_n4.woff2',
      ],
      ["{{ 'lora_n4' | font_face }}{{ nil | font_face }}{{ 'lora_n4' | font_url }}", ""],
    ],
    font_url: [
      [
        "{{ 'assistant_n4' | font_url | split: '?' | first }} {{ 'assistant_n4' | font_url: 'woff' }}",
        "/assets/assistant_n4.woff2 ",
      ],
    ],
    font_modify: [
      ["{% assign f = 'assistant_n4' | font_modify: 'weight', 'bold' %}{{ f.weight }} {{ f.style }}", "700 normal"],
      [
        "{% assign f = 'assistant_n4' | font_modify: 'weight', '+200' | font_modify: 'style', 'italic' %}{{ f.weight }} {{ f.style }}",
        "600 italic",
      ],
      [
        "{% assign f = 'assistant_n4' | font_modify: 'weight', 'lighter' %}{{ f.weight }}{% assign f = 'assistant_n9' | font_modify: 'weight', '+200' %}[{{ f }}]",
        "100[]",
      ],
    ],
  },
  {
    "assets/assistant_n4.woff2": "font",
    "locales/en.default.json": '{"products":{"product":{"buy_it_now":"Buy <now>"}}}',
  },
);
