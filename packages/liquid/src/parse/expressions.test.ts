import { runTestCases } from "../cases.fixture.ts";
import { Float } from "../values/float.ts";

const data = {
  a: { b: { c: "deep" }, "x y": { z: "spaced" }, list: [10, 20], size: "own" },
  "x y": { z: "top" },
  key: "b",
  n: 1,
  l: [1, [2, "x"], null, { k: "v" }],
  h: { a: 1, "b c": [1.5, null, 'q"\n#{x}'] },
};

runTestCases({
  paths: [
    ["{{ a.b.c }}{{ a['b'].c }}{{ a[key].c }}{{ a.b['c'] }}", "deep".repeat(4), data],
    ["{{ ['x y'].z }}{{ a['x y'].z }}{{ ['a'].b.c }}{{ [key] }}", "topspaceddeep", data],
    ["{{ a . b . c }}{{ a [ 'b' ] . c }}{{ a\n.b\n.c }}", "deepdeepdeep", data],
    [
      "{{ a.list[0] }}{{ a.list[n] }}{{ a.list[-1] }}{{ a.list.first }}{{ a.list.size }}{{ a.size }}{{ a['size'] }}",
      "102020102ownown",
      data,
    ],
    [
      "[{{ a.nosuch }}{{ nosuch.b.c }}{{ a.b.c.d }}{{ n.b }}{{ a.list.nosuch }}{{ a.list['first'] }}{{ a.constructor }}{{ a.toString }}]",
      "[]",
      data,
    ],
    ["{{ self.key }}{{ self['x y'].z }}{{ a-b }}{{ a_b }}{{ e? }}", "btop123", { ...data, "a-b": 1, a_b: 2, "e?": 3 }],
    ["{{ a.list[1.0] }}{{ a.list['0'] }}{{ a.list[nil] }}|", "|", data],
  ],
  "strings that look like signs and words": [
    ["{{ '|' }}{{ '.' }}{{ ',' | append: ':' }}{{ '[' | append: '..' }}", "|.,:[.."],
    [
      "{% if 'and' == 'and' %}1{% endif %}{% if 'or' and 'contains' %}2{% endif %}{% for i in 'in' %}{{ i }}{% endfor %}",
      "12in",
    ],
    [
      "{% if '.' contains '.' %}1{% endif %}{% if a['b'] contains 'c' %}2{% endif %}{% if a.contains %}3{% endif %}",
      "12",
      data,
    ],
  ],
  literals: [
    [
      "{{ 'a' }}{{ \"b\" }}{{ 'it\"s' }}{{ 1 }}{{ -1 }}{{ 1.5 }}{{ -0.5 }}{{ true }}{{ false }}[{{ nil }}{{ null }}{{ empty }}{{ blank }}]",
      'abit"s1-11.5-0.5truefalse[]',
    ],
    [
      "{{ 2.0 }} {{ 100000000000000000000.0 }} {{ 0.00001 }} {{ 12345678901234567890 }} {{ 1.50 }}",
      "2.0 1.0e+20 1.0e-05 12345678901234567890 1.5",
    ],
    ["{{ 'a\\n' | size }}{{ (1..3) }} {{ (1.9..3.2) }} {{ ('2'..n) }}", "31..3 1..3 2..1", data],
    ["{{ true.x }}{{ nil.size }}|", "|"],
  ],
  "output of lists, hashes, and floats": [
    ["{{ l }}", '12x{"k"=>"v"}', data],
    ["{{ h }}", '{"a"=>1, "b c"=>[1.5, nil, "q\\"\\n\\#{x}"]}', data],
    ["{{ x }}{{ y }}{{ z }}", "3.03.51.0e+16", { x: new Float(3), y: 3.5, z: new Float(1e16) }],
    ["{{ l | upcase }}", '[1, [2, "X"], NIL, {"K"=>"V"}]', data],
    ["{% for i in h %}{{ i }}{% endfor %}", 'a1b c1.5q"\n#{x}', data],
  ],
  equality: [
    [
      "{% if '1' == 1 %}a{% endif %}{% if 1 == 1.0 %}b{% endif %}{% if nil == false %}c{% endif %}{% if x == nil %}d{% endif %}{% if true == true %}e{% endif %}",
      "bde",
    ],
    [
      "{% if l == l %}a{% endif %}{% if a.list == b %}b{% endif %}{% if h != nil %}c{% endif %}{% if 'a' <> 'b' %}d{% endif %}{% if h == g %}e{% endif %}",
      "abcde",
      { ...data, b: [10, 20], g: { "b c": data.h["b c"], a: 1 } },
    ],
    ["{% if (1..3) == (1..3) %}a{% endif %}{% if '' == nil %}b{% endif %}{% if 0 == nil %}c{% endif %}", "a"],
  ],
  "empty and blank": [
    [
      "{% if blank <= 1 or empty >= 1 %}a{% endif %}{% if 1 >= blank or '' <= empty %}b{% endif %}{% if 'c' contains blank %}c{% endif %}",
      "c",
    ],
    [
      "{% if '' == empty %}a{% endif %}{% if e == empty %}b{% endif %}{% if empty == eh %}c{% endif %}{% if nil == empty %}d{% endif %}{% if 0 == empty %}e{% endif %}{% if ' ' == empty %}f{% endif %}",
      "abc",
      { e: [], eh: {} },
    ],
    [
      "{% if nil == blank %}a{% endif %}{% if '  ' == blank %}b{% endif %}{% if false == blank %}c{% endif %}{% if 0 == blank %}d{% endif %}{% if h != blank %}e{% endif %}{% if blank == '' %}f{% endif %}",
      "abcef",
      data,
    ],
    [
      "{% if x == empty %}a{% else %}b{% endif %}{% if x != empty %}c{% endif %}{% if empty == blank %}d{% endif %}",
      "bc",
    ],
  ],
  order: [
    [
      "{% if 1 < 2 %}a{% endif %}{% if 2 >= 2.0 %}b{% endif %}{% if 'a' < 'b' %}c{% endif %}{% if 1.5 > 1 %}d{% endif %}{% if 'b' <= 'a' %}e{% endif %}",
      "abcd",
    ],
    [
      "{% if nil < 1 %}a{% endif %}{% if nil > 0 %}b{% endif %}{% if nil <= nil %}c{% endif %}{% if true > false %}d{% endif %}{% if l > 0 %}e{% endif %}|",
      "|",
      data,
    ],
    ["{% if 1 < 'a' %}a{% else %}b{% endif %}", "Liquid error: comparison of Integer with String failed"],
    [
      "{% if 'a' >= 1 %}a{% endif %} {% if 1.5 < 'a' %}{{ 1 }}{% endif %} {% if 'a' < 1.0 %}{{ 1 }}{% endif %}",
      "Liquid error: comparison of String with 1 failed Liquid error: comparison of Float with String failed Liquid error: comparison of String with 1.0 failed",
    ],
  ],
  contains: [
    [
      "{% if 'abc' contains 'b' %}a{% endif %}{% if a.list contains 10 %}b{% endif %}{% if a.list contains '10' %}c{% endif %}{% if h contains 'a' %}d{% endif %}{% if '12' contains 2 %}e{% endif %}",
      "abde",
      data,
    ],
    [
      "{% if nil contains 'a' %}a{% endif %}{% if 'nil' contains nil %}b{% endif %}{% if 5 contains 5 %}c{% endif %}{% if (1..3) contains 2 %}d{% endif %}{% if a.contains %}e{% endif %}",
      "d",
      data,
    ],
  ],
});
