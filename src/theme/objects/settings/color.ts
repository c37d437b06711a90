import { Float } from "@vitrine/liquid";
import { createObjectType, TextObject } from "../template-object.ts";
import { formatOklch, toOklch } from "./oklch.ts";

/** An sRGB color with channels from 0 to 255 and alpha from 0 to 1. */
export interface Color {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

interface ColorData extends Color {
  /** The color as the settings contain it. */
  readonly text: string;
}

/** Value of a color setting. It prints the color as the settings contain it. */
export class ColorValue extends TextObject<ColorData> {
  readonly color: Color;

  constructor(subject: ColorData) {
    super(colorType, subject, subject.text);
    this.color = subject;
  }
}

/** Creates the object of a color.  @returns undefined if the string is not a color */
export function parseColorObject(text: string): ColorValue | undefined {
  const color = parseColor(text);
  return color === undefined ? undefined : new ColorValue({ ...color, text: text.trim() });
}

/** Returns the color of a color setting or of a string such as "#fff". */
export function colorOf(value: unknown): Color | undefined {
  if (value instanceof ColorValue) return value.color;
  return typeof value === "string" ? parseColor(value) : undefined;
}

/**
 * Converts to hue in degrees, and saturation and lightness from 0 to 1. Values are not rounded, so that converting back
 * returns the same color.
 */
export function toHsl({ red, green, blue }: Color): { hue: number; saturation: number; lightness: number } {
  const [r, g, b] = [red / 255, green / 255, blue / 255];
  const max = Math.max(r, g, b);
  const rgbRange = max - Math.min(r, g, b);
  const lightness = max - rgbRange / 2;
  if (rgbRange === 0) return { hue: 0, saturation: 0, lightness };
  const hueSextant =
    max === r ? ((g - b) / rgbRange + 6) % 6 : max === g ? (b - r) / rgbRange + 2 : (r - g) / rgbRange + 4;
  return { hue: hueSextant * 60, saturation: rgbRange / (1 - Math.abs(2 * lightness - 1)), lightness };
}

/**
 * Parses a CSS color: "#fff", "#ffffff80", "rgb(1, 2, 3)", "rgba(1 2 3 / 50%)", "hsl(120, 50%, 50%)", "transparent", or
 * a known color name.
 */
function parseColor(text: string): Color | undefined {
  const normalizedText = text.trim().toLowerCase();
  const namedColor = names.get(normalizedText);
  if (namedColor !== undefined) return parseColor(namedColor);
  const hexDigits = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.exec(normalizedText)?.[1];
  if (hexDigits !== undefined) {
    const expandedHex = hexDigits.length < 6 ? [...hexDigits].map((digit) => digit + digit).join("") : hexDigits;
    const [red = 0, green = 0, blue = 0, alpha = 255] =
      expandedHex.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) ?? [];
    return { red, green, blue, alpha: roundToDigits(alpha / 255, 2) };
  }
  const [, kind, list] = /^(rgb|hsl)a?\(([^)]{5,60})\)$/.exec(normalizedText) ?? [];
  if (kind === undefined || list === undefined) return undefined;
  const parts = list.split(/[\s,/]+/).filter((part) => part !== "");
  if (parts.length < 3 || parts.length > 4 || !parts.every((part) => /^\d*\.?\d+(?:%|deg)?$/.test(part)))
    return undefined;
  const [firstPart = "", secondPart = "", thirdPart = "", alphaPart = "1"] = parts;
  const alpha = Math.min(1, parseComponent(alphaPart, 1));
  if (kind === "hsl")
    return createHslColor(
      Number.parseFloat(firstPart),
      parseComponent(secondPart, 1),
      parseComponent(thirdPart, 1),
      alpha,
    );
  const [red, green, blue] = [firstPart, secondPart, thirdPart].map((part) =>
    Math.min(255, Math.round(parseComponent(part, 255))),
  );
  return { red: red ?? 0, green: green ?? 0, blue: blue ?? 0, alpha };
}

/** Converts HSL to RGB.  @param hue degrees  @param saturation 0 to 1  @param lightness 0 to 1 */
export function createHslColor(hue: number, saturation: number, lightness: number, alpha: number): Color {
  const computeChannel = (offset: number): number => {
    const position = (offset + (((hue % 360) + 360) % 360) / 30) % 12;
    const amplitude = saturation * Math.min(lightness, 1 - lightness);
    return Math.round(255 * (lightness - amplitude * Math.max(-1, Math.min(position - 3, 9 - position, 1))));
  };
  return { red: computeChannel(0), green: computeChannel(8), blue: computeChannel(4), alpha };
}

function parseComponent(part: string, maxValue: number): number {
  const number = Number.parseFloat(part);
  return part.endsWith("%") ? (number / 100) * maxValue : number;
}

function roundToDigits(number: number, digits: number): number {
  return Number(number.toFixed(digits));
}

const names: ReadonlyMap<string, string> = new Map([
  ["transparent", "#00000000"],
  ["black", "#000"],
  ["white", "#fff"],
  ["gray", "#808080"],
  ["grey", "#808080"],
  ["red", "#f00"],
  ["green", "#008000"],
  ["blue", "#00f"],
]);

const colorType = createObjectType<ColorData>(
  "color",
  {
    red: ({ red }) => red,
    green: ({ green }) => green,
    blue: ({ blue }) => blue,
    alpha: ({ alpha }) => alpha,
    rgb: ({ red, green, blue }) => `${red} ${green} ${blue}`,
    rgba: ({ red, green, blue, alpha }) => `${red} ${green} ${blue} / ${alpha}`,
    hue: (color) => Math.round(toHsl(color).hue) % 360,
    saturation: (color) => Math.round(toHsl(color).saturation * 100),
    lightness: (color) => Math.round(toHsl(color).lightness * 100),
    color_space: () => "srgb",
    chroma: (color) => Float.of(roundToDigits(toOklch(color).chroma, 3)),
    oklch: (color) => formatOklch(color),
    oklcha: (color) => `${formatOklch(color)} / ${color.alpha}`,
  },
  {},
  { identity: ({ red, green, blue, alpha }) => `${red} ${green} ${blue} ${alpha}` },
);
