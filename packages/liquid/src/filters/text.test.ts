import { runTestCases } from "../cases.fixture.ts";

const data = { l: ["a", 1, null, 2.5, true], h: { a: 1, b: "x" } };

runTestCases({
  "append and prepend": [
    ["{{ '/a' | append: '.html' }}", "/a.html"],
    ["{{ 'a' | append: 5 }}{{ 5 | append: 5.0 }}", "a555.0"],
    ["{{ nil | append: 'x' }}{{ 'x' | append: nosuch }}", "xx"],
    ["{{ l | append: h }}", '["a", 1, nil, 2.5, true]{"a"=>1, "b"=>"x"}', data],
    ["{{ 'apples' | prepend: 'Some ' }}{{ 1 | prepend: 2 }}", "Some apples21"],
    ["{{ 'a' | append }}", "Liquid error: wrong number of arguments (given 1, expected 2)"],
  ],
  "upper and lower case": [
    ["{{ 'Parker Moore' | downcase }} {{ 'Parker Moore' | upcase }}", "parker moore PARKER MOORE"],
    [
      "{{ 'my GREAT title' | capitalize }}|{{ '' | capitalize }}|{{ nil | upcase }}|{{ 5 | downcase }}",
      "My great title|||5",
    ],
    ["{{ 'straße é' | upcase }}", "STRASSE É"],
  ],
  "whitespace at the ends and between words": [
    ["[{{ '  a b  ' | strip }}][{{ '  a ' | lstrip }}][{{ ' a  ' | rstrip }}]", "[a b][a ][ a]"],
    ["[{{ x | strip }}]", "[a]", { x: "\t\r\n a\n\t " }],
    ["[{{ x | strip }}]", "[\u00a0a]", { x: " \u00a0a" }],
    ["[{{ x | squish }}][{{ nil | squish }}]", "[a b c][]", { x: "  a \n\t b  c " }],
    ["[{{ x | strip_newlines }}]", "[ab c]", { x: "a\nb\r\n c" }],
    ["{{ x | newline_to_br }}", "a<br />\nb<br />\nc", { x: "a\nb\r\nc" }],
  ],
  "size counts characters, items and pairs": [
    ["{{ 'abc' | size }} {{ '' | size }} {{ l | size }} {{ h | size }} {{ (1..7) | size }}", "3 0 5 2 7", data],
    ["{{ '😀é' | size }} {{ nil | size }} {{ true | size }} {{ 1.5 | size }}", "2 0 0 0"],
    ["{{ 'abc'.size }}{{ s.size }}{{ l.size }}{{ h.size }}", "abc352", { ...data, s: "xyz" }],
  ],
  "slice returns a part, counted from the end if the offset is negative": [
    ["{{ 'Liquid' | slice: 0 }}{{ 'Liquid' | slice: 2 }}", "Lq"],
    ["{{ 'Liquid' | slice: 2, 5 }} {{ 'Liquid' | slice: -3, 2 }}", "quid ui"],
    [
      "[{{ 'Liquid' | slice: 10 }}][{{ 'Liquid' | slice: -10, 2 }}][{{ 'Liquid' | slice: 1, 0 }}][{{ 'L' | slice: 0, -1 }}]",
      "[][][][]",
    ],
    ["{{ l | slice: 1, 2 | join: '-' }}|{{ l | slice: -2, 2 | join: '-' }}", "1-|2.5-true", data],
    ["{{ '😀é!' | slice: 1, 2 }} {{ 12345 | slice: 1, 2 }} {{ 'abc' | slice: '1', '2' }}", "é! 23 bc"],
    ["{{ 'abc' | slice: 'x' }}", "Liquid error: invalid integer"],
    [
      "{{ 'abc' | slice: 1.5 }}{{ 'abc' | slice: nosuch }}",
      "Liquid error: invalid integerLiquid error: invalid integer",
    ],
    ["{{ 'abc' | slice: 1, nosuch }}", "b"],
  ],
  "split splits a string": [
    [
      "{{ 'a,b,c' | split: ',' | join: '-' }}{{ 'a,b,,' | split: ',' | size }}{{ ',a' | split: ',' | size }}",
      "a-b-c22",
    ],
    ["{{ 'abc' | split: '' | join: '-' }} {{ '  a  b ' | split: ' ' | join: '-' }}", "a-b-c a-b"],
    ["{{ '' | split: ',' | size }}{{ nil | split: ',' | size }}{{ 'abc' | split: nosuch | join: '-' }}", "00a-b-c"],
    ["{{ 'a1b1c' | split: 1 | join: '-' }}{{ 123 | split: 2 | join: '-' }}", "a-b-c1-3"],
    ["{{ 'a--b' | split: '--' | last }}", "b"],
  ],
  "replace and remove": [
    [
      "{{ 'a b a' | replace: 'a', 'c' }}|{{ 'a b a' | replace: 'a' }}|{{ 'abc' | replace: '', '-' }}",
      "c b c| b |-a-b-c-",
    ],
    [
      "{{ 'a b a' | replace: 'a', nosuch }}|{{ 'aba' | replace: nosuch, '-' }}|{{ 5 | replace: 5, 'x' }}",
      " b |-a-b-a-|x",
    ],
    ["{{ 'a.b' | replace: '.', '$&' }}|{{ 'ab' | replace: 'a', '[\\0]' }}", "a$&b|[a]b"],
    [
      "{{ 'a-b-c' | replace: '-', x }}|{{ 'a-b' | replace_first: '-', x }}|{{ 'ab' | replace: '', '\\1.' }}",
      "a(a/b-c)b(a-b/c)c|a(a/b)b|.a.b.",
      { x: "(\\`/\\')" },
    ],
    ["{{ 'ab' | replace: 'b', '[\\+]' }}", "a[]"],
    ["{{ 'ab' | replace: 'b', x }}", "a\\\\", { x: "\\\\\\" }],
    [
      "{{ 'a b a' | replace_first: 'a', 'c' }}|{{ 'a b a' | replace_last: 'a', 'c' }}|{{ 'b' | replace_last: 'a', 'c' }}",
      "c b a|a b c|b",
    ],
    ["{{ 'a b a' | remove: 'a' }}|{{ 'a b a' | remove_first: 'a' }}|{{ 'a b a' | remove_last: 'a' }}", " b | b a|a b "],
    ["{{ 'a' | replace_last: 'a' }}", "Liquid error: wrong number of arguments (given 2, expected 3)"],
  ],
  "truncate limits characters, including the ending": [
    ["{{ 'Ground control to Major Tom.' | truncate: 20 }}", "Ground control to..."],
    ["{{ 'Ground control to Major Tom.' | truncate: 25, ', and so on' }}", "Ground control, and so on"],
    ["{{ 'Ground control to Major Tom.' | truncate: 20, '' }}", "Ground control to Ma"],
    [
      "{{ 'abcdef' | truncate: 5, nosuch }}|{{ 'abc' | truncate: 5 }}|{{ 'abcdef' | truncate: 2 }}|{{ nil | truncate: 5 }}|",
      "abcde|abc|...||",
    ],
    ["{{ 'abcdef' | truncate: nosuch }}", "Liquid error: invalid integer"],
    [
      "{{ 'abcdef' | truncate: '5' }}|{{ 1234567 | truncate: 5 }}|{{ '😀😀😀😀😀' | truncate: 4 }}",
      "ab...|12...|😀...",
    ],
    ["{{ x | truncate }}", `${"x".repeat(47)}...`, { x: "x".repeat(60) }],
  ],
  "truncatewords limits words": [
    ["{{ 'Ground control to Major Tom.' | truncatewords: 3 }}", "Ground control to..."],
    [
      "{{ 'Ground control to Major Tom.' | truncatewords: 3, '--' }}|{{ 'a b c' | truncatewords: 2, '' }}",
      "Ground control to--|a b",
    ],
    [
      "{{ 'a  b' | truncatewords: 2 }}|{{ ' a b c' | truncatewords: 2 }}|{{ 'a b' | truncatewords: 0 }}|{{ nil | truncatewords: 1 }}",
      "a  b|a b...|a...|",
    ],
    [
      "{{ 'a b c' | truncatewords: 2, nosuch }}|{{ 'a b' | truncatewords: nosuch }}",
      "a b|Liquid error: invalid integer",
    ],
  ],
  "default replaces nil, false, and empty values": [
    ["{% assign x = nosuch | default: other %}{% if x %}a{% else %}b{% endif %}", "b"],
    [
      "{{ nosuch | default: 2.99 }} {{ '' | default: 'x' }} {{ false | default: 'x' }} {{ 'a' | default: 'x' }} {{ 0 | default: 1 }}",
      "2.99 x x a 0",
    ],
    [
      "{{ false | default: 'x', allow_false: true }} {{ nil | default: 'x', allow_false: true }} {{ false | default: 'x', allow_false: false }}",
      "false x x",
    ],
    [
      "{{ e | default: 'x' }} {{ eh | default: 'y' }} {{ ' ' | default: 'z' }}|{{ nil | default }}|",
      "x y  ||",
      { e: [], eh: {} },
    ],
  ],
  "escape, escape_once, and strip_html": [
    ["{{ '<a href=\"x\">&amp; \\'</a>' | escape }}", "&lt;a href=&quot;x&quot;&gt;&amp;amp; \\", {}],
    [
      "{{ x | escape }}|{{ x | h }}",
      "&lt;b&gt; &amp;amp; &quot;&#39;|&lt;b&gt; &amp;amp; &quot;&#39;",
      { x: "<b> &amp; \"'" },
    ],
    [
      "{{ x | escape_once }}",
      "&lt;b&gt; &amp; &amp; &#39;&quot; &#39; &amp;#x27;",
      { x: "<b> &amp; & '\" &#39; &#x27;" },
    ],
    ["{{ nil | escape }}{{ 5 | escape }}{{ l | escape }}", "5[&quot;a&quot;, 1, nil, 2.5, true]", data],
    ["{{ x | strip_html }}", "Have you read Ulysses?", { x: "Have <em>you</em> read <strong>Ulysses</strong>?" }],
    [
      "{{ x | strip_html }}|{{ y | strip_html }}|{{ nil | strip_html }}",
      "abd|a < b|",
      { x: "a<script>alert(1)</script>b<!-- <c> --><style>x{}</style>d<br\n/>", y: "a < b" },
    ],
  ],
  "URL encoding and base64": [
    [
      "{{ 'john@liquid.com a*b~c' | url_encode }}|{{ nil | url_encode }}|{{ \"é'!()\" | url_encode }}",
      "john%40liquid.com+a*b~c||%C3%A9%27%21%28%29",
    ],
    [
      "{{ '%27Stop%21%27+said+Fred' | url_decode }}|{{ '100%' | url_decode }}|{{ nil | url_decode }}",
      "'Stop!' said Fred|100%|",
    ],
    ["{{ '%+a%+' | url_decode }}|{{ 'a+%4' | url_decode }}|{{ '%%' | url_decode }}", "% a%+|a %4|%%"],
    ["{{ '%ff' | url_decode }}", "Liquid error: invalid byte sequence in UTF-8"],
    [
      "{{ 'one two é' | base64_encode }} {{ 'b25lIHR3byDDqQ==' | base64_decode }} {{ nil | base64_encode }}",
      "b25lIHR3byDDqQ== one two é ",
    ],
    ["{{ 'a?>~' | base64_url_safe_encode }} {{ 'YT8-fg==' | base64_url_safe_decode }}", "YT8-fg== a?>~"],
    [
      "{{ 'x' | base64_decode }}|{{ '*' | base64_url_safe_decode }}",
      "Liquid error: invalid base64 provided to base64_decode|Liquid error: invalid base64 provided to base64_url_safe_decode",
    ],
  ],
  "date formats a time by a pattern": [
    [
      "{{ 'March 14, 2016' | date: '%b %d, %y' }} {{ '2016-03-14' | date: '%A, %B %-d' }}",
      "Mar 14, 16 Monday, March 14",
    ],
    [
      "{{ 1152098955 | date: '%m/%d/%Y' }} {{ '1152098955' | date: '%H:%M' }} {{ 'now' | date: '%Y' }}",
      "07/05/2006 11:29 2026",
    ],
    ["{{ '2020-06-05 14:30:45' | date: '%c|%x|%X' }}", "Fri Jun  5 14:30:45 2020|06/05/20|14:30:45"],
    [
      "{{ 'hello' | date: '%Y' }}|{{ nil | date: '%Y' }}|{{ '2016-03-14' | date: '' }}|{{ '' | date: '%Y' }}",
      "hello||2016-03-14|",
    ],
  ],
  "an unknown filter returns its value": [["{{ 'x' | nosuch: 1 | upcase }}", "X"]],
});
