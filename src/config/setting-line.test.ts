import assert from "node:assert/strict";
import { test } from "node:test";
import { findSettingLine } from "./setting-line.ts";

const text = [
  'import { defineStore } from "vitrine";',
  "// cart: { maxLines: 1 }",
  "const shared = { cookieDays: 3 };",
  "export default defineStore({",
  `  name: "A: { shop }, it's", currency,`,
  '  "cart": {',
  "    ...shared,",
  "    maxLines: 2 > 1 ? 5 : 6, /* maxQuantity: 1 */",
  "    maxQuantity: 7,",
  "  },",
  "  menus: {",
  "    main: [",
  '      { title: "One", url: "/1" },',
  '      { title: "Two",',
  '        url: "javascript:" },',
  "    ],",
  '    "main-menu": [],',
  "  },",
  "  search: merged({",
  '    synonyms: [["a", "b"],',
  '      ["c"]],',
  "  }),",
  "});",
].join("\n");

test("the line of a setting is found in the source of the settings", () => {
  const lines: readonly (readonly [string, number | undefined])[] = [
    ["name", 5],
    ["currency", 5],
    ["cart", 6],
    ["cart.maxLines", 8],
    ["cart.maxQuantity", 9],
    ["menus.main[0].url", 13],
    ["menus.main[1].title", 14],
    ["menus.main[1].url", 15],
    ["menus.main-menu", 17],
    // The setting is computed or missing, so the line of its parent is returned.
    ["search.synonyms", 19],
    ["menus.main[1].translations", 14],
    ["cart.nowhere", 6],
    ["nowhere.at.all", undefined],
  ];
  for (const [name, line] of lines) {
    const path = name
      .split(/[.[\]]+/)
      .filter(Boolean)
      .map((key) => (/^\d+$/.test(key) ? Number(key) : key));
    assert.equal(findSettingLine(text, path), line, name);
  }
  assert.equal(findSettingLine("}}}{{{ : , [", ["name"]), undefined);
});
