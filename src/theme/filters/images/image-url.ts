import { Drop } from "@vitrine/liquid";
import type { Image } from "../../../catalog/product.ts";
import { readNumber } from "../filter.ts";

/** Maximum width of a requested image, in pixels. */
const maxPixels = 5_760;
/** Maximum length of an image URL in characters. Only `data:` URLs are this long. */
const maxUrlLength = 10_000;

/** Requested size and format of an image. */
export interface ImageVariant {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** URL parameters such as "crop" and "format". */
  readonly parameters?: ReadonlyMap<string, string>;
}

/**
 * The result of the `image_url` filter: a URL that also contains the image, so that `image_tag` can read the image's
 * size.
 */
export class ImageUrl extends Drop {
  readonly image: Image;
  readonly variant: ImageVariant;
  /** Host of the image's URL; empty for a relative URL. */
  readonly host: string;

  constructor(image: Image, variant: ImageVariant, host: string) {
    super();
    this.image = image;
    this.variant = variant;
    this.host = host;
  }

  override toText(): string {
    return addImageSize(this.image.src, this.variant, this.host);
  }

  override toValue(): unknown {
    return this.toText();
  }

  field(key: string | number): unknown {
    return key === "size" ? this.toText().length : undefined;
  }
}

/** Percent-encodes characters that could end an HTML attribute. Returns an empty string if the URL is too long. */
export function sanitizeUrl(url: string): string {
  if (url.length > maxUrlLength) return "";
  if (!unsafeCharacterPattern.test(url)) return url;
  return url.replace(allUnsafeCharactersPattern, (character) => encodeURIComponent(character).replace("'", "%27"));
}

const unsafeCharacterPattern = /["'<>`\\\s]/;
const allUnsafeCharactersPattern = new RegExp(unsafeCharacterPattern, "g");

/**
 * Adds the requested size to an image URL. Vector images, and relative URLs outside the store's files, stay unchanged.
 * @param host host of the store's files, as returned by `getFileUrlPrefix`
 */
export function addImageSize(url: string, { width, height, parameters }: ImageVariant, host = ""): string {
  const urlWithHost = addHost(sanitizeUrl(url), host);
  const [path = ""] = urlWithHost.split(/[?#]/, 1);
  const isResizable = /^(?:https?:)?\/\//.test(urlWithHost) || /^\/(?:media|assets)\//.test(urlWithHost);
  if (!isResizable || path.endsWith(".svg")) return urlWithHost;
  let query = width === undefined ? "" : `&width=${width}`;
  if (height !== undefined) query += `&height=${height}`;
  for (const [name, value] of parameters ?? []) query += `&${name}=${encodeURIComponent(value)}`;
  if (query === "") return urlWithHost;
  return urlWithHost.includes("?") ? urlWithHost + query : `${urlWithHost}?${query.slice(1)}`;
}

/**
 * Adds a host and a query to the URL of a store's file. Themes made for Shopify append parameters with "&", so the URL
 * must contain a query. Other URLs are returned unchanged.
 */
export function addHost(url: string, host: string): string {
  if (host === "" || !/^\/(?:media|assets|vitrine)\//.test(url)) return url;
  return `${host}${url}${url.includes("?") ? "" : "?v=0"}`;
}

/** Returns a valid number of pixels, or undefined. */
export function parsePixels(value: unknown): number | undefined {
  const number = readNumber(value);
  return number === undefined || number < 1 ? undefined : Math.min(maxPixels, Math.round(number));
}
