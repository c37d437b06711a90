// Creates the fonts of the default theme from fonts on the npm registry. Run `npm run fonts` after each change here or
// of their packages. Writes WOFF2 files, their licenses, and the @font-face rules between the markers in theme.css.
// Then run `npm run format` to wrap their lines.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fromBuffer } from "@capsizecss/unpack";
import subsetFont from "subset-font";

const root = fileURLToPath(new URL("..", import.meta.url));
const theme = `${root}themes/default/`;

/** Characters of the languages of western Europe. */
const latin =
  "U+0020-007E, U+00A0-00FF, U+0131, U+0152-0153, U+02C6, U+02DA, U+02DC, U+2010-2015, U+2018-201E, U+2020-2022, U+2026, U+2030, U+2032-2033, U+2039-203A, U+2044, U+20AC, U+2122, U+2190-2193, U+2212";
/** Characters of other European languages in Latin script, and other currencies. */
const latinExtended =
  "U+0100-0130, U+0132-0151, U+0154-017F, U+0218-021B, U+02C7, U+02D8-02D9, U+02DB, U+02DD, U+1E80-1E85, U+1E9E, U+1EF2-1EF3, U+20A0-20AB, U+20AD-20C0";

interface Family {
  readonly name: string;
  /** Handle of the font in theme settings without style and weight, such as "figtree". */
  readonly handle: string;
  /** Lowest and highest weight. */
  readonly weights: readonly [min: number, max: number];
  readonly folder: string;
  /** Returns the name of a font file in the package. */
  readonly file: (subset: string) => string;
  /** Axes of a variable font other than the weight. */
  readonly axes?: Readonly<Record<string, number>>;
  /** System fonts that are displayed until the font is loaded, scaled to the same width and height. */
  readonly fallbacks: readonly {
    readonly name: string;
    /**
     * Average width of a letter in em, weighted by its frequency in English.
     * @see https://github.com/seek-oss/capsize (metrics of system fonts)
     */
    readonly width: number;
    readonly locals: readonly string[];
  }[];
}

const arial = {
  name: "Arial",
  width: 0.4458,
  locals: ["Arial", "Helvetica Neue", "Helvetica", "Liberation Sans", "Arimo"],
};
const serifs = [
  { name: "Georgia", width: 0.4458, locals: ["Georgia"] },
  { name: "Times New Roman", width: 0.4063, locals: ["Times New Roman", "Times", "Liberation Serif", "Tinos"] },
  { name: "Noto Serif", width: 0.481, locals: ["Noto Serif"] },
];

const families: readonly Family[] = [
  {
    name: "Figtree",
    handle: "figtree",
    weights: [400, 700],
    folder: "@fontsource-variable/figtree",
    file: (subset) => `figtree-${subset}-wght-normal.woff2`,
    fallbacks: [arial, { name: "Roboto", width: 0.4448, locals: ["Roboto"] }],
  },
  {
    name: "Newsreader",
    handle: "newsreader",
    weights: [400, 600],
    folder: "@fontsource-variable/newsreader",
    file: (subset) => `newsreader-${subset}-standard-normal.woff2`,
    // The font is used only for headings, so it has the optical size for large text.
    axes: { opsz: 44 },
    fallbacks: serifs,
  },
  {
    name: "Young Serif",
    handle: "young_serif",
    weights: [400, 400],
    folder: "@fontsource/young-serif",
    file: (subset) => `young-serif-${subset}-400-normal.woff2`,
    fallbacks: serifs.slice(0, 2),
  },
  {
    name: "Instrument Serif",
    handle: "instrument_serif",
    weights: [400, 400],
    folder: "@fontsource/instrument-serif",
    file: (subset) => `instrument-serif-${subset}-400-normal.woff2`,
    fallbacks: serifs.slice(0, 2),
  },
  {
    name: "Barlow Condensed",
    handle: "barlow_condensed",
    weights: [600, 600],
    folder: "@fontsource/barlow-condensed",
    file: (subset) => `barlow-condensed-${subset}-600-normal.woff2`,
    fallbacks: [arial],
  },
];

const rules: string[] = [];
for (const family of families) rules.push(...(await buildFamily(family)));
const styles = `${theme}assets/theme.css`;
const markedBlock = /(\/\* Fonts, by `npm run fonts`\. \*\/\n)[\s\S]*?(\/\* End of fonts\. \*\/)/;
const oldStyles = readFileSync(styles, "utf8");
if (!markedBlock.test(oldStyles)) throw new Error(`${styles} has no marks between which fonts stand`);
writeFileSync(
  styles,
  oldStyles.replace(markedBlock, (_, begin: string, end: string) => `${begin}${rules.join("\n\n")}\n${end}`),
);

/** Writes the font files of a family.  @returns the CSS rules of the family */
async function buildFamily(family: Family): Promise<readonly string[]> {
  const { name, handle, folder, file, fallbacks } = family;
  const [min, max] = family.weights;
  const source = `${root}node_modules/${folder}/`;
  const axes = min === max ? {} : { ...family.axes, wght: { min, max, default: min } };
  const rules: string[] = [];
  for (const [subset, ranges, output] of [
    ["latin", latin, `${handle}_n${min / 100}.woff2`],
    ["latin-ext", latinExtended, `${handle}-ext.woff2`],
  ] as const) {
    const fontFile = readFileSync(`${source}files/${file(subset)}`);
    const font = await subsetFont(fontFile, charactersOf(ranges), { targetFormat: "woff2", variationAxes: axes });
    writeFileSync(`${theme}assets/${output}`, font);
    process.stdout.write(`${output}: ${fontFile.length} -> ${font.length} bytes\n`);
    rules.push(
      face([
        `font-family: "${name}"`,
        `font-weight: ${min === max ? min : `${min} ${max}`}`,
        "font-display: swap",
        `src: url("${output}") format("woff2")`,
        `unicode-range: ${ranges}`,
      ]),
    );
  }
  const fontFile = readFileSync(`${source}files/${file("latin")}`);
  const latinFont = await subsetFont(fontFile, charactersOf(latin), { targetFormat: "sfnt", variationAxes: axes });
  const { ascent, descent, lineGap, unitsPerEm, xWidthAvg } = await fromBuffer(latinFont);
  for (const fallback of fallbacks) {
    const scale = xWidthAvg / unitsPerEm / fallback.width;
    const percent = (amount: number): string => `${((amount / unitsPerEm / scale) * 100).toFixed(2)}%`;
    rules.push(
      face([
        `font-family: "${name} ${fallback.name}"`,
        `src: ${fallback.locals.map((localFont) => `local("${localFont}")`).join(", ")}`,
        `size-adjust: ${(scale * 100).toFixed(2)}%`,
        `ascent-override: ${percent(ascent)}`,
        `descent-override: ${percent(-descent)}`,
        `line-gap-override: ${percent(lineGap)}`,
        // Text in other writing systems uses the fallback fonts.
        `unicode-range: ${latin}, ${latinExtended}`,
      ]),
    );
  }
  copyFileSync(`${source}LICENSE`, `${theme}licences/${handle}.txt`);
  return rules;
}

function face(declarations: readonly string[]): string {
  return `@font-face {\n${declarations.map((declaration) => `  ${declaration};`).join("\n")}\n}`;
}

/** Returns the characters of a `unicode-range`.  @param ranges ranges such as "U+0020-007E, U+20AC" */
function charactersOf(ranges: string): string {
  return ranges
    .split(", ")
    .map((range) => {
      const [from = "", to = from] = range.slice("U+".length).split("-");
      const firstCode = Number.parseInt(from, 16);
      return Array.from({ length: Number.parseInt(to, 16) - firstCode + 1 }, (_, at) =>
        String.fromCodePoint(firstCode + at),
      ).join("");
    })
    .join("");
}
