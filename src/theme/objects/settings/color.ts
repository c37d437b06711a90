import { objectType, TextObject } from "../template-object.ts";

/** An sRGB color with channels from 0 to 255 and alpha from 0 to 1. */
export interface Color {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

interface Subject extends Color {
  /** The color's string in the settings. */
  readonly text: string;
}

/** Value of a color setting, which prints its string in the settings. */
export class ColorValue extends TextObject<Subject> {
  readonly color: Color;

  constructor(subject: Subject) {
    super(colorType, subject, subject.text);
    this.color = subject;
  }
}

/** Creates the object of a color.  @returns undefined if the string is not a color */
export function colorObject(text: string): ColorValue | undefined {
  const color = parseColor(text);
  return color === undefined ? undefined : new ColorValue({ ...color, text: text.trim() });
}

/** Returns the color of a setting or string. */
export function colorOf(value: unknown): Color | undefined {
  if (value instanceof ColorValue) return value.color;
  return typeof value === "string" ? parseColor(value) : undefined;
}

/** Returns the hue in degrees, and saturation and lightness from 0 to 100. */
export function hueOf({ red, green, blue }: Color): { hue: number; saturation: number; lightness: number } {
  const [r, g, b] = [red / 255, green / 255, blue / 255];
  const max = Math.max(r, g, b);
  const span = max - Math.min(r, g, b);
  const lightness = max - span / 2;
  const saturation = span === 0 ? 0 : span / (1 - Math.abs(2 * lightness - 1));
  let hue = 0;
  if (span > 0 && max === r) hue = ((g - b) / span + 6) % 6;
  else if (span > 0) hue = max === g ? (b - r) / span + 2 : (r - g) / span + 4;
  return {
    hue: Math.round(hue * 60) % 360,
    saturation: Math.round(saturation * 100),
    lightness: Math.round(lightness * 100),
  };
}

/**
 * Parses a CSS color: "#fff", "#ffffff80", "rgb(1, 2, 3)", "rgba(1 2 3 / 50%)", "hsl(120, 50%, 50%)", "transparent" or
 * one of some names.
 */
function parseColor(text: string): Color | undefined {
  const plain = text.trim().toLowerCase();
  const named = names.get(plain);
  if (named !== undefined) return parseColor(named);
  const hex = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.exec(plain)?.[1];
  if (hex !== undefined) {
    const long = hex.length < 6 ? [...hex].map((digit) => digit + digit).join("") : hex;
    const [red = 0, green = 0, blue = 0, alpha = 255] =
      long.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) ?? [];
    return { red, green, blue, alpha: rounded(alpha / 255, 2) };
  }
  const [, kind, list] = /^(rgb|hsl)a?\(([^)]{5,60})\)$/.exec(plain) ?? [];
  if (kind === undefined || list === undefined) return undefined;
  const parts = list.split(/[\s,/]+/).filter((part) => part !== "");
  if (parts.length < 3 || parts.length > 4 || !parts.every((part) => /^\d*\.?\d+(?:%|deg)?$/.test(part)))
    return undefined;
  const [first = "", second = "", third = "", fourth = "1"] = parts;
  const alpha = Math.min(1, share(fourth, 1));
  if (kind === "hsl") return fromHue(Number.parseFloat(first), share(second, 1), share(third, 1), alpha);
  const [red, green, blue] = [first, second, third].map((part) => Math.min(255, Math.round(share(part, 255))));
  return { red: red ?? 0, green: green ?? 0, blue: blue ?? 0, alpha };
}

/** Converts HSL to RGB.  @param hue degrees  @param saturation 0 to 1  @param lightness 0 to 1 */
export function fromHue(hue: number, saturation: number, lightness: number, alpha: number): Color {
  const part = (offset: number): number => {
    const place = (offset + (((hue % 360) + 360) % 360) / 30) % 12;
    const reach = saturation * Math.min(lightness, 1 - lightness);
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(place - 3, 9 - place, 1))));
  };
  return { red: part(0), green: part(8), blue: part(4), alpha };
}

function share(part: string, whole: number): number {
  const number = Number.parseFloat(part);
  return part.endsWith("%") ? (number / 100) * whole : number;
}

function rounded(number: number, digits: number): number {
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

const colorType = objectType<Subject>(
  "color",
  {
    red: ({ red }) => red,
    green: ({ green }) => green,
    blue: ({ blue }) => blue,
    alpha: ({ alpha }) => alpha,
    rgb: ({ red, green, blue }) => `${red} ${green} ${blue}`,
    rgba: ({ red, green, blue, alpha }) => `${red} ${green} ${blue} / ${alpha}`,
    hue: (color) => hueOf(color).hue,
    saturation: (color) => hueOf(color).saturation,
    lightness: (color) => hueOf(color).lightness,
    color_space: () => "srgb",
  },
  {},
  { absent: "oklch oklcha chroma", identity: ({ red, green, blue, alpha }) => `${red} ${green} ${blue} ${alpha}` },
);
