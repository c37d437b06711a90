import { testFilters } from "./filter-examples.fixture.ts";

testFilters({
  plus: [
    ["{{ 4 | plus: 2 }} {{ 10 | plus: 2.0 }} {{ 0.1 | plus: 0.2 }} {{ '3.5' | plus: '2' }}", "6 12.0 0.3 5.5"],
    ["{{ 'foo' | plus: 1 }} {{ '12px' | plus: 1 }} {{ nil | plus: 1 }}", "1 13 1"],
  ],
  minus: [["{{ 4 | minus: 2 }} {{ 10.1 | minus: 2.2 }} {{ 2 | minus: 2.0 }}", "2 7.9 0.0"]],
  times: [["{{ 3 | times: 2 }} {{ 3 | times: 1.0 }} {{ 1.1 | times: 3 }}", "6 3.0 3.3"]],
  divided_by: [
    ["{{ 7 | divided_by: 2 }} {{ -7 | divided_by: 2 }} {{ 7.0 | divided_by: 2 }}", "3 -4 3.5"],
    ["{{ 7.5 | divided_by: 2 }} {{ 7 | divided_by: 2.0 }} {{ 7 | divided_by: 2.5 }}", "3.75 3.5 2.8"],
    ["{% assign ratio = 2.0 %}{{ 1 | divided_by: ratio | times: 100 }} {{ 20 | divided_by: 4.0 }}", "50.0 5.0"],
    ["a{{ 1 | divided_by: 0 }}{{ 1 | divided_by: nil }}b", "ab"],
  ],
  modulo: [["{{ 7 | modulo: 3 }} {{ -7 | modulo: 3 }} {{ 10.1 | modulo: 7.0 }}{{ 1 | modulo: 0 }}", "1 2 3.1"]],
  abs: [["{{ -17 | abs }} {{ '-1.5' | abs }} {{ 4 | abs }}", "17 1.5 4"]],
  ceil: [["{{ 1.2 | ceil }} {{ '3.5' | ceil }} {{ 2.0 | ceil }}", "2 4 2"]],
  floor: [["{{ 1.8 | floor }} {{ -1.2 | floor }}", "1 -2"]],
  round: [
    ["{{ 1.5 | round }} {{ -1.5 | round }} {{ 2.4 | round }} {{ 5 | round: 2 }}", "2 -2 2 5"],
    [
      "{{ 183.357 | round: 2 }} {{ 1.005 | round: 2 }} {{ 2.04 | round: 1 }} {{ 1234.5 | round: -2 }}",
      "183.36 1.01 2.0 1200",
    ],
  ],
  at_least: [["{{ 4 | at_least: 5 }} {{ 4 | at_least: 3 }}", "5 4"]],
  at_most: [["{{ 4 | at_most: 5 }} {{ 4 | at_most: 3.0 }}", "4 3.0"]],
});
