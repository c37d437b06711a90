import type { Context } from "@vitrine/liquid";
import { Float } from "@vitrine/liquid";
import { type Color, colorOf, createHslColor, toHsl } from "../objects/settings/color.ts";
import { formatOklch, toLinearLight } from "../objects/settings/oklch.ts";
import { type FilterFamily, reportError, textOf, toFilterNumber } from "./filter.ts";

/**
 * Color filters. A color is a string (`#fff`, `rgb(…)`, `hsl(…)`) or a color setting. Any other value is reported as an
 * error and returned unchanged.
 */
export const colorFilters: FilterFamily = {
  color_to_rgb: createColorFilter(formatRgb),
  color_to_hex: createColorFilter(formatHex),
  color_to_hsl: createColorFilter((color) => {
    const { hue, saturation, lightness } = toHsl(color);
    const parts = `${Math.round(hue)}, ${formatPercent(saturation)}, ${formatPercent(lightness)}`;
    return color.alpha < 1 ? `hsla(${parts}, ${color.alpha})` : `hsl(${parts})`;
  }),
  color_to_oklch: createColorFilter((color) => {
    const alphaSuffix = color.alpha < 1 ? ` / ${color.alpha}` : "";
    return `oklch(${formatOklch(color)}${alphaSuffix})`;
  }),
  hex_to_rgba: createColorFilter((color, opacity) => {
    const alphaSuffix = opacity === undefined ? color.alpha : toFilterNumber(opacity);
    return `rgba(${color.red}, ${color.green}, ${color.blue}, ${alphaSuffix})`;
  }),
  /** Returns a component of a color: red, green, blue, alpha, hue, saturation or lightness. */
  color_extract(value, part) {
    const color = readColor(this, value);
    if (color === undefined) return undefined;
    const name = textOf(part);
    const { hue, saturation, lightness } = toHsl(color);
    if (name === "alpha") return Float.of(color.alpha);
    if (name === "red" || name === "green" || name === "blue") return color[name];
    const parts = new Map([
      ["hue", hue],
      ["saturation", saturation * 100],
      ["lightness", lightness * 100],
    ]);
    const colorComponent = parts.get(name);
    return colorComponent === undefined
      ? reportError(this, `color_extract: no part "${name}"`)
      : Math.round(colorComponent);
  },
  /** Returns the perceived brightness, from 0 to 255. */
  color_brightness(value) {
    const color = readColor(this, value);
    return color === undefined ? undefined : Float.of(Number(computeBrightness(color).toFixed(2)));
  },
  brightness_difference(value, otherValue) {
    const colors = readColors(this, value, otherValue);
    return colors === undefined
      ? undefined
      : Math.round(Math.abs(computeBrightness(colors[0]) - computeBrightness(colors[1])));
  },
  /** Returns the sum of the differences of red, green and blue, from 0 to 765. */
  color_difference(value, otherValue) {
    const colors = readColors(this, value, otherValue);
    if (colors === undefined) return undefined;
    const [firstColor, secondColor] = colors;
    return (
      Math.abs(firstColor.red - secondColor.red) +
      Math.abs(firstColor.green - secondColor.green) +
      Math.abs(firstColor.blue - secondColor.blue)
    );
  },
  /** Returns the WCAG contrast ratio, from 1 to 21. */
  color_contrast(value, otherValue) {
    const colors = readColors(this, value, otherValue);
    if (colors === undefined) return undefined;
    const [darkLuminance, lightLuminance] = colors.map(computeLuminance).sort((left, right) => left - right);
    return Float.of(Number((((lightLuminance ?? 0) + 0.05) / ((darkLuminance ?? 0) + 0.05)).toFixed(1)));
  },
  color_modify: createColorFilter((color, part, amount) => {
    const name = textOf(part);
    const number = toFilterNumber(amount);
    if (name === "alpha") return formatColor({ ...color, alpha: clamp(number, 1) });
    if (name === "red" || name === "green" || name === "blue")
      return formatColor({ ...color, [name]: Math.round(clamp(number, 255)) });
    const parts = toHsl(color);
    if (name === "hue")
      return formatColor(createHslColor(clamp(number, 360), parts.saturation, parts.lightness, color.alpha));
    if (name === "saturation")
      return formatColor(createHslColor(parts.hue, clamp(number / 100, 1), parts.lightness, color.alpha));
    if (name === "lightness")
      return formatColor(createHslColor(parts.hue, parts.saturation, clamp(number / 100, 1), color.alpha));
    return formatColor(color);
  }),
  color_lighten: createColorFilter((color, percentPoints) => shiftColor(color, 0, toFilterNumber(percentPoints))),
  color_darken: createColorFilter((color, percentPoints) => shiftColor(color, 0, -toFilterNumber(percentPoints))),
  color_saturate: createColorFilter((color, percentPoints) => shiftColor(color, toFilterNumber(percentPoints), 0)),
  color_desaturate: createColorFilter((color, percentPoints) => shiftColor(color, -toFilterNumber(percentPoints), 0)),
  /**
   * Mixes two colors: `color_mix: '#000', 80`. A share of 100 percent returns the first color, 0 percent the second.
   */
  color_mix(value, otherValue, percentage) {
    const colors = readColors(this, value, otherValue);
    if (colors === undefined) return value;
    const [firstColor, secondColor] = colors;
    const weight = clamp(toFilterNumber(percentage) / 100, 1);
    const mixChannel = (name: "red" | "green" | "blue" | "alpha"): number =>
      firstColor[name] * weight + secondColor[name] * (1 - weight);
    return formatColor({
      red: Math.round(mixChannel("red")),
      green: Math.round(mixChannel("green")),
      blue: Math.round(mixChannel("blue")),
      alpha: Number(mixChannel("alpha").toFixed(2)),
    });
  },
};

function createColorFilter(format: (color: Color, ...args: unknown[]) => string): FilterFamily[string] {
  return function (value, ...args) {
    const color = readColor(this, value);
    return color === undefined ? value : format(color, ...args);
  };
}

/** Parses a color. An empty value is not reported as an error, because merchants may leave color settings empty. */
function readColor(call: Context, value: unknown): Color | undefined {
  const text = textOf(value);
  const color = colorOf(value) ?? colorOf(text);
  return color ?? (text === "" ? undefined : reportError(call, `"${text.slice(0, 50)}" is not a color`));
}

function readColors(call: Context, value: unknown, otherValue: unknown): readonly [Color, Color] | undefined {
  const firstColor = readColor(call, value);
  const secondColor = readColor(call, otherValue);
  return firstColor === undefined || secondColor === undefined ? undefined : [firstColor, secondColor];
}

function shiftColor(color: Color, saturationChange: number, lightnessChange: number): string {
  const parts = toHsl(color);
  const saturation = clamp(parts.saturation + saturationChange / 100, 1);
  const lightness = clamp(parts.lightness + lightnessChange / 100, 1);
  return formatColor(createHslColor(parts.hue, saturation, lightness, color.alpha));
}

function formatColor(color: Color): string {
  return color.alpha < 1 ? formatRgb(color) : formatHex(color);
}

function formatRgb({ red, green, blue, alpha }: Color): string {
  return alpha < 1 ? `rgba(${red}, ${green}, ${blue}, ${alpha})` : `rgb(${red}, ${green}, ${blue})`;
}

function formatHex({ red, green, blue }: Color): string {
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

function formatPercent(part: number): string {
  return `${Math.round(part * 100)}%`;
}

function clamp(number: number, max: number): number {
  return Math.min(max, Math.max(0, number));
}

function computeBrightness({ red, green, blue }: Color): number {
  return (red * 299 + green * 587 + blue * 114) / 1_000;
}

function computeLuminance({ red, green, blue }: Color): number {
  return 0.2126 * toLinearLight(red) + 0.7152 * toLinearLight(green) + 0.0722 * toLinearLight(blue);
}
