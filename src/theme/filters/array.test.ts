import { testFilters } from "./filter-examples.fixture.ts";

const words = "{% assign a = 'b,a,C' | split: ',' %}";

testFilters({
  where: [
    ["{{ collection.products | where: 'available' | map: 'title' | join }}", "Tote"],
    ["{{ collection.products | where: 'handle', 'mug' | map: 'title' | join }}", "Mug"],
    ["{{ collection.products | where: 'handle', nil | size }} {{ nil | where: 'x' | size }}", "2 0"],
  ],
  reject: [["{{ collection.products | reject: 'handle', 'mug' | map: 'handle' | join }}", "tote"]],
  find: [
    ["{% assign p = collection.products | find: 'handle', 'mug' %}{{ p.title }}", "Mug"],
    ["{% assign p = collection.products | find: 'handle', 'x' %}[{{ p.title }}]", "[]"],
  ],
  find_index: [["{{ collection.products | find_index: 'handle', 'mug' }}", "1"]],
  has: [
    ["{{ collection.products | has: 'handle', 'x' }} {{ collection.products | has: 'available' }}", "false true"],
    [`${words}{{ a | has: 'a' }} {{ a | has: 'z' }}`, "true false"],
  ],
  map: [
    ["{{ product.variants | map: 'title' | join: '/' }} {{ collections | map: 'handle' | join }}", "Red/Blue bags"],
  ],
  sum: [
    ["{{ product.variants | sum: 'price' }} {{ product.variants | map: 'constructor' | compact | size }}", "4598 0"],
    ["{% assign n = '1,2.5' | split: ',' %}{{ n | sum }}", "3.5"],
  ],
  sort: [
    ["{{ product.variants | sort: 'price' | reverse | map: 'title' | join: ',' }}", "Blue,Red"],
    [`${words}{{ a | sort | join }}`, "C a b"],
  ],
  sort_natural: [[`${words}{{ a | sort_natural | join }}`, "a b C"]],
  uniq: [
    ["{{ 'a,b,a' | split: ',' | uniq | join }}", "a b"],
    ["{{ collection.products | concat: collection.products | uniq: 'handle' | size }}", "2"],
  ],
  compact: [["{{ collection.products | map: 'featured_image' | compact | size }}", "1"]],
  concat: [[`${words}{{ a | concat: a | join }}`, "b a C b a C"]],
  reverse: [[`${words}{{ a | reverse | join }}`, "C a b"]],
  join: [[`${words}{{ a | join }} {{ a | join: ', ' }} {{ 'x' | join }}`, "b a C b, a, C x"]],
  first: [[`${words}{{ a | first }} {{ a.first }} {{ collections | map: 'handle' | first }}`, "b b bags"]],
  last: [[`${words}{{ a | last }} {{ a.last }} {{ a[-1] }}`, "C C C"]],
  size: [
    [`${words}{{ a | size }} {{ 'abc' | size }} {{ nil | size }}`, "3 3 0"],
    ["{{ collections.size }} {{ collections | size }}", "1 1"],
  ],
  split: [
    [
      "{{ 'a  b\nc' | split: ' ' | join: '-' }} {{ 'a,b,,' | split: ',' | size }} {{ 'ab' | split: '' | join }}",
      "a-b-c 2 a b",
    ],
  ],
});
