import { Drop } from "@vitrine/liquid";
import type { Image } from "../../../catalog/product.ts";
import { numberOf } from "../filter.ts";

/** Maximum width of a requested image, in pixels. */
const maxPixels = 5_760;
/** Maximum characters of a URL. The longest are `data:` URLs. */
const maxUrlLength = 10_000;

/** A requested variant of an image. */
export interface ImageVariant {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** URL parameters such as "crop" and "format". */
  readonly parameters?: ReadonlyMap<string, string>;
}

/** An image URL that also contains its image object, for `image_tag`. */
export class ImageUrl extends Drop {
  readonly image: Image;
  readonly variant: ImageVariant;
  /** Host of the store's files, see {@link addSize}. */
  readonly host: string;

  constructor(image: Image, variant: ImageVariant, host: string) {
    super();
    this.image = image;
    this.variant = variant;
    this.host = host;
  }

  override toText(): string {
    return addSize(this.image.src, this.variant, this.host);
  }

  override toValue(): unknown {
    return this.toText();
  }

  field(key: string | number): unknown {
    return key === "size" ? this.toText().length : undefined;
  }
}

/** Removes characters that could end an attribute. A URL that is too long becomes empty. */
export function sanitizeUrl(url: string): string {
  if (url.length > maxUrlLength) return "";
  if (!unsafeCharacter.test(url)) return url;
  return url.replace(unsafeCharacters, (sign) => encodeURIComponent(sign).replace("'", "%27"));
}

const unsafeCharacter = /["'<>`\\\s]/;
const unsafeCharacters = new RegExp(unsafeCharacter, "g");

/**
 * Returns the URL of an image with query parameters for its size. Vector images and relative URLs outside the store's
 * files get no parameters.
 * @param host of the store's files, as returned by `fileUrlPrefix`
 */
export function addSize(url: string, { width, height, parameters }: ImageVariant, host = ""): string {
  const hostedUrl = addHost(sanitizeUrl(url), host);
  const [path = ""] = hostedUrl.split(/[?#]/, 1);
  const isSizable = /^(?:https?:)?\/\//.test(hostedUrl) || /^\/(?:media|assets)\//.test(hostedUrl);
  if (!isSizable || path.endsWith(".svg")) return hostedUrl;
  let query = width === undefined ? "" : `&width=${width}`;
  if (height !== undefined) query += `&height=${height}`;
  for (const [name, value] of parameters ?? []) query += `&${name}=${encodeURIComponent(value)}`;
  if (query === "") return hostedUrl;
  return hostedUrl.includes("?") ? hostedUrl + query : `${hostedUrl}?${query.slice(1)}`;
}

/**
 * Returns the URL of a store's file with its host and a query, to which themes for Shopify append parameters. Version 0
 * means that the content is unknown. Other URLs are returned unchanged.
 */
export function addHost(url: string, host: string): string {
  if (host === "" || !/^\/(?:media|assets)\//.test(url)) return url;
  return `${host}${url}${url.includes("?") ? "" : "?v=0"}`;
}

/** Returns a valid number of pixels, or undefined. */
export function parsePixels(value: unknown): number | undefined {
  const number = numberOf(value);
  return number === undefined || number < 1 ? undefined : Math.min(maxPixels, Math.round(number));
}
