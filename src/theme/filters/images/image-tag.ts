import type { Context } from "@vitrine/liquid";
import type { Image } from "../../../catalog/product.ts";
import { attribute, SafeHtml } from "../../liquid/safe-html.ts";
import { imageOf } from "../../objects/image.ts";
import { stateOf } from "../../render-state.ts";
import { fileUrlPrefix } from "../../view.ts";
import { fieldText, numberOf, textOf } from "../filter.ts";
import { ImageAddress, type ImageVariant, pixels, safeAddress, sizedAddress } from "./image-url.ts";

/** Default widths of `srcset`, in pixels. */
const usualWidths = [165, 246, 352, 493, 600, 713, 823, 990, 1_100, 1_206, 1_346, 1_426, 1_646, 1_946];
/** Number of sections at the top of a page whose images are probably visible without scrolling. */
const sectionsAtOnce = 3;
/** Maximum entries of a `srcset`. */
const maxWidths = 50;

/** Returns an `img` element for the result of `image_url`, an image, or a URL. */
export function imageTag(call: Context, value: unknown, named: ReadonlyMap<string, unknown>): SafeHtml | string {
  const image = value instanceof ImageAddress ? value.image : imageOf(value);
  const variant = value instanceof ImageAddress ? value.variant : {};
  const host = fileUrlPrefix(stateOf(call).view);
  const src = image === undefined ? safeAddress(textOf(value)) : sizedAddress(image.src, variant, host);
  if (src === "") return "";
  const size = shownSize(image, variant);
  const isSized = named.has("width") || named.has("height");
  const attributes = new Map<string, unknown>([
    ["src", src],
    ["alt", image?.alt ?? ""],
    ["srcset", image === undefined ? undefined : sourceSet(image, variant, named.get("widths"), host)],
    ["width", isSized ? undefined : size.width],
    ["height", isSized ? undefined : size.height],
    ["loading", isSeenAtOnce(call) ? undefined : "lazy"],
    ...[...named].filter(([name]) => name !== "widths"),
  ]);
  // The browser finds an image near the top early enough without a preload link, but the image must not load lazily.
  if (attributes.get("preload") === true) attributes.set("loading", "eager").set("fetchpriority", "high");
  attributes.delete("preload");
  const html = [...attributes]
    .filter(([name, one]) => /^[\w-]+$/.test(name) && !/^on/i.test(name) && one !== undefined && one !== null)
    .map(([name, one]) => attribute(name, textOf(one)));
  return new SafeHtml(`<img${html.join("")}>`, image?.alt ?? "");
}

/** Returns the image's size scaled down to the requested size. An image is never enlarged. */
export function shownSize(image: Image | undefined, { width, height, parameters: others }: ImageVariant): ImageVariant {
  if (image?.width === undefined || image.height === undefined || image.width < 1 || image.height < 1)
    return { width, height };
  const ratio = image.width / image.height;
  if (width !== undefined && height !== undefined && others?.has("crop") === true) return { width, height };
  const fitting = Math.min(
    width ?? Number.POSITIVE_INFINITY,
    (height ?? Number.POSITIVE_INFINITY) * ratio,
    image.width,
  );
  return { width: Math.round(fitting), height: Math.round(fitting / ratio) };
}

/** Returns the `srcset` of narrower variants of the image.  @param widths "200, 400, 800" */
function sourceSet(image: Image, variant: ImageVariant, widths: unknown, host: string): string | undefined {
  const { width } = shownSize(image, variant);
  const address = (of: ImageVariant): string => sizedAddress(image.src, of, host);
  if (width === undefined || address(variant) === address({})) return undefined;
  const requestedWidths = textOf(widths)
    .split(",", maxWidths)
    .map((one) => pixels(one.trim()))
    .filter((one) => one !== undefined);
  const offered = requestedWidths.length > 0 ? requestedWidths : [...usualWidths.filter((one) => one < width), width];
  const ratio =
    variant.height === undefined || variant.width === undefined ? undefined : variant.height / variant.width;
  const maxWidth = image.width ?? Number.POSITIVE_INFINITY;
  const fitting = new Set(offered.map((one) => Math.min(one, maxWidth)));
  const made = [...fitting].map((one) => {
    const height = ratio === undefined ? undefined : Math.round(one * ratio);
    return `${address({ ...variant, width: one, height })} ${one}w`;
  });
  return made.length === 0 ? undefined : made.join(", ");
}

function isSeenAtOnce(call: Context): boolean {
  const section = stateOf(call).globals.field("section");
  const index = numberOf(fieldText(section, "index"));
  return index !== undefined && index <= sectionsAtOnce;
}
