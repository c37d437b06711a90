/** The allowed CSS declarations of a `style` attribute. */
export interface AllowedStyle {
  /** Declarations that apply in both light and dark mode. */
  readonly everySchemeDeclarations: readonly string[];
  /**
   * Declarations that apply in light mode only, because they could make text unreadable in dark mode: black text, or a
   * white background.
   */
  readonly lightSchemeDeclarations: readonly string[];
}

/** Maximum length of a style attribute in characters. */
const maxStyleLength = 4_000;
const maxValueLength = 100;

/**
 * Keeps only CSS declarations that format text. Removes declarations that load files, cover other content, or change
 * the font family.
 */
export function filterStyle(style: string): AllowedStyle {
  const allowedValues = new Map<string, string>();
  for (const declaration of style.slice(0, maxStyleLength).split(";")) {
    const colonIndex = declaration.indexOf(":");
    const name = declaration.slice(0, colonIndex).trim().toLowerCase();
    const value = declaration
      .slice(colonIndex + 1)
      .replace(/!\s*important\s*$/i, "")
      .trim()
      .toLowerCase();
    if (colonIndex < 0 || value.length > maxValueLength) continue;
    if (name === "background" && colorValuePattern.test(value)) allowedValues.set("background-color", value);
    else if (propertyPatterns.get(name)?.test(value) === true) allowedValues.set(name, value);
  }
  // A style that sets both text and background color is readable in light and dark mode.
  const hasBothColors = allowedValues.has("color") && allowedValues.has("background-color");
  const sharedDeclarations: string[] = [];
  const lightSchemeDeclarations: string[] = [];
  for (const [name, value] of allowedValues) {
    const isColor = name === "color" || name === "background-color";
    (isColor && !hasBothColors ? lightSchemeDeclarations : sharedDeclarations).push(`${name}:${value}`);
    if (name === "width" && !allowedValues.has("max-width")) sharedDeclarations.push("max-width:100%");
  }
  return { everySchemeDeclarations: sharedDeclarations, lightSchemeDeclarations };
}

const numberPattern = String.raw`\d{1,4}(?:\.\d{1,4})?|\.\d{1,4}`;
const lengthPattern = `(?:0|(?:${numberPattern})(?:px|em|rem|pt|ch|ex|vw))`;
const lengthOrPercentPattern = `(?:${lengthPattern}|(?:${numberPattern})%)`;
const colorChannelPattern = String.raw`\s*(?:${numberPattern})(?:%|deg)?\s*`;
const colorPattern = String.raw`(?:#[0-9a-f]{3,4}|#[0-9a-f]{6}|#[0-9a-f]{8}|(?:rgb|hsl)a?\(${colorChannelPattern}(?:[,\s/]${colorChannelPattern}){2,3}\)|[a-z]{3,20})`;
const matchEntire = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);
const matchWords = (list: string): RegExp => matchEntire(list.replaceAll(" ", "|"));
/** Matches one to four CSS values, one for each side of a box. */
const createSidesPattern = (pattern: string): RegExp =>
  matchEntire(String.raw`(?:${pattern})(?:\s+(?:${pattern})){0,3}`);

const colorValuePattern = matchEntire(colorPattern);
const lineStylePattern = "(?:none|solid|dashed|dotted|double|groove|ridge|inset|outset)";
const borderValuePattern = matchEntire(
  String.raw`(?:${lengthPattern}|thin|medium|thick|${lineStylePattern}|${colorPattern})(?:\s+(?:${lengthPattern}|${lineStylePattern}|${colorPattern})){0,2}`,
);

const propertyPatterns: ReadonlyMap<string, RegExp> = new Map([
  ["color", colorValuePattern],
  ["background-color", colorValuePattern],
  ["text-align", matchWords("left right center justify start end")],
  ["text-decoration", matchWords("none underline line-through overline")],
  ["text-decoration-line", matchWords("none underline line-through overline")],
  ["text-transform", matchWords("none uppercase lowercase capitalize")],
  ["text-indent", matchEntire(lengthOrPercentPattern)],
  ["font-style", matchWords("normal italic oblique")],
  ["font-weight", matchWords("normal bold bolder lighter 100 200 300 400 500 600 700 800 900")],
  ["font-variant", matchWords("normal small-caps")],
  [
    "font-size",
    matchEntire(
      String.raw`\d{1,2}(?:\.\d{1,4})?(?:px|pt)|[0-3]?(?:\.\d{1,4})?r?em|[1-3]?\d{2}(?:\.\d{1,4})?%|(?:xx?-)?(?:small|large)|medium|smaller|larger`,
    ),
  ],
  ["line-height", matchEntire(`normal|${lengthOrPercentPattern}|[1-4](?:\\.\\d{1,4})?`)],
  ["letter-spacing", matchEntire(`normal|${lengthPattern}`)],
  ["white-space", matchWords("normal nowrap pre-line pre-wrap")],
  ["vertical-align", matchEntire(`baseline|top|middle|bottom|sub|super|text-top|text-bottom`)],
  ["width", matchEntire(`auto|${lengthOrPercentPattern}`)],
  ["max-width", matchEntire(`none|${lengthOrPercentPattern}`)],
  ["float", matchWords("left right none")],
  ["clear", matchWords("left right both none")],
  ["display", matchWords("none block inline inline-block flex table table-row table-cell list-item")],
  ["flex-wrap", matchWords("wrap nowrap")],
  ["flex-direction", matchWords("row column row-reverse column-reverse")],
  ["justify-content", matchWords("center flex-start flex-end start end space-between space-around space-evenly")],
  ["align-items", matchWords("center flex-start flex-end start end stretch baseline")],
  ["gap", createSidesPattern(lengthPattern)],
  ["list-style", matchWords("none disc circle square decimal lower-alpha upper-alpha lower-roman upper-roman")],
  ["list-style-type", matchWords("none disc circle square decimal lower-alpha upper-alpha lower-roman upper-roman")],
  ["border-collapse", matchWords("collapse separate")],
  ["border-spacing", createSidesPattern(lengthPattern)],
  ["border-radius", createSidesPattern(lengthOrPercentPattern)],
  ["table-layout", matchWords("auto fixed")],
  ["opacity", matchEntire(String.raw`[01]|0?\.\d{1,4}`)],
  ...["", "-top", "-right", "-bottom", "-left"].flatMap((side): [string, RegExp][] => [
    [`border${side}`, borderValuePattern],
    [`border${side}-width`, createSidesPattern(lengthPattern)],
    [`border${side}-style`, createSidesPattern(lineStylePattern)],
    [`border${side}-color`, createSidesPattern(colorPattern)],
    [
      `margin${side}`,
      side === ""
        ? createSidesPattern(`auto|${lengthOrPercentPattern}`)
        : matchEntire(`auto|${lengthOrPercentPattern}`),
    ],
    [`padding${side}`, side === "" ? createSidesPattern(lengthPattern) : matchEntire(lengthPattern)],
  ]),
]);
