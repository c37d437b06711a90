import { runTestCases } from "../cases.fixture.ts";
import { Float } from "../values/float.ts";

const sampleItems = [
  { t: "a", n: 2, on: true },
  { t: "B", n: 1, on: false },
  { t: "c", n: 2 },
];
const data = {
  p: sampleItems,
  n: [3, 1, 2],
  s: ["b", "C", "a"],
  mixed: ["x", 1, null, { t: "x" }],
  deep: [1, [2, [3]]],
  h: { t: "T" },
};

runTestCases({
  "first and last": [
    ["{{ n | first }}{{ n | last }}{{ n.first }}{{ n.last }}{{ n[0] }}{{ n[-1] }}{{ n[9] }}", "323232", data],
    ["{{ 'abc' | first }}{{ 'abc' | last }}{{ '' | first }}{{ (2..5) | first }}{{ (2..5) | last }}", "ac25"],
    ["{{ h | first }}|{{ h | last }}|{{ h.first }}|{{ h.last }}|{{ h.first | last }}", "tT||tT||T", data],
    ["{{ nil | first }}{{ 5 | first }}{{ e | first }}", "", { e: [] }],
  ],
  join: [
    ["{{ n | join: ', ' }}|{{ n | join }}|{{ n | join: nosuch }}|{{ n | join: 1 }}", "3, 1, 2|3 1 2|312|31112", data],
    [
      "{{ 'abc' | join: '-' }}|{{ nil | join: '-' }}|{{ 5 | join: '-' }}|{{ deep | join: '-' }}|{{ mixed | join: '-' }}",
      'abc||5|1-2-3|x-1--{"t"=>"x"}',
      data,
    ],
    ["{{ (1..3) | join: '-' }}|{{ h | join: '-' }}", '1-2-3|{"t"=>"T"}', data],
  ],
  "sort puts nil last and rejects values without an order": [
    ["{{ n | sort | join }} {{ s | sort | join }} {{ s | sort_natural | join }}", "1 2 3 C a b a b C", data],
    ["{{ p | sort: 't' | map: 't' | join }} {{ p | sort_natural: 't' | map: 't' | join }}", "B a c a B c", data],
    ["{{ x | sort | join: '-' }}|{{ x | sort_natural | join: '-' }}", "1-2-|1-2-", { x: [2, null, 1] }],
    ["{{ x | sort }}", "Liquid error: cannot sort values of incompatible types", { x: [1, "a"] }],
    ["{{ p | sort: 'nosuch' | size }}|{{ nil | sort | size }}|{{ 'b' | sort | join }}", "3|0|b", data],
    ["{{ n | sort: 't' }}", "Liquid error: cannot select the property 't'", data],
    ["[{{ x | sort: 't' }}]", "[]", { x: [null, { t: 1 }] }],
    ["{{ deep | sort | join }}", "1 2 3", data],
  ],
  "where and reject": [
    [
      "{{ p | where: 'n', 2 | map: 't' | join }}|{{ p | where: 'on' | map: 't' | join }}|{{ p | where: 'on', false | map: 't' | join }}",
      "a c|a|B",
      data,
    ],
    ["{{ p | reject: 'n', 2 | map: 't' | join }}|{{ p | reject: 'on' | map: 't' | join }}", "B|B c", data],
    [
      "{{ p | where: 'on', nil | map: 't' | join }}|{{ nil | where: 'x' | size }}|{{ h | where: 't', 'T' | size }}",
      "a|0|1",
      data,
    ],
    [
      "{{ x | where: 'a' | join }}|{{ 'abc' | where: 'b' | join }}|{{ 'abc' | where: 'z' | join }}",
      "a ab|abc|",
      { x: ["a", "ab", "c"] },
    ],
    ["[{{ x | where: 't', 'x' }}]", "[]", { x: [{ t: "x" }, null] }],
    [
      "{{ 'abc' | where: 1.9 }}|{{ n | where: 0.5 | join }}|{{ x | where: 't' | size }}",
      "abc|3 1 2|0",
      { ...data, x: new Float(2) },
    ],
    ["{{ n | where: 't' }}", "Liquid error: cannot select the property 't'", data],
  ],
  "find, find_index and has": [
    [
      "{% assign f = p | find: 'n', 1 %}{{ f.t }}|{{ p | find_index: 'n', 1 }}|{{ p | has: 'n', 1 }}|{{ p | has: 'n', 9 }}",
      "B|1|true|false",
      data,
    ],
    [
      "[{{ p | find: 'n', 9 }}][{{ p | find_index: 'n', 9 }}][{{ e | has: 'n' }}][{{ e | find: 'n' }}]",
      "[][][false][]",
      { ...data, e: [] },
    ],
    [
      "{{ p | has: 'on' }}{{ p | find_index: 'on' }}[{{ mixed | has: 't', 'zz' }}]",
      "true0[Liquid error: cannot select the property 't']",
      data,
    ],
    ["[{{ x | has: 't', 'b' }}][{{ x | find_index: 't', 'b' }}]", "[][]", { x: [{ t: "a" }, null, { t: "b" }] }],
    ["{{ x | has: 't', 'a' }}", "true", { x: [{ t: "a" }, null] }],
  ],
  "map reads a field of each item": [
    [
      "{{ p | map: 't' | join }}|{{ h | map: 't' | join }}|{{ nil | map: 't' | size }}|{{ p | map: 'x' | size }}",
      "a B c|T|0|3",
      data,
    ],
    ["{{ x | map: 'b' | join: '-' }}", "-b-", { x: ["a", "ab", null] }],
    ["{{ x | map: 't' | join: '-' }}", "1-2", { x: [[{ t: 1 }], { t: 2 }] }],
    ["{{ n | map: 't' }}", "Liquid error: cannot select the property 't'", data],
    ["{{ p | map }}", "Liquid error: wrong number of arguments (given 1, expected 2)", data],
  ],
  "uniq, compact, reverse and concat": [
    [
      "{{ x | uniq | join: '-' }}|{{ p | uniq: 'n' | map: 't' | join }}",
      "1-a-1.0--2|a B",
      { ...data, x: [1, "a", 1, new Float(1), "a", null, null, 2] },
    ],
    [
      "{{ x | compact | join: '-' }}|{{ p | compact: 'on' | map: 't' | join }}",
      "1-false|a B",
      { ...data, x: [1, null, false, null] },
    ],
    [
      "{{ n | reverse | join }}|{{ (1..3) | reverse | join }}|{{ 'abc' | reverse | join }}|{{ nil | reverse | size }}",
      "2 1 3|3 2 1|abc|0",
      data,
    ],
    [
      "{{ n | concat: s | join }}|{{ nil | concat: n | join }}|{{ deep | concat: deep | size }}",
      "3 1 2 b C a|3 1 2|5",
      data,
    ],
    [
      "{{ n | concat: 'a' }}|{{ n | concat: nil }}|{{ n | concat: (1..2) }}",
      "Liquid error: concat filter requires an array argument|".repeat(3).slice(0, -1),
      data,
    ],
  ],
  "sum adds numbers and numeric strings": [
    [
      "{{ n | sum }} {{ p | sum: 'n' }} {{ x | sum }} {{ nil | sum }} {{ e | sum }}",
      "6 5 6.6 0 0",
      { ...data, x: [1, "2", [3], 0.6, null], e: [] },
    ],
    ["{{ x | sum }} {{ p | sum: 'nosuch' }} {{ x | sum: 'a' }}", "0.3 0 0", { ...data, x: [0.1, 0.2] }],
  ],
});
