import type { Sharp } from "sharp";
import type { ImageSize } from "./image-size.ts";

/** Resized image; undefined if the original can be used unchanged. */
export type ResizeResult = { readonly bytes: Uint8Array } | undefined;

/** Maximum number of pixels of an original image, about twice that of the largest cameras. */
const MAX_INPUT_PIXELS = 100_000_000;
const TIMEOUT_SECONDS = 15;
/** Maximum pixels of a resized image, by format. Resizing takes about two seconds or ten megabytes at most. */
const maxPixels: ReadonlyMap<string, number> = new Map([
  ["avif", 3_000_000],
  ["heif", 3_000_000],
  ["png", 4_000_000],
  ["webp", 8_000_000],
]);
const DEFAULT_MAX_PIXELS = 16_000_000;
/**
 * Resizes or converts an image. The result is upright, has no metadata, and never exceeds the original or {@link
 * maxPixels}.
 * @throws if the file is damaged, too large, or of a type that cannot be resized
 */
export async function resizeImage(source: string | Uint8Array, size: ImageSize): Promise<ResizeResult> {
  const sharp = await loadSharp();
  return decodeAndResize(sharp, source, size).catch((error: unknown) => {
    if (!/unsupported image format/.test(String(error))) throw error;
    // Perhaps another thread is loading the library, which blocks all decoders of the process for a moment.
    unblockDecoders(sharp);
    return decodeAndResize(sharp, source, size);
  });
}

async function decodeAndResize(
  sharp: SharpLibrary,
  source: string | Uint8Array,
  size: ImageSize,
): Promise<ResizeResult> {
  const input = sharp(source, { limitInputPixels: MAX_INPUT_PIXELS, failOn: "error", sequentialRead: true });
  const metadata = await input.metadata();
  if ((metadata.pages ?? 1) > 1) return undefined;
  const originalSize = metadata.autoOrient;
  const { region, crop, padColor, format } = size;
  const croppedRegion = region === undefined ? undefined : clampRegion(region, originalSize);
  const requestedSize = getTargetArea(size, croppedRegion ?? originalSize);
  const isSameSize = requestedSize.width === originalSize.width && requestedSize.height === originalSize.height;
  if (isSameSize && croppedRegion === undefined && format === undefined) return undefined;
  const outputFormat = format ?? metadata.format;
  const targetSize = scaleDimensions(
    requestedSize,
    Math.min(
      1,
      Math.sqrt((maxPixels.get(outputFormat) ?? DEFAULT_MAX_PIXELS) / (requestedSize.width * requestedSize.height)),
    ),
  );
  let image = input.autoOrient();
  if (croppedRegion !== undefined) image = image.extract(croppedRegion);
  image = image.resize({
    ...targetSize,
    fit: padColor === undefined ? (crop === undefined ? "inside" : "cover") : "contain",
    position: crop ?? "center",
    ...(padColor === undefined ? {} : { background: `#${padColor}` }),
    withoutEnlargement: true,
  });
  const bytes = await encodeImage(image, outputFormat, metadata.hasAlpha)
    .timeout({ seconds: TIMEOUT_SECONDS })
    .toBuffer();
  return { bytes };
}

type SharpLibrary = typeof import("sharp")["default"];

let sharp: Promise<SharpLibrary> | undefined;

/** Loads the image library with the first image, because it takes longer to load than the rest of the server. */
function loadSharp(): Promise<SharpLibrary> {
  sharp ??= import("sharp").then(({ default: library }) => {
    library.concurrency(1);
    library.cache(false);
    // The library chooses a decoder from the file's content, so all decoders except these four are blocked.
    library.block({ operation: ["VipsForeignLoad"] });
    unblockDecoders(library);
    return library;
  });
  return sharp;
}

function unblockDecoders(library: SharpLibrary): void {
  library.unblock({
    operation: ["VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp", "VipsForeignLoadHeif"],
  });
}

interface ImageArea {
  readonly width: number;
  readonly height: number;
}

function clampRegion(region: NonNullable<ImageSize["region"]>, imageArea: ImageArea): NonNullable<ImageSize["region"]> {
  const left = Math.min(region.left, imageArea.width - 1);
  const top = Math.min(region.top, imageArea.height - 1);
  return {
    left,
    top,
    width: Math.min(region.width, imageArea.width - left),
    height: Math.min(region.height, imageArea.height - top),
  };
}

/**
 * Returns the width and height of the resized image. A cropped image has the requested aspect ratio and is not larger
 * than the original.
 */
function getTargetArea({ width, height, crop, padColor }: ImageSize, sourceArea: ImageArea): ImageArea {
  if (width !== undefined && height !== undefined && padColor !== undefined) return { width, height };
  if (width !== undefined && height !== undefined && crop !== undefined) {
    const scale = Math.min(1, sourceArea.width / width, sourceArea.height / height);
    return scaleDimensions({ width, height }, scale);
  }
  const scale = Math.min(1, (width ?? Infinity) / sourceArea.width, (height ?? Infinity) / sourceArea.height);
  return scaleDimensions(sourceArea, scale);
}

function scaleDimensions({ width, height }: ImageArea, factor: number): ImageArea {
  return { width: roundPixels(width * factor), height: roundPixels(height * factor) };
}

function roundPixels(number: number): number {
  return Math.max(1, Math.round(number));
}

function encodeImage(image: Sharp, format: string, hasAlpha: boolean): Sharp {
  switch (format) {
    case "png":
      return image.png({ compressionLevel: 6 });
    case "webp":
      return image.webp({ quality: 80 });
    case "avif":
    case "heif":
      return image.avif({ quality: 55, effort: 3 });
    default:
      return (hasAlpha ? image.flatten({ background: "#fff" }) : image).jpeg({
        quality: 82,
        progressive: format === "pjpg",
      });
  }
}
