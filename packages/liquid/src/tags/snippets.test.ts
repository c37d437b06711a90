import { runTestCases } from "../cases.fixture.ts";

const snippets = {
  show: "[{{ x }}{{ show }}]",
  "a/card": "({{ card }})",
  loop: "{{ loop }}{{ forloop.index }}/{{ forloop.length }} ",
  give: "{% assign y = 'given' %}{% increment n %}",
  stop: "{% break %}",
  outer: "{% include 'show' %}",
  bad: "\n{{ 1 | divided_by: 0 }}",
  preset: "{% if x == nil %}{% assign x = 'p' %}{% endif %}{{ x }}",
  broken: "{% if %}",
};
const data = { snippets, l: ["a", "b"], h: { k: "v" } };

runTestCases({
  "render sees its own and global variables": [
    ["{% assign x = 1 %}{% render 'show' %}{% render 'show', x: 2 %}{% render 'show' x: x %}", "[][2][1]", data],
    ["{% render 'show' %}", "[g]", { ...data, x: "g" }],
    ["{% render 'give' %}{% increment n %}{{ y }}", "00", data],
    ["{% for i in (1..2) %}{% render 'stop' %}{{ i }}{% endfor %}", "12", data],
  ],
  "a rendered snippet can reassign its arguments": [
    ["{% render 'preset', x: nil %}{% render 'preset' with nil as x %}{% render 'preset', x: 1 %}", "pp1", data],
    ["[{% include 'preset', x: nil %}]{{ x }}", "[]p", data],
  ],
  "render binds one value, or each item of a list": [
    ["{% render 'show' with 5 %}{% render 'show' with 5 as x %}{% render 'a/card' with l %}", "[5][5](ab)", data],
    [
      "{% render 'loop' for l %}{% render 'loop' for (1..2) as loop %}{% render 'show' for 5 as x %}",
      "a1/2 b2/2 11/2 22/2 [5]",
      data,
    ],
    ["{% render 'loop' for h %}{% render 'loop' for e %}|", "kv1/1 |", { ...data, e: [] }],
    ["{% render: 'show', x: 3 %}{% render , 'show' with 4 as x %}", "[3][4]", data],
    ["{% render 'show', x: 1, x: 2 %}{% render 'show' with: 3, x: 4 %}", "[2][4]", data],
  ],
  "include shares the variables of its caller": [
    ["{% assign x = 1 %}{% include 'show' %}{% include 'give' %}{{ y }}{{ n }}", "[1]0given1", data],
    [
      "{% include 'show' with 5 %}{% include 'show' with l %}{% include 'show' for l as x %}{% include name %}",
      "[5][a][b][a][b][]",
      { ...data, name: "show" },
    ],
    ["{% assign card = 'c' %}{% include 'a/card' %}{% assign show = l %}{% include 'show' %}", "()[a][b]", data],
    ["{% include 'show', x: 2 %}{{ x }}{% include 'show' with size: 2, x: 'r' %}", "[2][r]", data],
    ["{% for i in (1..2) %}{% include 'stop' %}{{ i }}{% endfor %}|", "|", data],
  ],
  "text between named arguments is skipped": [
    [
      "{% assign c = 'C' %}{% include 'show', c, l.first, 'q', x: c %}{% render 'show', c, l.first, x: c %}",
      "[C][C]",
      data,
    ],
  ],
  "errors of snippets": [
    ["{% render 'outer' %}", "Liquid error: include usage is not allowed in this context", data],
    [
      "{% render 'none' %}|{% include 'none' %}|{% include nosuch %}",
      "Liquid error: Could not find asset none|Liquid error: Could not find asset none|Liquid error: Argument error in tag 'include' - Illegal template name",
      data,
    ],
    [
      "{% render name %}",
      "Liquid syntax error (line 1): Syntax error in tag 'render' - Template name must be a quoted string",
      data,
    ],
    ["a{% render 'bad' %}b", "a\nLiquid error: divided by 0b", data],
    ["{% render 'broken' %}", "Liquid error: Syntax Error in tag 'if' - Valid syntax: if [expression]", data],
  ],
});
