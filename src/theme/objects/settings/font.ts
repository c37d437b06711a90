import { capitalize } from "../../../runtime/capitalize.ts";
import { createObjectType, TemplateObject } from "../template-object.ts";

/** A font. Its handle contains all fields: "assistant_n4" is Assistant, normal style, weight 400. */
export interface Font {
  readonly handle: string;
  readonly family: string;
  readonly fallbackFamilies: string;
  /** Weight from 100 to 900. */
  readonly weight: number;
  readonly style: "normal" | "italic";
  /** Whether the theme has no file for the font. The browser then uses an installed font. */
  readonly isSystemFont: boolean;
}

/** Value of a font setting, with a fallback for browsers that cannot load the font. */
export class FontValue extends TemplateObject<Font> {
  readonly font: Font;

  constructor(font: Font) {
    super(fontType, font);
    this.font = font;
  }
}

/**
 * Creates a font object.
 * @param handle "assistant_n4"
 * @param hasFile whether the theme contains the font's file
 * @returns undefined if the string is not a font handle
 */
export function createFontObject(handle: string, hasFile = false): FontValue | undefined {
  const [, name, style, digit] = /^([a-z0-9]+(?:_[a-z0-9]+)*?)(?:_([nio])([1-9]))?$/.exec(handle.trim()) ?? [];
  if (name === undefined) return undefined;
  const systemFont = systemFonts.get(name);
  const words = name.split("_").map((word) => capitalize(word));
  return new FontValue({
    handle: name,
    family: systemFont?.[0] ?? words.join(" "),
    fallbackFamilies: systemFont?.[1] ?? getGenericFamily(name),
    weight: Number(digit ?? 4) * 100,
    style: style === "i" || style === "o" ? "italic" : "normal",
    isSystemFont: systemFont !== undefined || !hasFile,
  });
}

/** Returns the font of a font setting or of a handle such as "assistant_n4". */
export function fontOf(value: unknown): Font | undefined {
  if (value instanceof FontValue) return value.font;
  return typeof value === "string" ? createFontObject(value)?.font : undefined;
}

function getGenericFamily(name: string): string {
  if (/mono|courier|code/.test(name)) return "monospace";
  const isSerif =
    /(?<!sans_)serif|slab|garamond|playfair|baskerville|bodoni|caslon|lora|merriweather|newsreader|times|georgia|roman/;
  return isSerif.test(name) ? "serif" : "sans-serif";
}

const systemFonts: ReadonlyMap<string, readonly [family: string, fallback: string]> = new Map([
  ["arial", ["Arial", "sans-serif"]],
  ["courier_new", ["Courier New", "monospace"]],
  ["garamond", ["Garamond", "serif"]],
  ["georgia", ["Georgia", "serif"]],
  ["helvetica", ["Helvetica", "Arial, sans-serif"]],
  ["lucida_grande", ["Lucida Grande", "sans-serif"]],
  ["mono", ["monospace", "monospace"]],
  ["monaco", ["Monaco", "monospace"]],
  ["palatino", ["Palatino", "serif"]],
  ["sans_serif", ["sans-serif", "sans-serif"]],
  ["serif", ["serif", "serif"]],
  ["system_ui", ["system-ui", "sans-serif"]],
  ["tahoma", ["Tahoma", "sans-serif"]],
  ["times_new_roman", ["Times New Roman", "serif"]],
  ["trebuchet_ms", ["Trebuchet MS", "sans-serif"]],
  ["verdana", ["Verdana", "sans-serif"]],
]);

const fontType = createObjectType<Font>(
  "font",
  {
    family: ({ family }) => (/^[\w-]+$/.test(family) ? family : `"${family}"`),
    fallback_families: ({ fallbackFamilies }) => fallbackFamilies,
    weight: ({ weight }) => String(weight),
    style: ({ style }) => style,
    "system?": ({ isSystemFont }) => isSystemFont,
    system: ({ isSystemFont }) => isSystemFont,
    baseline_ratio: () => 0.133,
  },
  { variants: (font) => [new FontValue(font)] },
  { fieldTypes: { variants: "font[]" }, identity: ({ handle, weight, style }) => `${handle} ${weight} ${style}` },
);
