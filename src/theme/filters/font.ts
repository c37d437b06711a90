import type { Context } from "@vitrine/liquid";
import { assetPath, assetVersion } from "../files/asset-files.ts";
import { type Font, FontValue, fontOf } from "../objects/settings/font.ts";
import { stateOf } from "../render-state.ts";
import { type FilterFamily, splitArguments, textOf } from "./filter.ts";

/**
 * Font filters. Font files are assets of the theme, named by handle, style and weight: `assistant_n4.woff2`. For a font
 * without a file, the filters print nothing, and the browser uses an installed font or the fallback.
 */
export const fontFilters: FilterFamily = {
  font_face(value, ...args) {
    const font = fontOf(value);
    const address = font === undefined ? undefined : fontAddress(this, font, "woff2");
    if (font === undefined || address === undefined) return "";
    const display = splitArguments(args).named.get("font_display");
    const lines = [
      `font-family: "${font.family}";`,
      `font-weight: ${font.weight};`,
      `font-style: ${font.style};`,
      ...(display === undefined ? [] : [`font-display: ${textOf(display).replace(/[^a-z]/g, "")};`]),
      `src: url("${address}") format("woff2");`,
    ];
    return `@font-face {\n  ${lines.join("\n  ")}\n}\n`;
  },
  /** Returns the URL of a font file: `font_url: 'woff'`. */
  font_url(value, kind) {
    const font = fontOf(value);
    const ending = textOf(kind) === "woff" ? "woff" : "woff2";
    return font === undefined ? "" : (fontAddress(this, font, ending) ?? "");
  },
  /**
   * Returns a variant of a font: `font_modify: 'weight', 'bold'` (or `'+100'`, `'lighter'`, `'700'`), `font_modify: 'style', 'italic'`.
   */
  font_modify(value, property, wanted) {
    const font = fontOf(value);
    if (font === undefined) return undefined;
    const text = textOf(wanted);
    if (textOf(property) === "style")
      return new FontValue({ ...font, style: text === "italic" || text === "oblique" ? "italic" : "normal" });
    const weight = textOf(property) === "weight" ? weightFrom(font.weight, text) : undefined;
    return weight === undefined || weight < 100 || weight > 900 ? undefined : new FontValue({ ...font, weight });
  },
};

function weightFrom(now: number, wanted: string): number | undefined {
  const named = weights.get(wanted);
  if (named !== undefined) return named;
  if (wanted === "bolder") return now < 400 ? 400 : now < 600 ? 700 : 900;
  if (wanted === "lighter") return now > 700 ? 700 : now > 500 ? 400 : 100;
  const number = /^[+-]?[1-9]00$/.test(wanted) ? Number(wanted) : undefined;
  return number === undefined || /^\d/.test(wanted) ? number : now + number;
}

const weights: ReadonlyMap<string, number> = new Map([
  ["normal", 400],
  ["bold", 700],
]);

function fontAddress(call: Context, font: Font, ending: string): string | undefined {
  const style = font.style === "italic" ? "i" : "n";
  const name = `${font.handle}_${style}${font.weight / 100}.${ending}`;
  const { theme } = stateOf(call);
  return assetVersion(theme, name) === undefined ? undefined : assetPath(theme, name);
}
