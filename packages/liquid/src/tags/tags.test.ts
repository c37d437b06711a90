import { runTestCases } from "../cases.fixture.ts";

const data = { l: ["a", "b", "c"] };

runTestCases({
  "assign sets a variable": [
    ["{% assign x = 'a' | upcase %}{{ x }}{% assign x = nil %}[{{ x }}]", "A[]"],
    ["{% assign the x = 1 %}{{ x }}{% assign y == 2 %}{{ y }}|{% assign a-b = 3 %}{{ a-b }}", "1|3"],
    ["{% assign x = 1 | divided_by: 0 %}[{{ x }}]", "[]"],
    ["{% for i in (1..2) %}{% assign i = 9 %}{{ i }}{% endfor %}{{ i }}", "129"],
    ["{% assign x = l %}{{ x }}{% assign y = empty %}[{{ y }}]", "abc[]", data],
  ],
  "capture stores the output of its body": [
    ["{% capture x %}a{{ 1 }}{% endcapture %}[{{ x }}]{% capture 'y' %}b{% endcapture %}{{ y }}", "[a1]b"],
    ["{% for i in (1..3) %}{% capture x %}{{ x }}{{ i }}{% endcapture %}{% endfor %}{{ x }}", "123"],
    ["{% capture x %}{{ 1 | divided_by: 0 }}{% endcapture %}{{ x | size }}", "26"],
  ],
  "if, elsif, else and unless": [
    ["{% if false %}a{% elsif nil %}b{% elsif 0 %}c{% else %}d{% endif %}{% if x %}e{% else %}f{% endif %}", "cf"],
    ["{% unless true %}a{% elsif true %}b{% else %}c{% endunless %}{% unless nil %}d{% endunless %}", "bd"],
    ["{% if '' %}a{% endif %}{% if empty %}b{% endif %}{% if blank %}c{% endif %}", "abc"],
    ["{% if false %}a{% else %}b{% else %}c{% endif %}{% if false %}{% else nonsense %}d{% endif %}", "bd"],
  ],
  "and and or are evaluated from the right": [
    ["{% if true or false and false %}a{% endif %}{% if false and true or true %}b{% endif %}", "a"],
    ["{% if true and false or true %}a{% endif %}{% if false or true and true %}b{% endif %}", "ab"],
    ["{% if nil and 1 < 'x' %}a{% else %}b{% endif %}", "b"],
  ],
  "case renders each branch that matches": [
    ["{% case 2 %}{% when 1, 2 %}a{% when 3 or 2 %}b{% when '2' %}c{% else %}d{% endcase %}", "ab"],
    ["{% case x %}{% when nil %}a{% endcase %}{% case x %}{% when 1 %}b{% else %}c{% endcase %}", "ac"],
    ["{% case 1 %}nothing{% when 1 %}a{% endcase %}{% case 1.0 %}{% when 1 %}b{% endcase %}", "ab"],
    ["{% case '' %}{% when empty %}a{% endcase %}{% case ' ' %}{% when blank %}b{% endcase %}", "ab"],
    ["{% case 1 %}{% when 1, 1 %}a{% endcase %}", "aa"],
    ["{% case 1 %}{% else %}a{% when 1 %}b{% else %}c{% endcase %}", "ab"],
    ["{% case x %}{% when 'a', %}b{% endcase %}{% case 'a' %}{% when 'a' | 'b' %}c{% endcase %}", "c"],
    [
      "{% case 1 %}{% else x %}{% endcase %}",
      "Liquid syntax error (line 1): Syntax Error in tag 'case' - Valid else condition: {% else %} (no parameters) ",
    ],
  ],
  "for iterates over lists, ranges, strings, and hashes": [
    [
      "{% for i in l %}{{ i }}{% endfor %}{% for i in (1..3) %}{{ i }}{% endfor %}{% for i in 'text' %}{{ i }}{% endfor %}",
      "abc123text",
      data,
    ],
    ["{% for i in h %}{{ i[0] }}={{ i[1] }}{{ i }} {% endfor %}", "a=1a1 b=2b2 ", { h: { a: 1, b: 2 } }],
    [
      "{% for i in nil %}{{ i }}{% else %}none{% endfor %}{% for i in e %}{% else %}none{% endfor %}{% for i in 5 %}{% else %}none{% endfor %}",
      "nonenonenone",
      { e: [] },
    ],
    ["{% for i in (3..1) %}{{ i }}{% else %}none{% endfor %}{% for i in (-1..1) %}{{ i }}{% endfor %}", "none-101"],
    ["{% for i in (1..n) %}{{ i }}{% endfor %}{% for i in (n..'4') %}{{ i }}{% endfor %}", "12234", { n: 2 }],
    ["{% for i in x %}[{{ i }}]{% endfor %}{{ i }}", "[1][][2]", { x: [1, null, 2] }],
    ["{% assign i = 'o' %}{% for i in x %}[{{ i }}]{% endfor %}{{ i }}", "[][1]o", { x: [null, 1] }],
  ],
  "for has a limit, an offset, and a direction": [
    [
      "{% for i in (1..6) limit: 2 offset: 2 %}{{ i }}{% endfor %}{% for i in (1..3), limit: 1 %}{{ i }}{% endfor %}",
      "341",
    ],
    [
      "{% for i in l reversed %}{{ i }}{% endfor %}{% for i in (1..5) reversed limit: 2 %}{{ i }}{% endfor %}",
      "cba21",
      data,
    ],
    [
      "{% for i in l limit: n offset: n %}{{ i }}{% endfor %}{% for i in l limit: x %}{{ i }}{% endfor %}",
      "babc",
      { ...data, n: "1" },
    ],
    [
      "{% for i in l limit: 2 %}{{ i }}{% endfor %}-{% for i in l offset: continue %}{{ i }}{% endfor %}-{% for i in l offset:continue %}{{ i }}{% else %}e{% endfor %}",
      "ab-c-e",
      data,
    ],
    ["{% for i in l limit: 1 %}{{ i }}{% endfor %}{% for j in l offset: continue %}{{ j }}{% endfor %}", "aabc", data],
    [
      "{% for i in l offset: 9 %}{{ i }}{% else %}e{% endfor %}{% for i in l limit: 0 %}{% else %}f{% endfor %}",
      "ef",
      data,
    ],
    [
      "{% for i in l limit: 'x' %}{{ i }}{% endfor %}{% for i in l offset: 1.0 %}{{ i }}{% endfor %}",
      "Liquid error: invalid integer".repeat(2),
      data,
    ],
  ],
  "forloop describes the position in the loop": [
    [
      "{% for i in l %}{{ forloop.index }}{{ forloop.index0 }}{{ forloop.rindex }}{{ forloop.rindex0 }}{{ forloop.first }}{{ forloop.last }}{{ forloop.length }} {% endfor %}",
      "1032truefalse3 2121falsefalse3 3210falsetrue3 ",
      data,
    ],
    [
      "{% for i in (1..2) %}{% for j in (1..2) %}{{ forloop.parentloop.index }}{{ forloop.index }} {% endfor %}{% endfor %}[{{ forloop.index }}]",
      "11 12 21 22 []",
    ],
    [
      "{% for i in l limit: 1 %}{{ forloop.name }} {{ forloop }}{{ forloop.nosuch }}{% endfor %}",
      "i-l Liquid::ForloopDrop",
      data,
    ],
  ],
  "break and continue": [
    [
      "{% for i in (1..5) %}{% if i == 2 %}{% continue %}{% elsif i == 4 %}{% break %}{% endif %}{{ i }}{% endfor %}",
      "13",
    ],
    [
      "{% for i in (1..2) %}{% for j in (1..3) %}{% if j == 2 %}{% break %}{% endif %}{{ j }}{% endfor %}{{ i }}{% endfor %}",
      "1112",
    ],
    ["a{% break %}b", "a"],
  ],
  "tablerow prints rows and cells": [
    [
      "{% tablerow i in (1..3) cols: 2 %}{{ i }}{{ tablerowloop.col_last }}{{ tablerowloop.row }}{% endtablerow %}",
      '<tr class="row1">\n<td class="col1">1false1</td><td class="col2">2true1</td></tr>\n<tr class="row2"><td class="col1">3false2</td></tr>\n',
    ],
    [
      "{% tablerow i in l %}{{ tablerowloop.col }}{{ tablerowloop.col0 }}{{ tablerowloop.col_first }}{% endtablerow %}",
      '<tr class="row1">\n<td class="col1">10true</td><td class="col2">21false</td><td class="col3">32false</td></tr>\n',
      data,
    ],
    [
      "{% tablerow i in l limit: 1 offset: 1 %}{{ i }}{% endtablerow %}{% tablerow i in nosuch %}{% endtablerow %}",
      '<tr class="row1">\n<td class="col1">b</td></tr>\n',
      data,
    ],
    ["{% tablerow i in e %}{% endtablerow %}", '<tr class="row1">\n</tr>\n', { e: [] }],
    [
      "{% tablerow i in l cols:2 %}{{ i }}{% break %}{% endtablerow %}",
      '<tr class="row1">\n<td class="col1">a</td></tr>\n',
      data,
    ],
  ],
  "cycle repeats its values, by name or by values": [
    ["{% for i in (1..3) %}{% cycle 'a', 'b' %}{% cycle 'n': 1, 2 %}{% endfor %}{% cycle 'n': 3, 4 %}", "a1b2a14"],
    ["{% cycle 'a', 'b' %}{% cycle 'a', 'b' %}{% cycle 'a', 'c' %}{% cycle x: 1, 2 %}{% cycle y: 1, 2 %}", "aba12"],
    ["{% cycle l, 2 %}{% cycle 1.0, nil, 2 %}{% cycle v, 1 %}{% cycle v, 1 %}", "abc1.077", { ...data, v: 7 }],
    ["{% for i in (1..2) %}{% cycle 'n': %},{% endfor %}", ",,"],
    [
      "{% cycle %}",
      "Liquid syntax error (line 1): Syntax Error in 'cycle' - Valid syntax: cycle [name :] var [, var2, var3 ...]",
    ],
  ],
  "counters are separate from variables": [
    [
      "{% assign n = 9 %}{% increment n %}{% increment n %}{% decrement n %}{% decrement m %}{{ n }}{{ m }}",
      "011-19-1",
    ],
    ["{% increment n %}{{ n }}{% decrement m %}{{ m }}", "01-1-1", { n: 5, m: 10 }],
  ],
  "raw text ends at its end tag": [
    ["{% raw %}a {% endraw {% endraw %}b", "a {% endraw b"],
    ["{% raw %}{{ x }}{%- endraw more -%} b", "{{ x }}b"],
  ],
  "a string is one item of a loop, regardless of offset and limit": [
    [
      "{% for x in 'ab' limit: 0 %}{{ x }}{% endfor %}{% for x in 'cd' offset: 3 reversed %}{{ x }}{% endfor %}",
      "abcd",
    ],
    ["{% tablerow x in 'ab' limit: 0 %}{{ x }}{% endtablerow %}", '<tr class="row1">\n<td class="col1">ab</td></tr>\n'],
  ],
  "ifchanged prints changed output": [
    ["{% for i in x %}{% ifchanged %}{{ i }}{% endifchanged %}{% endfor %}", "121", { x: [1, 1, 2, 2, 1] }],
  ],
  "echo, liquid and comments": [
    [
      "{% echo 'a' | upcase %}{% liquid\n  assign x = 2\n\n  # note\n  if x == 2\n    echo 'two'\n  endif\n  for i in (1..2)\n    echo i\n  endfor\n%}",
      "Atwo12",
    ],
    ["{% liquid\ncomment\nwhatever {{\nendcomment\necho 1 %}{% liquid %}{%- liquid\n liquid echo 2\n-%}", "12"],
    [
      "a{% comment %}{% comment %}{% endcomment %}{{ x | nosuch: 'don't }} {{ {% if {% comment %} {% endcomment %}{% # don't %}b{%- # c\n # d -%} e",
      "abe",
    ],
    ["{% comment %}{% raw %}{% endcomment %}{% endraw %}{% endcomment %}b{% comment what %}{% endcomment %}", "b"],
    [
      "{% # a\n b %}",
      "Liquid syntax error (line 1): Syntax error in tag '#' - Each line of comments must be prefixed by the '#' character",
    ],
    ["{% liquid\n if true\n%}", "Liquid syntax error (line 2): 'if' tag was never closed"],
  ],
  "raw and doc contain anything": [
    [
      "{% raw %}{{ a }}{% if %}{% endraw %} {%- raw -%} {{ b }} {%- endraw -%} {% raw %}{% endraw %}c",
      "{{ a }}{% if %} {{ b }} c",
    ],
    ["a{% doc %}{{ {% {% enddoc %}b{%- doc -%} x {%- enddoc -%} c", "abc"],
    ["{% raw x %}{% endraw %}", "Liquid syntax error (line 1): Syntax Error in 'raw' - Valid syntax: raw"],
    ["{% raw %}", "Liquid syntax error (line 1): 'raw' tag was never closed"],
    [
      "{% doc %}{% doc %}{% enddoc %}",
      "Liquid syntax error (line 1): Syntax Error in 'doc' - Nested doc tags are not allowed",
    ],
  ],
  "dashes remove whitespace": [
    ["a \n {{- 'b' -}} \n c {%- if true -%} d {%- endif -%} e", "abcde"],
    ["a {{-}} b {%- assign x = 1 -%}{{ x }} {{ '-' -}} c", "a b1 -c".replace("a b", "ab")],
  ],
  "blocks that print nothing print no whitespace": [
    [
      "[{% if true %}\n  {% assign x = 1 %}\n{% endif %}{% for i in (1..9) %} {% endfor %}{% if true %} {{ x }} {% endif %}]",
      "[ 1 ]",
    ],
    [
      "[{% if true %} {% comment %}x{% endcomment %} {% else %} {% endif %}][{% case 1 %}{% when 1 %} {% endcase %}][{% unless false %} {% endunless %}]",
      "[][][]",
    ],
    ["[{% if true %} {% else %} x {% endif %}][{% if true %} {% increment n %}{% endif %}]", "[ ][ 0]"],
  ],
});
