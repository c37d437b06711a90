import type { Context } from "@vitrine/liquid";
import type { Image } from "../../../catalog/product.ts";
import { renderAttributes, SafeHtml } from "../../liquid/safe-html.ts";
import { imageOf } from "../../objects/image.ts";
import { stateOf } from "../../render-state.ts";
import { getFileUrlPrefix } from "../../view.ts";
import { getObjectField, readNumber, textOf } from "../filter.ts";
import { addImageSize, ImageUrl, type ImageVariant, parsePixels, sanitizeUrl } from "./image-url.ts";

/** Default widths of `srcset`, in pixels. */
const defaultWidths = [165, 246, 352, 493, 600, 713, 823, 990, 1_100, 1_206, 1_346, 1_426, 1_646, 1_946];
/** Number of sections at the top of a page whose images are probably visible without scrolling. */
const initialSectionCount = 3;
/** Maximum number of images in a `srcset`. */
const maxImages = 50;

/** Returns an `img` element for the result of `image_url`, an image, or a URL. */
export function renderImageTag(
  call: Context,
  value: unknown,
  namedArgs: ReadonlyMap<string, unknown>,
): SafeHtml | string {
  const image = value instanceof ImageUrl ? value.image : imageOf(value);
  const variant = value instanceof ImageUrl ? value.variant : {};
  const host = getFileUrlPrefix(stateOf(call).view);
  const src = image === undefined ? sanitizeUrl(textOf(value)) : addImageSize(image.src, variant, host);
  if (src === "") return "";
  const size = limitImageSize(image, variant);
  const hasSize = namedArgs.has("width") || namedArgs.has("height");
  const attributes = new Map<string, unknown>([
    ["src", src],
    ["alt", image?.alt ?? ""],
    ["srcset", image === undefined ? undefined : formatSourceSet(image, variant, namedArgs.get("widths"), host)],
    ["width", hasSize ? undefined : size.width],
    ["height", hasSize ? undefined : size.height],
    ["loading", isInitiallyVisible(call) ? undefined : "lazy"],
    ...Array.from(namedArgs, ([name, value]) => [name, typeof value === "boolean" ? String(value) : value] as const),
  ]);
  // `preload: true` adds no preload link. Eager loading with high priority is early enough for images near the top.
  if (namedArgs.get("preload") === true) attributes.set("loading", "eager").set("fetchpriority", "high");
  for (const name of ["preload", "widths"]) attributes.delete(name);
  return new SafeHtml(`<img${renderAttributes(attributes)}>`, image?.alt ?? "");
}

/**
 * Returns the size at which the image is displayed. Images are scaled down to the requested size, but never enlarged.
 */
export function limitImageSize(image: Image | undefined, { width, height, parameters }: ImageVariant): ImageVariant {
  if (image?.width === undefined || image.height === undefined || image.width < 1 || image.height < 1)
    return { width, height };
  const ratio = image.width / image.height;
  if (width !== undefined && height !== undefined && parameters?.has("crop") === true) return { width, height };
  const scaledWidth = Math.min(
    width ?? Number.POSITIVE_INFINITY,
    (height ?? Number.POSITIVE_INFINITY) * ratio,
    image.width,
  );
  return { width: Math.round(scaledWidth), height: Math.round(scaledWidth / ratio) };
}

/**
 * Returns a `srcset` with narrower versions of the image.  @param widths comma-separated list of pixels: "200, 400,
 * 800"
 */
function formatSourceSet(image: Image, variant: ImageVariant, widths: unknown, host: string): string | undefined {
  const { width } = limitImageSize(image, variant);
  const formatUrl = (size: ImageVariant): string => addImageSize(image.src, size, host);
  if (width === undefined || formatUrl(variant) === formatUrl({})) return undefined;
  const requestedWidths = textOf(widths)
    .split(",", maxImages)
    .map((candidate) => parsePixels(candidate.trim()))
    .filter((candidate) => candidate !== undefined);
  const candidateWidths =
    requestedWidths.length > 0 ? requestedWidths : [...defaultWidths.filter((candidate) => candidate < width), width];
  const ratio =
    variant.height === undefined || variant.width === undefined ? undefined : variant.height / variant.width;
  const maxWidth = image.width ?? Number.POSITIVE_INFINITY;
  const limitedWidths = new Set(candidateWidths.map((candidate) => Math.min(candidate, maxWidth)));
  const entries = [...limitedWidths].map((candidate) => {
    const height = ratio === undefined ? undefined : Math.round(candidate * ratio);
    return `${formatUrl({ ...variant, width: candidate, height })} ${candidate}w`;
  });
  return entries.length === 0 ? undefined : entries.join(", ");
}

function isInitiallyVisible(call: Context): boolean {
  const section = stateOf(call).globals.field("section");
  const index = readNumber(getObjectField(section, "index"));
  return index !== undefined && index <= initialSectionCount;
}
