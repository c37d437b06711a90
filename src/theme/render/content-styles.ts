/** The allowed CSS declarations of a `style` attribute. */
export interface AllowedDeclarations {
  /** Declarations that apply in both light and dark mode. */
  readonly commonDeclarations: readonly string[];
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
export function sanitizeStyle(style: string): AllowedDeclarations {
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
  return { commonDeclarations: sharedDeclarations, lightSchemeDeclarations };
}

const numberPattern = String.raw`\d{1,4}(?:\.\d{1,4})?|\.\d{1,4}`;
const lengthPattern = `(?:0|(?:${numberPattern})(?:px|em|rem|pt|ch|ex|vw))`;
const lengthOrPercentPattern = `(?:${lengthPattern}|(?:${numberPattern})%)`;
const colorChannelPattern = String.raw`\s*(?:${numberPattern})(?:%|deg)?\s*`;
const colorPattern = String.raw`(?:#[0-9a-f]{3,4}|#[0-9a-f]{6}|#[0-9a-f]{8}|(?:rgb|hsl)a?\(${colorChannelPattern}(?:[,\s/]${colorChannelPattern}){2,3}\)|[a-z]{3,20})`;
const createPattern = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);
const createWordPattern = (list: string): RegExp => createPattern(list.replaceAll(" ", "|"));
/** Matches one to four CSS values, one for each side of a box. */
const createBoxSidesPattern = (pattern: string): RegExp =>
  createPattern(String.raw`(?:${pattern})(?:\s+(?:${pattern})){0,3}`);

const colorValuePattern = createPattern(colorPattern);
const lineStylePattern = "(?:none|solid|dashed|dotted|double|groove|ridge|inset|outset)";
const borderStylePattern = createPattern(
  String.raw`(?:${lengthPattern}|thin|medium|thick|${lineStylePattern}|${colorPattern})(?:\s+(?:${lengthPattern}|${lineStylePattern}|${colorPattern})){0,2}`,
);

const propertyPatterns: ReadonlyMap<string, RegExp> = new Map([
  ["color", colorValuePattern],
  ["background-color", colorValuePattern],
  ["text-align", createWordPattern("left right center justify start end")],
  ["text-decoration", createWordPattern("none underline line-through overline")],
  ["text-decoration-line", createWordPattern("none underline line-through overline")],
  ["text-transform", createWordPattern("none uppercase lowercase capitalize")],
  ["text-indent", createPattern(lengthOrPercentPattern)],
  ["font-style", createWordPattern("normal italic oblique")],
  ["font-weight", createWordPattern("normal bold bolder lighter 100 200 300 400 500 600 700 800 900")],
  ["font-variant", createWordPattern("normal small-caps")],
  [
    "font-size",
    createPattern(
      String.raw`\d{1,2}(?:\.\d{1,4})?(?:px|pt)|[0-3]?(?:\.\d{1,4})?r?em|[1-3]?\d{2}(?:\.\d{1,4})?%|(?:xx?-)?(?:small|large)|medium|smaller|larger`,
    ),
  ],
  ["line-height", createPattern(`normal|${lengthOrPercentPattern}|[1-4](?:\\.\\d{1,4})?`)],
  ["letter-spacing", createPattern(`normal|${lengthPattern}`)],
  ["white-space", createWordPattern("normal nowrap pre-line pre-wrap")],
  ["vertical-align", createPattern(`baseline|top|middle|bottom|sub|super|text-top|text-bottom`)],
  ["width", createPattern(`auto|${lengthOrPercentPattern}`)],
  ["max-width", createPattern(`none|${lengthOrPercentPattern}`)],
  ["float", createWordPattern("left right none")],
  ["clear", createWordPattern("left right both none")],
  ["display", createWordPattern("none block inline inline-block flex table table-row table-cell list-item")],
  ["flex-wrap", createWordPattern("wrap nowrap")],
  ["flex-direction", createWordPattern("row column row-reverse column-reverse")],
  [
    "justify-content",
    createWordPattern("center flex-start flex-end start end space-between space-around space-evenly"),
  ],
  ["align-items", createWordPattern("center flex-start flex-end start end stretch baseline")],
  ["gap", createBoxSidesPattern(lengthPattern)],
  ["list-style", createWordPattern("none disc circle square decimal lower-alpha upper-alpha lower-roman upper-roman")],
  [
    "list-style-type",
    createWordPattern("none disc circle square decimal lower-alpha upper-alpha lower-roman upper-roman"),
  ],
  ["border-collapse", createWordPattern("collapse separate")],
  ["border-spacing", createBoxSidesPattern(lengthPattern)],
  ["border-radius", createBoxSidesPattern(lengthOrPercentPattern)],
  ["table-layout", createWordPattern("auto fixed")],
  ["opacity", createPattern(String.raw`[01]|0?\.\d{1,4}`)],
  ...["", "-top", "-right", "-bottom", "-left"].flatMap((borderSide): [string, RegExp][] => [
    [`border${borderSide}`, borderStylePattern],
    [`border${borderSide}-width`, createBoxSidesPattern(lengthPattern)],
    [`border${borderSide}-style`, createBoxSidesPattern(lineStylePattern)],
    [`border${borderSide}-color`, createBoxSidesPattern(colorPattern)],
    [
      `margin${borderSide}`,
      borderSide === ""
        ? createBoxSidesPattern(`auto|${lengthOrPercentPattern}`)
        : createPattern(`auto|${lengthOrPercentPattern}`),
    ],
    [`padding${borderSide}`, borderSide === "" ? createBoxSidesPattern(lengthPattern) : createPattern(lengthPattern)],
  ]),
]);
