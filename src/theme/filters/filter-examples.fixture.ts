import assert from "node:assert/strict";
import test from "node:test";
import type { Config } from "../../config/settings.ts";
import { buildCart, openTheme } from "../example-shop.fixture.ts";

/** Templates with their expected output, by filter name. */
export type FilterExamples = Readonly<Record<string, readonly (readonly [template: string, output: string])[]>>;

/**
 * Adds a test for each filter. The templates render on a product page within a collection. The cart contains three
 * units.
 * @param files additional files of the theme
 */
export function testFilters(
  examples: FilterExamples,
  files: Readonly<Record<string, string>> = {},
  settings: Partial<Config> = {},
): void {
  for (const [name, pairs] of Object.entries(examples)) {
    test(`the filter ${name}`, async (t) => {
      const sections = pairs.map(([template], index) => [`sections/s${index}.liquid`, template]);
      const theme = await openTheme(t, { ...files, ...Object.fromEntries(sections) }, settings);
      const request = { target: "/collections/bags/products/tote", cart: async () => buildCart(3) };
      for (const [index, [template, expectedOutput]] of pairs.entries())
        assert.equal(await theme.section(`s${index}`, request), expectedOutput, template);
    });
  }
}
