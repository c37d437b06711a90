import type { Context } from "@vitrine/liquid";
import { Float } from "@vitrine/liquid";
import { type Color, colorOf, fromHue } from "../objects/settings/color.ts";
import { type FilterFamily, numericOf, reportError, textOf } from "./filter.ts";

/**
 * Color filters. Colors are strings (`#fff`, `rgb(…)`, `hsl(…)`) or settings. Any other value is reported and returned
 * unchanged.
 */
export const colorFilters: FilterFamily = {
  color_to_rgb: converted((color) => rgb(color)),
  color_to_hex: converted((color) => hex(color)),
  color_to_hsl: converted((color) => {
    const { hue, saturation, lightness } = hueParts(color);
    const parts = `${Math.round(hue)}, ${percent(saturation)}, ${percent(lightness)}`;
    return color.alpha < 1 ? `hsla(${parts}, ${color.alpha})` : `hsl(${parts})`;
  }),
  color_to_oklch: converted((color) => {
    const { lightness, chroma, hue } = oklch(color);
    const alpha = color.alpha < 1 ? ` / ${color.alpha}` : "";
    return `oklch(${(lightness * 100).toFixed(1)}% ${chroma.toFixed(3)} ${hue.toFixed(1)}${alpha})`;
  }),
  hex_to_rgba: converted((color, opacity) => {
    const alpha = opacity === undefined ? color.alpha : numericOf(opacity);
    return `rgba(${color.red}, ${color.green}, ${color.blue}, ${alpha})`;
  }),
  /** Returns a component of a color: red, green, blue, alpha, hue, saturation or lightness. */
  color_extract(value, part) {
    const color = colorIn(this, value);
    if (color === undefined) return undefined;
    const name = textOf(part);
    const { hue, saturation, lightness } = hueParts(color);
    if (name === "alpha") return Float.of(color.alpha);
    if (name === "red" || name === "green" || name === "blue") return color[name];
    const parts = new Map([
      ["hue", hue],
      ["saturation", saturation * 100],
      ["lightness", lightness * 100],
    ]);
    const found = parts.get(name);
    return found === undefined ? reportError(this, `color_extract: no part "${name}"`) : Math.round(found);
  },
  /** Returns the perceived brightness, from 0 to 255. */
  color_brightness(value) {
    const color = colorIn(this, value);
    return color === undefined ? undefined : Float.of(Number(brightness(color).toFixed(2)));
  },
  brightness_difference(value, other) {
    const pair = pairOf(this, value, other);
    return pair === undefined ? undefined : Math.round(Math.abs(brightness(pair[0]) - brightness(pair[1])));
  },
  /** Returns the sum of the differences of red, green and blue, from 0 to 765. */
  color_difference(value, other) {
    const pair = pairOf(this, value, other);
    if (pair === undefined) return undefined;
    const [one, two] = pair;
    return Math.abs(one.red - two.red) + Math.abs(one.green - two.green) + Math.abs(one.blue - two.blue);
  },
  /** Returns the WCAG contrast ratio, from 1 to 21. */
  color_contrast(value, other) {
    const pair = pairOf(this, value, other);
    if (pair === undefined) return undefined;
    const [dark, light] = pair.map(luminance).sort((left, right) => left - right);
    return Float.of(Number((((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)).toFixed(1)));
  },
  color_modify: converted((color, part, amount) => {
    const name = textOf(part);
    const number = numericOf(amount);
    if (name === "alpha") return shown({ ...color, alpha: clamp(number, 1) });
    if (name === "red" || name === "green" || name === "blue")
      return shown({ ...color, [name]: Math.round(clamp(number, 255)) });
    const parts = hueParts(color);
    if (name === "hue") return shown(fromHue(clamp(number, 360), parts.saturation, parts.lightness, color.alpha));
    if (name === "saturation") return shown(fromHue(parts.hue, clamp(number / 100, 1), parts.lightness, color.alpha));
    if (name === "lightness") return shown(fromHue(parts.hue, parts.saturation, clamp(number / 100, 1), color.alpha));
    return shown(color);
  }),
  color_lighten: converted((color, by) => moved(color, 0, numericOf(by))),
  color_darken: converted((color, by) => moved(color, 0, -numericOf(by))),
  color_saturate: converted((color, by) => moved(color, numericOf(by), 0)),
  color_desaturate: converted((color, by) => moved(color, -numericOf(by), 0)),
  /** Mixes two colors: `color_mix: '#000', 80`. A share of 100 returns the first color, 0 the other. */
  color_mix(value, other, share) {
    const pair = pairOf(this, value, other);
    if (pair === undefined) return value;
    const [one, two] = pair;
    const weight = clamp(numericOf(share) / 100, 1);
    const mix = (name: "red" | "green" | "blue" | "alpha"): number => one[name] * weight + two[name] * (1 - weight);
    return shown({
      red: Math.round(mix("red")),
      green: Math.round(mix("green")),
      blue: Math.round(mix("blue")),
      alpha: Number(mix("alpha").toFixed(2)),
    });
  },
};

function converted(make: (color: Color, ...args: unknown[]) => string): FilterFamily[string] {
  return function (value, ...args) {
    const color = colorIn(this, value);
    return color === undefined ? value : make(color, ...args);
  };
}

/** An empty value is not an error, since a merchant may leave a color empty. */
function colorIn(call: Context, value: unknown): Color | undefined {
  const text = textOf(value);
  const color = colorOf(value) ?? colorOf(text);
  return color ?? (text === "" ? undefined : reportError(call, `"${text.slice(0, 50)}" is no colour`));
}

function pairOf(call: Context, value: unknown, other: unknown): readonly [Color, Color] | undefined {
  const one = colorIn(call, value);
  const two = colorIn(call, other);
  return one === undefined || two === undefined ? undefined : [one, two];
}

function moved(color: Color, saturation: number, lightness: number): string {
  const parts = hueParts(color);
  const adjusted = [parts.saturation + saturation / 100, parts.lightness + lightness / 100].map((part) =>
    clamp(part, 1),
  );
  return shown(fromHue(parts.hue, adjusted[0] ?? 0, adjusted[1] ?? 0, color.alpha));
}

function shown(color: Color): string {
  return color.alpha < 1 ? rgb(color) : hex(color);
}

function rgb({ red, green, blue, alpha }: Color): string {
  return alpha < 1 ? `rgba(${red}, ${green}, ${blue}, ${alpha})` : `rgb(${red}, ${green}, ${blue})`;
}

function hex({ red, green, blue }: Color): string {
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

function percent(part: number): string {
  return `${Math.round(part * 100)}%`;
}

function clamp(number: number, max: number): number {
  return Math.min(max, Math.max(0, number));
}

function brightness({ red, green, blue }: Color): number {
  return (red * 299 + green * 587 + blue * 114) / 1_000;
}

/** Converts an sRGB channel (0 to 255) to linear light (0 to 1). */
function light(part: number): number {
  const share = part / 255;
  return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function luminance({ red, green, blue }: Color): number {
  return 0.2126 * light(red) + 0.7152 * light(green) + 0.0722 * light(blue);
}

/**
 * Returns the hue in degrees, and saturation and lightness from 0 to 1. Values are not rounded, so that a conversion is
 * reversible.
 */
function hueParts({ red, green, blue }: Color): { hue: number; saturation: number; lightness: number } {
  const [r, g, b] = [red / 255, green / 255, blue / 255];
  const max = Math.max(r, g, b);
  const span = max - Math.min(r, g, b);
  const lightness = max - span / 2;
  if (span === 0) return { hue: 0, saturation: 0, lightness };
  const turn = max === r ? ((g - b) / span + 6) % 6 : max === g ? (b - r) / span + 2 : (r - g) / span + 4;
  return { hue: turn * 60, saturation: span / (1 - Math.abs(2 * lightness - 1)), lightness };
}

/** Converts a color to OKLCH, with the standard matrices of the OKLab color space. */
function oklch(color: Color): { lightness: number; chroma: number; hue: number } {
  const [r, g, b] = [light(color.red), light(color.green), light(color.blue)];
  const long = Math.cbrt(0.412_221_47 * r + 0.536_332_54 * g + 0.051_445_99 * b);
  const middle = Math.cbrt(0.211_903_5 * r + 0.680_699_55 * g + 0.107_396_96 * b);
  const short = Math.cbrt(0.088_302_46 * r + 0.281_718_84 * g + 0.629_978_7 * b);
  const lightness = 0.210_454_26 * long + 0.793_617_79 * middle - 0.004_072_05 * short;
  const a = 1.977_998_5 * long - 2.428_592_2 * middle + 0.450_593_71 * short;
  const yellow = 0.025_904_04 * long + 0.782_771_77 * middle - 0.808_675_77 * short;
  const hue = (Math.atan2(yellow, a) * 180) / Math.PI;
  return { lightness, chroma: Math.hypot(a, yellow), hue: hue < 0 ? hue + 360 : hue };
}
