import type { Context } from "@vitrine/liquid";
import { getAssetPath, getAssetVersion } from "../files/asset-files.ts";
import { type Font, FontValue, fontOf } from "../objects/settings/font.ts";
import { stateOf } from "../render-state.ts";
import { type FilterFamily, splitArguments, textOf } from "./filter.ts";

/**
 * Font filters. Font files are assets of the theme, such as `assistant_n4.woff2` for the font Assistant in normal style
 * and weight 400. Without a file, the filters print nothing, and the browser uses an installed or fallback font.
 */
export const fontFilters: FilterFamily = {
  font_face(value, ...args) {
    const font = fontOf(value);
    const url = font === undefined ? undefined : getFontUrl(this, font, "woff2");
    if (font === undefined || url === undefined) return "";
    const fontDisplay = splitArguments(args).namedArgs.get("font_display");
    const lines = [
      `font-family: "${font.family}";`,
      `font-weight: ${font.weight};`,
      `font-style: ${font.style};`,
      ...(fontDisplay === undefined ? [] : [`font-display: ${textOf(fontDisplay).replace(/[^a-z]/g, "")};`]),
      `src: url("${url}") format("woff2");`,
    ];
    return `@font-face {\n  ${lines.join("\n  ")}\n}\n`;
  },
  /** Returns the URL of a font file: `font_url: 'woff'`. */
  font_url(value, kind) {
    const font = fontOf(value);
    const extension = textOf(kind) === "woff" ? "woff" : "woff2";
    return font === undefined ? "" : (getFontUrl(this, font, extension) ?? "");
  },
  /**
   * Returns another style or weight of a font: `font_modify: 'weight', 'bold'` (or `'+100'`, `'lighter'`, `'700'`),
   * `font_modify: 'style', 'italic'`.
   */
  font_modify(value, property, modification) {
    const font = fontOf(value);
    if (font === undefined) return undefined;
    const text = textOf(modification);
    if (textOf(property) === "style")
      return new FontValue({ ...font, style: text === "italic" || text === "oblique" ? "italic" : "normal" });
    const weight = textOf(property) === "weight" ? computeFontWeight(font.weight, text) : undefined;
    return weight === undefined || weight < 100 || weight > 900 ? undefined : new FontValue({ ...font, weight });
  },
};

function computeFontWeight(currentWeight: number, requestedWeight: string): number | undefined {
  const weightByName = weights.get(requestedWeight);
  if (weightByName !== undefined) return weightByName;
  if (requestedWeight === "bolder") return currentWeight < 400 ? 400 : currentWeight < 600 ? 700 : 900;
  if (requestedWeight === "lighter") return currentWeight > 700 ? 700 : currentWeight > 500 ? 400 : 100;
  const number = /^[+-]?[1-9]00$/.test(requestedWeight) ? Number(requestedWeight) : undefined;
  return number === undefined || /^\d/.test(requestedWeight) ? number : currentWeight + number;
}

const weights: ReadonlyMap<string, number> = new Map([
  ["normal", 400],
  ["bold", 700],
]);

function getFontUrl(call: Context, font: Font, extension: string): string | undefined {
  const style = font.style === "italic" ? "i" : "n";
  const name = `${font.handle}_${style}${font.weight / 100}.${extension}`;
  const { theme } = stateOf(call);
  return getAssetVersion(theme, name) === undefined ? undefined : getAssetPath(theme, name);
}
