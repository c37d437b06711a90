import type { Image } from "../../../catalog/product.ts";
import { getAssetPath } from "../../files/asset-files.ts";
import { ImageElement, renderAttribute } from "../../liquid/safe-html.ts";
import { imageOf } from "../../objects/image.ts";
import { stateOf } from "../../render-state.ts";
import { getFileUrlPrefix } from "../../view.ts";
import { type Filter, type FilterFamily, splitArguments, textOf } from "../filter.ts";
import { addHost, addImageSize, ImageUrl, type ImageVariant, parsePixels, sanitizeUrl } from "./image-url.ts";
import { namedSizes } from "./named-sizes.ts";

/**
 * Returns the URL of an image. Older themes pass the size as a string: `'400x300'`, `'400x'`, `'x300'`, `'large'`,
 * `'master'`. Without an image, returns the URL of a drawing, because an empty URL in a `srcset` would request other
 * pages.
 */
const img_url: Filter = function (value, ...args) {
  const { positionalArgs, namedArgs } = splitArguments(args);
  const image = value instanceof ImageUrl ? value.image : imageOf(value);
  const host = getFileUrlPrefix(stateOf(this).view);
  if (image === undefined) return addHost("/vitrine/no-image.svg", host);
  const scale = /^[23]$/.test(textOf(namedArgs.get("scale"))) ? Number(textOf(namedArgs.get("scale"))) : 1;
  const crop = textOf(namedArgs.get("crop"));
  const format = textOf(namedArgs.get("format"));
  const parameters = new Map<string, string>();
  if (/^(?:top|center|bottom|left|right)$/.test(crop)) parameters.set("crop", crop);
  if (/^(?:jpg|pjpg)$/.test(format)) parameters.set("format", format);
  const sizeName = textOf(positionalArgs[0] ?? "small");
  const variant = { ...parseSizeName(sizeName, scale), parameters };
  if (!sizeNamePattern.test(sizeName)) return new ImageUrl(image, variant, host);
  const cropSuffix = parameters.has("crop") ? `_crop_${crop}` : "";
  return new NamedSizeUrl(image, variant, host, `_${sizeName}${cropSuffix}${scale > 1 ? `@${scale}x` : ""}`);
};

const sizeNamePattern = new RegExp(`^(?:\\d{1,4}x\\d{0,4}|x\\d{1,4}|${[...namedSizes.keys()].join("|")})$`);

/**
 * An image URL that contains the size in its file name, because scripts of older themes replace it there:
 * "/media/coat_480x.jpg". Another format follows: "/media/coat_480x.progressive.png.jpg".
 */
class NamedSizeUrl extends ImageUrl {
  readonly #size: string;

  constructor(image: Image, variant: ImageVariant, host: string, size: string) {
    super(image, variant, host);
    this.#size = size;
  }

  override toText(): string {
    const [, name, extension = ""] = /^(\/media\/[^?#]+)(\.(?!svg$)\w{1,5})$/.exec(sanitizeUrl(this.image.src)) ?? [];
    if (name === undefined) return super.toText();
    const format = /^\.jpe?g$/i.test(extension) ? undefined : this.variant.parameters?.get("format");
    const progressiveSuffix = format === "pjpg" ? ".progressive" : "";
    const suffix = format === undefined ? extension : `${progressiveSuffix}${extension}.jpg`;
    return addHost(name + this.#size + suffix, this.host);
  }
}

export const legacyImageFilters: FilterFamily = {
  img_url,
  product_img_url: img_url,
  collection_img_url: img_url,
  article_img_url: img_url,
  /** Returns an `img` element: `{{ product | img_tag: 'alt', 'class', '450x450' }}`. */
  img_tag(value, ...args) {
    const { positionalArgs } = splitArguments(args);
    const [alt, className, size] = positionalArgs.map(textOf);
    const image = value instanceof ImageUrl ? value.image : imageOf(value);
    const variant = value instanceof ImageUrl ? value.variant : size === undefined ? {} : parseSizeName(size, 1);
    const src =
      image === undefined
        ? sanitizeUrl(textOf(value))
        : addImageSize(image.src, variant, getFileUrlPrefix(stateOf(this).view));
    if (src === "") return "";
    const attributes = [
      renderAttribute("src", src),
      renderAttribute("alt", alt ?? image?.alt ?? ""),
      renderAttribute("class", className === "" ? undefined : className),
    ];
    return new ImageElement(`<img${attributes.join("")}>`, "");
  },
  /** Returns the URL of an image in the theme's `assets/`. */
  asset_img_url(value, ...args) {
    return img_url.call(this, getAssetPath(stateOf(this).theme, textOf(value)), ...args);
  },
  /** Returns the URL of an image in the store's `media/`. */
  file_img_url(value, ...args) {
    return img_url.call(this, formatMediaPath(textOf(value)), ...args);
  },
  /** Returns the URL of any file in the store's `media/`. */
  file_url(value) {
    return addHost(formatMediaPath(textOf(value)), getFileUrlPrefix(stateOf(this).view));
  },
};

function formatMediaPath(name: string): string {
  return `/media/${name.toWellFormed().split("/").map(encodeURIComponent).join("/")}`;
}

/** Parses a size such as "400x300" or "large". */
export function parseSizeName(sizeName: string, scale: number): ImageVariant {
  const namedSize = pixelsByName.get(sizeName);
  const [, width = "", height = ""] = /^(\d{0,4})x(\d{0,4})$/.exec(sizeName) ?? [];
  const scaleLength = (text: string): number | undefined =>
    text === "" ? undefined : parsePixels(Number(text) * scale);
  if (namedSize !== undefined) return { width: namedSize * scale, height: namedSize * scale };
  return { width: scaleLength(width), height: scaleLength(height) };
}

/** Length of the longer side in pixels, by size name. */
const pixelsByName: ReadonlyMap<string, number> = new Map([...namedSizes, ["original", 1_024]]);
