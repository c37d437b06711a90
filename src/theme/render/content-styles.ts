/** Allowed declarations of a `style` attribute. */
export interface AllowedStyle {
  /** Declarations for light and dark color schemes. */
  readonly always: readonly string[];
  /** Declarations for light color schemes only, such as black text or a white background. */
  readonly onLight: readonly string[];
}

/** Maximum characters of a style attribute. */
const maxStyle = 4_000;
const maxValue = 100;

/**
 * Filters a style to declarations that only format text. Declarations that load files, cover other content, or replace
 * the theme's typeface are removed.
 */
export function allowedStyle(style: string): AllowedStyle {
  const allowed = new Map<string, string>();
  for (const declaration of style.slice(0, maxStyle).split(";")) {
    const colon = declaration.indexOf(":");
    const name = declaration.slice(0, colon).trim().toLowerCase();
    const value = declaration
      .slice(colon + 1)
      .replace(/!\s*important\s*$/i, "")
      .trim()
      .toLowerCase();
    if (colon < 0 || value.length > maxValue) continue;
    if (name === "background" && color.test(value)) allowed.set("background-color", value);
    else if (properties.get(name)?.test(value) === true) allowed.set(name, value);
  }
  // A style with both text and background color is readable in every color scheme.
  const hasBothColors = allowed.has("color") && allowed.has("background-color");
  const always: string[] = [];
  const onLight: string[] = [];
  for (const [name, value] of allowed) {
    const isColor = name === "color" || name === "background-color";
    (isColor && !hasBothColors ? onLight : always).push(`${name}:${value}`);
    if (name === "width" && !allowed.has("max-width")) always.push("max-width:100%");
  }
  return { always, onLight };
}

const number = String.raw`\d{1,4}(?:\.\d{1,4})?|\.\d{1,4}`;
const length = `(?:0|(?:${number})(?:px|em|rem|pt|ch|ex|vw))`;
const share = `(?:${length}|(?:${number})%)`;
const channel = String.raw`\s*(?:${number})(?:%|deg)?\s*`;
const tone = String.raw`(?:#[0-9a-f]{3,4}|#[0-9a-f]{6}|#[0-9a-f]{8}|(?:rgb|hsl)a?\(${channel}(?:[,\s/]${channel}){2,3}\)|[a-z]{3,20})`;
const anchored = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);
const words = (list: string): RegExp => anchored(list.replaceAll(" ", "|"));
/** Matches one to four values, one for each side. */
const sides = (pattern: string): RegExp => anchored(String.raw`(?:${pattern})(?:\s+(?:${pattern})){0,3}`);

const color = anchored(tone);
const lineStyle = "(?:none|solid|dashed|dotted|double|groove|ridge|inset|outset)";
const border = anchored(
  String.raw`(?:${length}|thin|medium|thick|${lineStyle}|${tone})(?:\s+(?:${length}|${lineStyle}|${tone})){0,2}`,
);

const properties: ReadonlyMap<string, RegExp> = new Map([
  ["color", color],
  ["background-color", color],
  ["text-align", words("left right center justify start end")],
  ["text-decoration", words("none underline line-through overline")],
  ["text-decoration-line", words("none underline line-through overline")],
  ["text-transform", words("none uppercase lowercase capitalize")],
  ["text-indent", anchored(share)],
  ["font-style", words("normal italic oblique")],
  ["font-weight", words("normal bold bolder lighter 100 200 300 400 500 600 700 800 900")],
  ["font-variant", words("normal small-caps")],
  [
    "font-size",
    anchored(
      String.raw`\d{1,2}(?:\.\d{1,4})?(?:px|pt)|[0-3]?(?:\.\d{1,4})?r?em|[1-3]?\d{2}(?:\.\d{1,4})?%|(?:xx?-)?(?:small|large)|medium|smaller|larger`,
    ),
  ],
  ["line-height", anchored(`normal|${share}|[1-4](?:\\.\\d{1,4})?`)],
  ["letter-spacing", anchored(`normal|${length}`)],
  ["white-space", words("normal nowrap pre-line pre-wrap")],
  ["vertical-align", anchored(`baseline|top|middle|bottom|sub|super|text-top|text-bottom`)],
  ["width", anchored(`auto|${share}`)],
  ["max-width", anchored(`none|${share}`)],
  ["float", words("left right none")],
  ["clear", words("left right both none")],
  ["display", words("none block inline inline-block flex table table-row table-cell list-item")],
  ["flex-wrap", words("wrap nowrap")],
  ["flex-direction", words("row column row-reverse column-reverse")],
  ["justify-content", words("center flex-start flex-end start end space-between space-around space-evenly")],
  ["align-items", words("center flex-start flex-end start end stretch baseline")],
  ["gap", sides(length)],
  ["list-style", words("none disc circle square decimal lower-alpha upper-alpha lower-roman upper-roman")],
  ["list-style-type", words("none disc circle square decimal lower-alpha upper-alpha lower-roman upper-roman")],
  ["border-collapse", words("collapse separate")],
  ["border-spacing", sides(length)],
  ["border-radius", sides(share)],
  ["table-layout", words("auto fixed")],
  ["opacity", anchored(String.raw`[01]|0?\.\d{1,4}`)],
  ...["", "-top", "-right", "-bottom", "-left"].flatMap((side): [string, RegExp][] => [
    [`border${side}`, border],
    [`border${side}-width`, sides(length)],
    [`border${side}-style`, sides(lineStyle)],
    [`border${side}-color`, sides(tone)],
    [`margin${side}`, side === "" ? sides(`auto|${share}`) : anchored(`auto|${share}`)],
    [`padding${side}`, side === "" ? sides(length) : anchored(length)],
  ]),
]);
