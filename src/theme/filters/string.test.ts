import { testFilters } from "./filter-examples.fixture.ts";

testFilters({
  "append, prepend": [["{{ 'a' | append: 'b' | prepend: 1 }}", "1ab"]],
  "capitalize, downcase, upcase": [
    ["{{ 'aB c' | capitalize }} {{ 'Ab' | downcase }} {{ 'Ab' | upcase }}", "Ab c ab AB"],
  ],
  "strip, lstrip, rstrip": [["[{{ ' a ' | strip }}][{{ ' a ' | lstrip }}][{{ ' a ' | rstrip }}]", "[a][a ][ a]"]],
  strip_newlines: [["{{ 'a\nb' | strip_newlines }}", "ab"]],
  newline_to_br: [["{{ 'a\nb' | newline_to_br }}", "a<br />\nb"]],
  "remove, remove_first, remove_last": [
    ["{{ 'abab' | remove: 'a' }} {{ 'abab' | remove_first: 'a' }} {{ 'abab' | remove_last: 'a' }}", "bb bab abb"],
  ],
  "replace, replace_first, replace_last": [
    [
      "{{ 'aba' | replace: 'a', 'c' }} {{ 'aba' | replace_first: 'a', 'c' }} {{ 'aba' | replace_last: 'a', 'c' }}",
      "cbc cba abc",
    ],
    ["{{ 'a.b' | replace: '.', '$&' }} {{ 'a\\b' | replace: '\\', '/' }}", "a$&b a/b"],
  ],
  slice: [["{{ 'abcdef' | slice: 2 }} {{ 'abcdef' | slice: 1, 3 }} {{ 'abcdef' | slice: -2, 2 }}", "c bcd ef"]],
  truncate: [["{{ 'abcdef' | truncate: 4 }} {{ 'abcdef' | truncate: 4, '' }}", "a... abcd"]],
  truncatewords: [
    ["{{ 'one two three' | truncatewords: 2 }} {{ 'one two' | truncatewords: 1, '!' }}", "one two... one!"],
  ],
  escape: [
    [
      "{{ text | escape }}{% assign text = '<a href=\"x\">&</a>' %}{{ text | escape }}",
      "&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;",
    ],
    ['{{ "it\'s <" | escape | escape }}', "it&#39;s &lt;"],
  ],
  escape_once: [
    ["{{ '&lt;<' | escape_once }}", "&lt;&lt;"],
    [
      "{{ 'br&ucirc;l&eacute;e &#233; &#xE9; & R&D; &amp;' | escape_once }}",
      "br&ucirc;l&eacute;e &#233; &#xE9; &amp; R&amp;D; &amp;",
    ],
  ],
  strip_html: [
    ["{{ '<p>a<b>b</b></p><script>x</script>' | strip_html }}", "ab"],
    ["{{ 'a <img src=x onerror=1 ' | strip_html }} {{ '1 < 2' | strip_html }}", "a img src=x onerror=1  1 < 2"],
  ],
  handleize: [
    ["{{ ' Crème Brûlée! 茶 ' | handleize }} {{ 'A' | handle }}", "creme-brulee-茶 a"],
    [
      "{{ 'Été' | handle }} {{ 'ガイド' | handle }} {{ '한국' | handle }} {{ 'กันฝน' | handle }}",
      "ete ガイド 한국 กันฝน",
    ],
    ["{{ 'ete' | handle }} {{ 'İzmir' | handle | handle }} {{ '50% off' | handle | handle }}", "ete izmir 50-off"],
  ],
  camelize: [["{{ 'coming-soon now' | camelize }} {{ 'a_b' | camelcase }}", "ComingSoonNow AB"]],
  pluralize: [["{{ 1 | pluralize: 'a', 'b' }}{{ 2 | pluralize: 'a', 'b' }}", "ab"]],
  url_encode: [
    ["{{ 'a b&c/é!' | url_encode }} {{ 'a b' | url_param_escape }}", "a+b%26c%2F%C3%A9%21 a%20b"],
    ["{{ 'a+b%26' | url_decode }} {{ '%' | url_decode }}", "a b& %"],
    ["{{ '/a b' | url_escape }}", "/a%20b"],
  ],
  default: [
    ["{{ nil | default: 'x' }}{{ '' | default: 'y' }}{{ false | default: true, allow_false: true }}", "xyfalse"],
    [
      "{{ false | default: allow_false: true, 'x' }} {{ 0 | default: 1 }} {{ product.tags | default: 'z' }}",
      "false 0 linen",
    ],
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
