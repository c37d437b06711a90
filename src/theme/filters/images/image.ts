import { ImageElement, renderAttribute, SafeHtml } from "../../liquid/safe-html.ts";
import { imageOf } from "../../objects/image.ts";
import { countryFlagOf } from "../../objects/shop/country.ts";
import { stateOf } from "../../render-state.ts";
import { getFileUrlPrefix } from "../../view.ts";
import { type FilterFamily, reportError, splitArguments, textOf } from "../filter.ts";
import { renderImageTag } from "./image-tag.ts";
import { ImageUrl, type ImageVariant, parsePixels } from "./image-url.ts";

export const imageFilters: FilterFamily = {
  /**
   * Returns the URL of an image: `image_url: width: 400, height: 300, crop: 'center', format: 'webp'`. For a country,
   * returns the URL of its flag.
   */
  image_url(value, ...args) {
    const image = value instanceof ImageUrl ? value.image : (imageOf(value) ?? countryFlagOf(value));
    if (image === undefined) return textOf(value) === "" ? "" : reportError(this, "image_url: not an image");
    return new ImageUrl(image, parseVariant(splitArguments(args).namedArgs), getFileUrlPrefix(stateOf(this).view));
  },
  /** Returns an `img` element: `{{ image | image_url: width: 800 | image_tag: sizes: '50vw', class: 'x' }}`. */
  image_tag(value, ...args) {
    const element = renderImageTag(this, value, splitArguments(args).namedArgs);
    return element instanceof SafeHtml ? new ImageElement(element.html, element.text) : element;
  },
};

function parseVariant(namedArgs: ReadonlyMap<string, unknown>): ImageVariant {
  const width = parsePixels(namedArgs.get("width"));
  const height = parsePixels(namedArgs.get("height"));
  let parameters: Map<string, string> | undefined;
  for (const name of namedArgs.keys()) {
    if (name === "width" || name === "height") continue;
    parameters = parseOtherParameters(namedArgs);
    break;
  }
  return parameters === undefined ? { width, height } : { width, height, parameters };
}

function parseOtherParameters(namedArgs: ReadonlyMap<string, unknown>): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, pattern] of parameterPatterns) {
    const text = textOf(namedArgs.get(name)).replace(/^#/, "");
    if (pattern.test(text)) parameters.set(name, text);
  }
  return parameters;
}

/** Allowed URL parameters besides the size, in URL order, with a pattern for the values of each parameter. */
const parameterPatterns: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["crop", /^(?:top|center|bottom|left|right|region)$/],
  ["crop_left", /^\d{1,5}$/],
  ["crop_top", /^\d{1,5}$/],
  ["crop_width", /^\d{1,5}$/],
  ["crop_height", /^\d{1,5}$/],
  ["format", /^(?:jpg|pjpg|png|webp|avif)$/],
  ["pad_color", /^(?:[0-9a-f]{3}|[0-9a-f]{6})$/i],
];

export const placeholderFilters: FilterFamily = {
  /**
   * Returns a drawing that replaces a missing image: `{{ 'product-1' | placeholder_svg_tag: 'class' }}`. It has the
   * color of the text.
   */
  placeholder_svg_tag(value, ...args) {
    const { positionalArgs, namedArgs } = splitArguments(args);
    const className = textOf(positionalArgs[0] ?? namedArgs.get("class") ?? "placeholder-svg");
    const name = textOf(value);
    const [width, height, svgShapes] = placeholderSvgs.find(([kind]) => name.startsWith(kind))?.[1] ?? photoDrawing;
    const svg =
      `<svg${renderAttribute("class", className)} xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"` +
      ' preserveAspectRatio="xMidYMid slice" aria-hidden="true" focusable="false">' +
      `<rect width="${width}" height="${height}" fill="currentColor" opacity=".05"/>` +
      `<g fill="currentColor" opacity=".16"${formatCenterTransform(width, height)}>${svgShapes}</g></svg>`;
    return new SafeHtml(svg, "");
  },
};

/** Returns an SVG attribute that shows a drawing centered at half size, or "" for a landscape, which fills the area. */
function formatCenterTransform(width: number, height: number): string {
  return width < 1_000 ? ` transform="translate(${width / 4} ${height / 4}) scale(.5)"` : "";
}

type SvgDrawing = readonly [width: number, height: number, shapes: string];

const photoDrawing: SvgDrawing = [
  200,
  200,
  '<path d="M40 150 85 95l30 35 20-22 28 42z"/><circle cx="135" cy="69" r="14"/>',
];
const bagDrawing: SvgDrawing = [
  200,
  200,
  '<path d="M58 82h84l10 80H48z"/><path d="M76 90V74a24 24 0 0 1 48 0v16h-8V74a16 16 0 0 0-32 0v16z"/>',
];
const shirtDrawing: SvgDrawing = [
  200,
  200,
  '<path d="M78 46a23 23 0 0 0 44 0l38 20-14 32-16-7v67H70V91l-16 7-14-32z"/>',
];
const shelfDrawing: SvgDrawing = [
  400,
  300,
  '<path d="M40 220h320v10H40z"/><path d="M70 130h60v90H70z"/><circle cx="200" cy="180" r="40"/><path d="M270 100h50l14 120h-78z"/>',
];
const landscapeDrawing: SvgDrawing = [
  1_300,
  730,
  '<path d="M0 620 330 330l210 190 250-300 510 400v110H0z"/><circle cx="980" cy="170" r="70"/>',
];

/** Placeholder drawings. The first entry whose key is a prefix of the placeholder's name is used. */
const placeholderSvgs: readonly (readonly [kind: string, drawing: SvgDrawing])[] = [
  ["product-apparel", shirtDrawing],
  ["detailed-apparel", shirtDrawing],
  ["product", bagDrawing],
  ["collection", shelfDrawing],
  ["lifestyle", landscapeDrawing],
  ["hero", landscapeDrawing],
  ["blog", landscapeDrawing],
];
