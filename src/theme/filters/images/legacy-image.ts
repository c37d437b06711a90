import type { Image } from "../../../catalog/product.ts";
import { assetPath } from "../../files/asset-files.ts";
import { attribute, SafeHtml } from "../../liquid/safe-html.ts";
import { imageOf } from "../../objects/image.ts";
import { stateOf } from "../../render-state.ts";
import { fileUrlPrefix } from "../../view.ts";
import { type Filter, type FilterFamily, splitArguments, textOf } from "../filter.ts";
import { hostedAddress, ImageAddress, type ImageVariant, pixels, safeAddress, sizedAddress } from "./image-url.ts";
import { namedSizes } from "./named-sizes.ts";

/**
 * Returns the URL of an image. Older themes pass the size as a word: `'400x300'`, `'400x'`, `'x300'`, `'large'`,
 * `'master'`.
 */
const img_url: Filter = function (value, ...args) {
  const { positional, named } = splitArguments(args);
  const image = value instanceof ImageAddress ? value.image : imageOf(value);
  if (image === undefined) return "";
  const scale = /^[23]$/.test(textOf(named.get("scale"))) ? Number(textOf(named.get("scale"))) : 1;
  const crop = textOf(named.get("crop"));
  const format = textOf(named.get("format"));
  const parameters = new Map<string, string>();
  if (/^(?:top|center|bottom|left|right)$/.test(crop)) parameters.set("crop", crop);
  if (/^(?:jpg|pjpg)$/.test(format)) parameters.set("format", format);
  const word = textOf(positional[0] ?? "small");
  const variant = { ...wordSize(word, scale), parameters };
  const host = fileUrlPrefix(stateOf(this).view);
  if (parameters.has("format") || !sizeWord.test(word)) return new ImageAddress(image, variant, host);
  const cropped = parameters.has("crop") ? `_crop_${crop}` : "";
  return new NamedAddress(image, variant, host, `_${word}${cropped}${scale > 1 ? `@${scale}x` : ""}`);
};

const sizeWord = new RegExp(`^(?:\\d{1,4}x\\d{0,4}|x\\d{1,4}|${[...namedSizes.keys()].join("|")})$`);

/** An image URL with the size in the file name, where theme scripts replace it: "/media/coat_480x.jpg". */
class NamedAddress extends ImageAddress {
  readonly #size: string;

  constructor(image: Image, variant: ImageVariant, host: string, size: string) {
    super(image, variant, host);
    this.#size = size;
  }

  override toText(): string {
    const [, name, ending = ""] = /^(\/media\/[^?#]+)(\.(?!svg$)\w{1,5})$/.exec(safeAddress(this.image.src)) ?? [];
    return name === undefined ? super.toText() : hostedAddress(name + this.#size + ending, this.host);
  }
}

export const legacyImageFilters: FilterFamily = {
  img_url,
  product_img_url: img_url,
  collection_img_url: img_url,
  article_img_url: img_url,
  /** Returns an `img` element: `{{ product | img_tag: 'alt', 'class', '450x450' }}`. */
  img_tag(value, ...args) {
    const { positional } = splitArguments(args);
    const [alt, className, size] = positional.map(textOf);
    const image = value instanceof ImageAddress ? value.image : imageOf(value);
    const variant = value instanceof ImageAddress ? value.variant : size === undefined ? {} : wordSize(size, 1);
    const src =
      image === undefined
        ? safeAddress(textOf(value))
        : sizedAddress(image.src, variant, fileUrlPrefix(stateOf(this).view));
    if (src === "") return "";
    const attributes = [
      attribute("src", src),
      attribute("alt", alt ?? image?.alt ?? ""),
      attribute("class", className === "" ? undefined : className),
    ];
    return new SafeHtml(`<img${attributes.join("")}>`, "");
  },
  /** Returns the URL of an image in the theme's `assets/`. */
  asset_img_url(value, ...args) {
    return img_url.call(this, assetPath(stateOf(this).theme, textOf(value)), ...args);
  },
  /** Returns the URL of an image in the store's `media/`. */
  file_img_url(value, ...args) {
    return img_url.call(this, mediaPath(textOf(value)), ...args);
  },
  /** Returns the URL of any file in the store's `media/`. */
  file_url(value) {
    return hostedAddress(mediaPath(textOf(value)), fileUrlPrefix(stateOf(this).view));
  },
};

function mediaPath(name: string): string {
  return `/media/${name.toWellFormed().split("/").map(encodeURIComponent).join("/")}`;
}

/** Parses a size word. */
export function wordSize(word: string, scale: number): ImageVariant {
  const named = sizes.get(word);
  const [, width = "", height = ""] = /^(\d{0,4})x(\d{0,4})$/.exec(word) ?? [];
  const scaled = (text: string): number | undefined => (text === "" ? undefined : pixels(Number(text) * scale));
  if (named !== undefined) return { width: named * scale, height: named * scale };
  return { width: scaled(width), height: scaled(height) };
}

/** Pixels of the longer side, by size name. */
const sizes: ReadonlyMap<string, number> = new Map([...namedSizes, ["original", 1_024]]);
