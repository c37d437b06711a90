/** Target format of an image; "pjpg" is a progressive JPEG. */
export type ImageFormat = "jpg" | "pjpg" | "png" | "webp" | "avif";

/** Requested size of an image. Equal sizes always have the same JSON, which is part of the cache key. */
export interface ImageSize {
  /** Width in pixels. At least one of width, height, and format is set. */
  readonly width?: number;
  readonly height?: number;
  /** Part of the image to keep if the aspect ratio differs. Default: no crop, the image is scaled to fit. */
  readonly crop?: Crop;
  /** Rectangle to cut out before resizing, in pixels of the original image. */
  readonly region?: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
  /** Default: the original format. */
  readonly format?: ImageFormat;
  /** Background color for the area around a scaled image, as six hexadecimal digits. */
  readonly padColor?: string;
}

export type Crop = "center" | "top" | "bottom" | "left" | "right";

/**
 * Parses the parameters width, height, crop, format, and pad_color of an image URL. Sizes are rounded up to a limited
 * number of steps, so that clients cannot fill the cache. Invalid values are ignored.
 * @param acceptsWebp whether the client supports WebP, which is then the default format
 * @returns undefined for the unchanged image
 */
export function parseImageSize(query: URLSearchParams, acceptsWebp: boolean): ImageSize | undefined {
  const width = parsePixels(query.get("width"));
  const height = parsePixels(query.get("height"));
  const formatName = query.get("format");
  const format = formatName === null || formatName === "auto" ? undefined : formats.get(formatName);
  if (width === undefined && height === undefined && format === undefined && formatName !== "auto") return undefined;
  const crop = query.get("crop");
  const region = crop === "region" ? parseRegion(query) : undefined;
  const padColor = /^#?([0-9a-f]{6})$/i.exec(query.get("pad_color") ?? "")?.[1]?.toLowerCase();
  const targetFormat = format ?? (acceptsWebp ? "webp" : undefined);
  return {
    ...roundSize(width, height, (crop !== null && cropNames.has(crop)) || padColor !== undefined),
    ...(crop !== null && cropNames.has(crop) && width !== undefined && height !== undefined
      ? { crop: crop as Crop }
      : {}),
    ...(region === undefined ? {} : { region }),
    ...(targetFormat === undefined ? {} : { format: targetFormat }),
    ...(padColor === undefined || width === undefined || height === undefined ? {} : { padColor }),
  };
}

/** Image formats by their name in URLs. */
const formats: ReadonlyMap<string, ImageFormat> = new Map([
  ["jpg", "jpg"],
  ["jpeg", "jpg"],
  ["pjpg", "pjpg"],
  ["png", "png"],
  ["webp", "webp"],
  ["avif", "avif"],
]);

const cropNames: ReadonlySet<string> = new Set(["center", "top", "bottom", "left", "right"]);

/**
 * Image widths in pixels. Requested widths are rounded up to one of them, so that the cache contains few versions of an
 * image.
 */
const imageWidths = [
  16, 32, 48, 64, 80, 100, 128, 160, 200, 240, 300, 360, 420, 480, 540, 600, 720, 800, 900, 1_000, 1_200, 1_400, 1_600,
  1_800, 2_000, 2_400, 2_800, 3_200, 3_840, 4_800, 5_760,
];

/** Maximum width and height, in pixels. */
export const MAX_SIDE_PIXELS = Math.max(...imageWidths);
/** Aspect ratios are rounded to multiples of 1/720. Common ratios such as 4:3, 3:2, and 16:9 remain exact. */
const ASPECT_RATIO_DENOMINATOR = 720;

function parsePixels(text: string | null): number | undefined {
  const number = /^\d{1,6}(?:\.\d+)?$/.test(text ?? "") ? Math.round(Number(text)) : 0;
  return number > 0 ? Math.min(number, MAX_SIDE_PIXELS) : undefined;
}

/**
 * Rounds the requested width and height.
 * @param keepsAspectRatio whether the aspect ratio must be kept; otherwise, width and height are rounded separately
 */
function roundSize(
  width: number | undefined,
  height: number | undefined,
  keepsAspectRatio: boolean,
): Pick<ImageSize, "width" | "height"> {
  if (width === undefined || height === undefined || !keepsAspectRatio) {
    return {
      ...(width === undefined ? {} : { width: roundUpToStep(width) }),
      ...(height === undefined ? {} : { height: roundUpToStep(height) }),
    };
  }
  const longerSide = roundUpToStep(Math.max(width, height));
  const ratio = Math.max(1, Math.round((Math.min(width, height) / Math.max(width, height)) * ASPECT_RATIO_DENOMINATOR));
  const shorterSide = Math.max(1, Math.round((longerSide * ratio) / ASPECT_RATIO_DENOMINATOR));
  return width >= height ? { width: longerSide, height: shorterSide } : { width: shorterSide, height: longerSide };
}

function roundUpToStep(number: number): number {
  return imageWidths.find((step) => step >= number) ?? MAX_SIDE_PIXELS;
}

function parseRegion(query: URLSearchParams): ImageSize["region"] {
  const [left, top, width, height] = ["crop_left", "crop_top", "crop_width", "crop_height"].map((name) => {
    const text = query.get(name) ?? "0";
    return /^\d{1,6}$/.test(text) ? Number(text) : 0;
  });
  return width && height ? { left: left ?? 0, top: top ?? 0, width, height } : undefined;
}
