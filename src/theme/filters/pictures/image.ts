import { type ImageSubject, imageOf } from "../../objects/image.ts";
import { BareDrop } from "../../objects/template-object.ts";
import { type FilterFamily, numberOf, runtimeFault, splitArguments, textOf } from "../filter.ts";
import { imageTag } from "./image-tag.ts";

/** Pixels of the widest picture that can be asked for. */
const maxPixels = 5_760;
/** Characters of an address; the longest are pictures that are their own data. */
const maxAddress = 10_000;

export const imageFilters: FilterFamily = {
  /** `image_url: width: 400, height: 300, crop: 'center', format: 'webp'` */
  image_url(value, ...args) {
    const image = value instanceof ImageAddress ? value.image : imageOf(value);
    if (image === undefined) return textOf(value) === "" ? "" : runtimeFault(this, "image_url: this is no picture");
    return new ImageAddress(image, wantedOf(splitArguments(args).named));
  },
  /** `{{ image | image_url: width: 800 | image_tag: sizes: '50vw', widths: '200,400,800', class: 'x' }}` */
  image_tag(value, ...args) {
    return imageTag(this, value, splitArguments(args).named);
  },
};

/** What is asked for of a picture. */
export interface Wanted {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** "crop", "format" ... -> value, as they stand in an address. */
  readonly others?: ReadonlyMap<string, string>;
}

/** An address that still knows its picture, for `image_tag`. */
export class ImageAddress extends BareDrop {
  static {
    Object.defineProperty(ImageAddress.prototype, "constructor", { value: undefined });
  }

  readonly image: ImageSubject;
  readonly wanted: Wanted;

  constructor(image: ImageSubject, wanted: Wanted) {
    super();
    this.image = image;
    this.wanted = wanted;
  }

  override valueOf(): string {
    return sizedAddress(this.image.src, this.wanted);
  }

  override [Symbol.toPrimitive](): string {
    return this.valueOf();
  }
}

/** An address without signs that could end an attribute; one that is too long is none. */
export function safeAddress(address: string): string {
  if (address.length > maxAddress) return "";
  return address.replace(/["'<>`\\\s]/g, (sign) => encodeURIComponent(sign).replace("'", "%27"));
}

/** The store's own pictures, and those of picture services, are sized by the query; drawings have no size. */
export function sizedAddress(address: string, { width, height, others }: Wanted): string {
  const safe = safeAddress(address);
  const [path = ""] = safe.split(/[?#]/, 1);
  const isSizable = /^(?:https?:)?\/\//.test(safe) || /^\/(?:media|assets)\//.test(safe);
  if (!isSizable || path.endsWith(".svg")) return safe;
  const wanted = [
    ...(width === undefined ? [] : [`width=${width}`]),
    ...(height === undefined ? [] : [`height=${height}`]),
    ...[...(others ?? [])].map(([name, value]) => `${name}=${encodeURIComponent(value)}`),
  ].join("&");
  return wanted === "" ? safe : `${safe}${safe.includes("?") ? "&" : "?"}${wanted}`;
}

/** A whole number of pixels that can be asked for; undefined where it is none. */
export function pixels(value: unknown): number | undefined {
  const number = numberOf(value);
  return number === undefined || number < 1 ? undefined : Math.min(maxPixels, Math.round(number));
}

function wantedOf(named: ReadonlyMap<string, unknown>): Wanted {
  const others = new Map<string, string>();
  for (const [name, pattern] of choices) {
    const text = textOf(named.get(name)).replace(/^#/, "");
    if (pattern.test(text)) others.set(name, text);
  }
  return { width: pixels(named.get("width")), height: pixels(named.get("height")), others };
}

/** Parameters beside the size, in the order in which addresses have them, and what they may be. */
const choices: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["crop", /^(?:top|center|bottom|left|right|region)$/],
  ["crop_left", /^\d{1,5}$/],
  ["crop_top", /^\d{1,5}$/],
  ["crop_width", /^\d{1,5}$/],
  ["crop_height", /^\d{1,5}$/],
  ["format", /^(?:jpg|pjpg|png|webp|avif)$/],
  ["pad_color", /^(?:[0-9a-f]{3}|[0-9a-f]{6})$/i],
];
