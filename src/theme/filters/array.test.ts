import { testFilters } from "./filter-examples.fixture.ts";

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
  has: [["{{ collection.products | has: 'handle', 'x' }} {{ collection.products | has: 'available' }}", "false true"]],
  map: [
    ["{{ product.variants | map: 'title' | join: '/' }} {{ collections | map: 'handle' | join }}", "Red/Blue bags"],
  ],
  sum: [
    ["{{ product.variants | sum: 'price' }} {{ product.variants | map: 'constructor' | compact | size }}", "4598 0"],
  ],
  sort: [["{{ product.variants | sort: 'price' | reverse | map: 'title' | join: ',' }}", "Blue,Red"]],
});
