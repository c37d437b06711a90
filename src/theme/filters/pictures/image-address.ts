import type { Image } from "../../../catalog/product.ts";
import { Drop } from "../../../liquid/values/drop.ts";
import { numberOf } from "../filter.ts";

/** Pixels of the widest picture that can be asked for. */
const maxPixels = 5_760;
/** Characters of an address; the longest are pictures that are their own data. */
const maxAddress = 10_000;

/** What is asked for of a picture. */
export interface Wanted {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** "crop", "format" ... -> value, as they stand in an address. */
  readonly others?: ReadonlyMap<string, string>;
}

/** An address that still knows its picture, for `image_tag`. */
export class ImageAddress extends Drop {
  readonly image: Image;
  readonly wanted: Wanted;
  /** See {@link sizedAddress}. */
  readonly host: string;

  constructor(image: Image, wanted: Wanted, host: string) {
    super();
    this.image = image;
    this.wanted = wanted;
    this.host = host;
  }

  override toText(): string {
    return sizedAddress(this.image.src, this.wanted, this.host);
  }

  override toValue(): unknown {
    return this.toText();
  }

  field(key: string | number): unknown {
    return key === "size" ? this.toText().length : undefined;
  }
}

/** An address without signs that could end an attribute; one that is too long is none. */
export function safeAddress(address: string): string {
  if (address.length > maxAddress) return "";
  if (!unsafe.test(address)) return address;
  return address.replace(unsafeSigns, (sign) => encodeURIComponent(sign).replace("'", "%27"));
}

const unsafe = /["'<>`\\\s]/;
const unsafeSigns = new RegExp(unsafe, "g");

/** The store's own pictures, and those of picture services, are sized by the query; drawings have no size.
 *  @param host of the store's own files, as `fileHost` */
export function sizedAddress(address: string, { width, height, others }: Wanted, host = ""): string {
  const safe = hostedAddress(safeAddress(address), host);
  const [path = ""] = safe.split(/[?#]/, 1);
  const isSizable = /^(?:https?:)?\/\//.test(safe) || /^\/(?:media|assets)\//.test(safe);
  if (!isSizable || path.endsWith(".svg")) return safe;
  let wanted = width === undefined ? "" : `&width=${width}`;
  if (height !== undefined) wanted += `&height=${height}`;
  for (const [name, value] of others ?? []) wanted += `&${name}=${encodeURIComponent(value)}`;
  if (wanted === "") return safe;
  return safe.includes("?") ? safe + wanted : `${safe}?${wanted.slice(1)}`;
}

/** The address of a file of the store with its host and a query, which themes made for Shopify append to. The version 0 names no content.
 *  Other addresses stay as they are. */
export function hostedAddress(address: string, host: string): string {
  if (host === "" || !/^\/(?:media|assets)\//.test(address)) return address;
  return `${host}${address}${address.includes("?") ? "" : "?v=0"}`;
}

/** A whole number of pixels that can be asked for; undefined where it is none. */
export function pixels(value: unknown): number | undefined {
  const number = numberOf(value);
  return number === undefined || number < 1 ? undefined : Math.min(maxPixels, Math.round(number));
}
