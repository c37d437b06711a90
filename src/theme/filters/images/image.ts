import { imageOf } from "../../objects/image.ts";
import { flagOf } from "../../objects/shop/country.ts";
import { stateOf } from "../../render-state.ts";
import { fileHost } from "../../view.ts";
import { type FilterFamily, reportError, splitArguments, textOf } from "../filter.ts";
import { imageTag } from "./image-tag.ts";
import { ImageAddress, type ImageVariant, pixels } from "./image-url.ts";

export const imageFilters: FilterFamily = {
  /** `image_url: width: 400, height: 300, crop: 'center', format: 'webp'`; a country returns its flag */
  image_url(value, ...args) {
    const image = value instanceof ImageAddress ? value.image : (imageOf(value) ?? flagOf(value));
    if (image === undefined) return textOf(value) === "" ? "" : reportError(this, "image_url: this is no picture");
    return new ImageAddress(image, variantOf(splitArguments(args).named), fileHost(stateOf(this).view));
  },
  /** `{{ image | image_url: width: 800 | image_tag: sizes: '50vw', widths: '200,400,800', class: 'x' }}` */
  image_tag(value, ...args) {
    return imageTag(this, value, splitArguments(args).named);
  },
};

function variantOf(named: ReadonlyMap<string, unknown>): ImageVariant {
  const width = pixels(named.get("width"));
  const height = pixels(named.get("height"));
  let parameters: Map<string, string> | undefined;
  for (const name of named.keys()) {
    if (name === "width" || name === "height") continue;
    parameters = otherChoices(named);
    break;
  }
  return parameters === undefined ? { width, height } : { width, height, parameters };
}

function otherChoices(named: ReadonlyMap<string, unknown>): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, pattern] of choices) {
    const text = textOf(named.get(name)).replace(/^#/, "");
    if (pattern.test(text)) parameters.set(name, text);
  }
  return parameters;
}

/** Parameters in addition to the size, in the order of the URL, with their allowed values. */
const choices: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["crop", /^(?:top|center|bottom|left|right|region)$/],
  ["crop_left", /^\d{1,5}$/],
  ["crop_top", /^\d{1,5}$/],
  ["crop_width", /^\d{1,5}$/],
  ["crop_height", /^\d{1,5}$/],
  ["format", /^(?:jpg|pjpg|png|webp|avif)$/],
  ["pad_color", /^(?:[0-9a-f]{3}|[0-9a-f]{6})$/i],
];
