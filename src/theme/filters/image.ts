import { type ImageSubject, imageOf } from "../objects/image.ts";
import { BareDrop } from "../objects/template-object.ts";
import { attribute, SafeHtml } from "../safe-html.ts";
import { type FilterFamily, numberOf, splitArguments, textOf } from "./filter.ts";

export const imageFilters: FilterFamily = {
  /** `image_url: width: 400`; pictures of the store itself come in one size. */
  image_url(value, ...args) {
    const image = value instanceof ImageAddress ? value.image : imageOf(value);
    const { named } = splitArguments(args);
    if (image === undefined) return "";
    const width = numberOf(named.get("width"));
    const height = numberOf(named.get("height"));
    return new ImageAddress(sized(safeAddress(image.src), width, height), image, width, height);
  },
  image_tag(value, ...args) {
    const { named } = splitArguments(args);
    const address = value instanceof ImageAddress ? value : undefined;
    const image = address?.image ?? imageOf(value);
    const src = address?.address ?? (image === undefined ? safeAddress(textOf(value)) : safeAddress(image.src));
    if (src === "") return "";
    const size = shownSize(image, address?.width, address?.height);
    const attributes = new Map<string, unknown>([
      ["src", src],
      ["alt", image?.alt ?? ""],
      ["width", size.width],
      ["height", size.height],
      ["loading", "lazy"],
      ...named,
    ]);
    const html = [...attributes]
      .filter(([name, one]) => /^[\w-]+$/.test(name) && name !== "preload" && name !== "widths" && one !== null)
      .map(([name, one]) => attribute(name, one === undefined ? undefined : textOf(one)));
    return new SafeHtml(`<img${html.join("")}>`, image?.alt ?? "");
  },
  placeholder_svg_tag(_name, ...args) {
    const { positional, named } = splitArguments(args);
    const className = textOf(positional[0] ?? named.get("class") ?? "placeholder-svg");
    const svg =
      `<svg${attribute("class", className)} viewBox="0 0 200 200" aria-hidden="true" focusable="false">` +
      '<rect width="200" height="200" fill="currentColor" opacity=".08"/>' +
      '<path d="M40 150 85 95l30 35 20-22 28 42zM135 62a14 14 0 1 1 .1 0z" fill="currentColor" opacity=".25"/></svg>';
    return new SafeHtml(svg, "");
  },
};

/** An address that still knows its picture, for `image_tag`. */
export class ImageAddress extends BareDrop {
  static {
    Object.defineProperty(ImageAddress.prototype, "constructor", { value: undefined });
  }

  readonly address: string;
  readonly image: ImageSubject;
  readonly width: number | undefined;
  readonly height: number | undefined;

  constructor(address: string, image: ImageSubject, width: number | undefined, height: number | undefined) {
    super();
    this.address = address;
    this.image = image;
    this.width = width;
    this.height = height;
  }

  override valueOf(): string {
    return this.address;
  }

  override [Symbol.toPrimitive](): string {
    return this.address;
  }
}

/** An address without signs that could end an attribute. */
export function safeAddress(address: string): string {
  return address.replace(/["'<>`\\\s]/g, (sign) => encodeURIComponent(sign).replace("'", "%27"));
}

/** Picture services read the wanted size from the query; the store's own files have one size alone. */
function sized(address: string, width: number | undefined, height: number | undefined): string {
  if (!/^(?:https?:)?\/\//.test(address)) return address;
  const wanted = [
    ...(width === undefined ? [] : [`width=${Math.round(width)}`]),
    ...(height === undefined ? [] : [`height=${Math.round(height)}`]),
  ].join("&");
  return wanted === "" ? address : `${address}${address.includes("?") ? "&" : "?"}${wanted}`;
}

/** The picture's own size, scaled to what was asked for. */
function shownSize(
  image: ImageSubject | undefined,
  width: number | undefined,
  height: number | undefined,
): { readonly width?: number; readonly height?: number } {
  const ratio = image?.width && image.height ? image.width / image.height : undefined;
  if (ratio === undefined || image === undefined) {
    return { ...(width === undefined ? {} : { width }), ...(height === undefined ? {} : { height }) };
  }
  if (width !== undefined) return { width, height: Math.round(width / ratio) };
  if (height !== undefined) return { width: Math.round(height * ratio), height };
  return { width: image.width as number, height: image.height as number };
}
