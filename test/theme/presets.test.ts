// The presets of the default theme: one setting selects the colors and the fonts of a shop.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { checkSettings } from "../../src/config/load-config.ts";
import { checkTheme } from "../../src/theme/check/check-theme.ts";
import { startShop } from "../support/shop.ts";

const theme = fileURLToPath(new URL("../../themes/default/", import.meta.url));
const readText = (file: string): string => readFileSync(theme + file, "utf8");
const styles = readText("assets/theme.css");
const { presets } = JSON.parse(readText("config/settings_data.json")) as {
  readonly presets: Readonly<Record<string, { readonly palette: string; readonly heading_font: string }>>;
};

type Color = readonly [red: number, green: number, blue: number];
type Scheme = "light" | "dark";

/** Returns the colors of a palette by name. */
function colorsOf(palette: string, scheme: Scheme): ReadonlyMap<string, Color> {
  const colors = new Map<string, Color>();
  for (const selector of [":root", `.palette-${palette}`]) {
    const [, block = ""] = new RegExp(`(?:^|\\n)${selector.replace(".", "\\.")} \\{([^}]*)\\}`).exec(styles) ?? [];
    for (const [, name = "", value = ""] of block.matchAll(/--([\w-]+): ([^;]+);/g)) {
      const [light, dark = light] = value.match(/#[0-9a-f]{6}/g) ?? [];
      const color = (scheme === "light" ? light : dark)?.slice(1).match(/../g);
      const reference = /^var\(--([\w-]+)\)$/.exec(value)?.[1];
      if (color) colors.set(name, color.map((part) => Number.parseInt(part, 16)) as never);
      else if (reference !== undefined) colors.set(name, colors.get(reference) as Color);
    }
  }
  return colors;
}

/** Returns the contrast ratio of two colors.  @see https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrastOf(one: Color, other: Color): number {
  const [low = 0, high = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminanceOf(color: Color): number {
  const [red = 0, green = 0, blue = 0] = color
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Pairs of a color and its backgrounds, with the minimum contrast of WCAG AA. */
const pairs: readonly (readonly [color: string, backgrounds: string, minimum: number])[] = [
  ["ink", "ground surface tint accent-soft", 4.5],
  ["muted", "ground surface tint", 4.5],
  ["accent", "ground surface tint accent-soft", 4.5],
  ["on-accent", "accent hover", 4.5],
  ["sale", "ground surface tint", 4.5],
  ["good", "ground surface tint", 4.5],
  ["ground", "ink sale", 4.5],
  ["on-deep", "deep", 4.5],
  ["field", "ground surface", 3],
  ["focus", "ground surface tint", 3],
];

for (const [name, { palette }] of Object.entries(presets))
  for (const scheme of ["light", "dark"] as const)
    test(`the preset ${name} has the contrast of WCAG AA in ${scheme} colors`, () => {
      const colors = colorsOf(palette, scheme);
      for (const [color, backgrounds, minimum] of pairs)
        for (const background of backgrounds.split(" ")) {
          const backgroundColor = colors.get(background);
          // A mix of the accent and the ink has more contrast than the accent.
          if (background === "hover" && backgroundColor === undefined) continue;
          const contrast = contrastOf(colors.get(color) as Color, backgroundColor as Color);
          assert.ok(contrast >= minimum, `${color} on ${background}: ${contrast.toFixed(2)}`);
        }
    });

test("the color of the browser's bars is that of the header", () => {
  const head = readText("snippets/head.liquid");
  for (const { palette } of Object.values(presets)) {
    const [, color] =
      new RegExp(`when '${palette}'\\s+assign dark_surface = '(#\\w+)'`).exec(head) ??
      /else\s+assign dark_surface = '(#\w+)'/.exec(head) ??
      [];
    const bytes = colorsOf(palette, "dark").get("surface") ?? [];
    assert.equal(color, `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`, palette);
  }
});

test("a setting of the shop selects a preset, and an unknown preset is reported", async () => {
  const files = globSync("{layout,templates,sections,snippets,locales,config}/*.*", { cwd: theme });
  const themeFiles = Object.fromEntries(files.map((file) => [file, readText(file)]));
  const openHome = async (themePreset?: string) =>
    (await (await startShop({ config: { ...(themePreset && { themePreset }) }, themeFiles })).client().get("/")).text;
  const findings = checkTheme(theme, checkSettings({ themePreset: "Garden" }, "")).filter(
    ({ severity }) => severity === "error",
  );
  assert.deepEqual(
    findings.map(({ message }) => message),
    ['themePreset of vitrine.config.ts: no preset "Garden": use Clothes, Food, Tools, Books, Art, Harbour'],
  );
  assert.match(await openHome(), /class="palette-clothes heading-figtree sans-serif"/);
  assert.match(await openHome("food"), /class="palette-food heading-young-serif serif"/);
  assert.match(await openHome("Harbour"), /class="palette-harbour heading-newsreader serif"[\s\S]*class="awning"/);
});
