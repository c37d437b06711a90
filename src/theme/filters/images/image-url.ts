import { Drop } from "@vitrine/liquid";
import type { Image } from "../../../catalog/product.ts";
import { numberOf } from "../filter.ts";

/** Maximum width of a requested image, in pixels. */
const maxPixels = 5_760;
/** Maximum characters of a URL. The longest are `data:` URLs. */
const maxAddress = 10_000;

/** A requested variant of an image. */
export interface ImageVariant {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** URL parameters such as "crop" and "format". */
  readonly parameters?: ReadonlyMap<string, string>;
}

/** An image URL that also contains its image object, for `image_tag`. */
export class ImageAddress extends Drop {
  readonly image: Image;
  readonly variant: ImageVariant;
  /** Host of the store's files, see {@link sizedAddress}. */
  readonly host: string;

  constructor(image: Image, variant: ImageVariant, host: string) {
    super();
    this.image = image;
    this.variant = variant;
    this.host = host;
  }

  override toText(): string {
    return sizedAddress(this.image.src, this.variant, this.host);
  }

  override toValue(): unknown {
    return this.toText();
  }

  field(key: string | number): unknown {
    return key === "size" ? this.toText().length : undefined;
  }
}

/** Removes characters that could end an attribute. A URL that is too long becomes empty. */
export function safeAddress(address: string): string {
  if (address.length > maxAddress) return "";
  if (!unsafe.test(address)) return address;
  return address.replace(unsafeSigns, (sign) => encodeURIComponent(sign).replace("'", "%27"));
}

const unsafe = /["'<>`\\\s]/;
const unsafeSigns = new RegExp(unsafe, "g");

/**
 * Returns the URL of an image with query parameters for its size. Vector images and relative URLs outside the store's
 * files get no parameters.
 * @param host of the store's files, as returned by `fileHost`
 */
export function sizedAddress(address: string, { width, height, parameters }: ImageVariant, host = ""): string {
  const safe = hostedAddress(safeAddress(address), host);
  const [path = ""] = safe.split(/[?#]/, 1);
  const isSizable = /^(?:https?:)?\/\//.test(safe) || /^\/(?:media|assets)\//.test(safe);
  if (!isSizable || path.endsWith(".svg")) return safe;
  let query = width === undefined ? "" : `&width=${width}`;
  if (height !== undefined) query += `&height=${height}`;
  for (const [name, value] of parameters ?? []) query += `&${name}=${encodeURIComponent(value)}`;
  if (query === "") return safe;
  return safe.includes("?") ? safe + query : `${safe}?${query.slice(1)}`;
}

/**
 * Returns the URL of a store's file with its host and a query, to which themes for Shopify append parameters. Version 0
 * means that the content is unknown. Other URLs are returned unchanged.
 */
export function hostedAddress(address: string, host: string): string {
  if (host === "" || !/^\/(?:media|assets)\//.test(address)) return address;
  return `${host}${address}${address.includes("?") ? "" : "?v=0"}`;
}

/** Returns a valid number of pixels, or undefined. */
export function pixels(value: unknown): number | undefined {
  const number = numberOf(value);
  return number === undefined || number < 1 ? undefined : Math.min(maxPixels, Math.round(number));
}
