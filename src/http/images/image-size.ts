/** Target format of an image; "pjpg" is progressive. */
export type ImageFormat = "jpg" | "pjpg" | "png" | "webp" | "avif";

/** Requested size of an image. Equal sizes serialize to equal strings. */
export interface ImageSize {
  /** Pixels. A width, a height, or a format is set. */
  readonly width?: number;
  readonly height?: number;
  /** The part that remains if the ratio differs. Default: the image fits inside without a crop. */
  readonly crop?: Crop;
  /** Pixels of the original, extracted first. */
  readonly region?: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
  /** Default: the image's own. */
  readonly format?: ImageFormat;
  /** Six hexadecimal digits: this color fills the rest of width and height. */
  readonly padColor?: string;
}

export type Crop = "center" | "top" | "bottom" | "left" | "right";

/** Maximum width and height, in pixels. */
export const MAX_PIXELS = 5_760;

/**
 * Reads width, height, crop, format and pad_color of an image's URL. Widths are rounded up to a few steps and ratios to
 * fine ones, so that clients cannot make the server cache an image in every width. Invalid values are ignored.
 * @param acceptsWebp the client supports WebP, which is the default format then
 * @returns undefined for the unchanged image
 */
export function parseImageSize(query: URLSearchParams, acceptsWebp: boolean): ImageSize | undefined {
  const width = pixels(query.get("width"));
  const height = pixels(query.get("height"));
  const named = query.get("format");
  const format = named === null || named === "auto" ? undefined : formats.get(named);
  if (width === undefined && height === undefined && format === undefined && named !== "auto") return undefined;
  const crop = query.get("crop");
  const region = crop === "region" ? parseRegion(query) : undefined;
  const padColor = /^#?([0-9a-f]{6})$/i.exec(query.get("pad_color") ?? "")?.[1]?.toLowerCase();
  const chosen = format ?? (acceptsWebp ? "webp" : undefined);
  return {
    ...stepped(width, height, (crop !== null && crops.has(crop)) || padColor !== undefined),
    ...(crop !== null && crops.has(crop) && width !== undefined && height !== undefined ? { crop: crop as Crop } : {}),
    ...(region === undefined ? {} : { region }),
    ...(chosen === undefined ? {} : { format: chosen }),
    ...(padColor === undefined || width === undefined || height === undefined ? {} : { padColor }),
  };
}

/** Name in a URL -> format. */
const formats: ReadonlyMap<string, ImageFormat> = new Map([
  ["jpg", "jpg"],
  ["jpeg", "jpg"],
  ["pjpg", "pjpg"],
  ["png", "png"],
  ["webp", "webp"],
  ["avif", "avif"],
]);

const crops: ReadonlySet<string> = new Set(["center", "top", "bottom", "left", "right"]);

/** Pixels: close enough that the next larger width costs little, few enough to cache. */
const steps = [
  16,
  32,
  48,
  64,
  80,
  100,
  128,
  160,
  200,
  240,
  300,
  360,
  420,
  480,
  540,
  600,
  720,
  800,
  900,
  1_000,
  1_200,
  1_400,
  1_600,
  1_800,
  2_000,
  2_400,
  2_800,
  3_200,
  3_840,
  4_800,
  MAX_PIXELS,
];
/** Steps of a ratio: a multiple that makes 1:1, 4:3, 3:2, 16:9, 5:4, and similar ratios exact. */
const RATIO_STEPS = 720;

function pixels(text: string | null): number | undefined {
  const number = /^\d{1,6}(?:\.\d+)?$/.test(text ?? "") ? Math.round(Number(text)) : 0;
  return number > 0 ? Math.min(number, MAX_PIXELS) : undefined;
}

/** @param isExact whether the ratio of the two counts; otherwise each is a separate limit */
function stepped(
  width: number | undefined,
  height: number | undefined,
  isExact: boolean,
): Pick<ImageSize, "width" | "height"> {
  if (width === undefined || height === undefined || !isExact) {
    return {
      ...(width === undefined ? {} : { width: stepFrom(width) }),
      ...(height === undefined ? {} : { height: stepFrom(height) }),
    };
  }
  const long = stepFrom(Math.max(width, height));
  const ratio = Math.max(1, Math.round((Math.min(width, height) / Math.max(width, height)) * RATIO_STEPS));
  const short = Math.max(1, Math.round((long * ratio) / RATIO_STEPS));
  return width >= height ? { width: long, height: short } : { width: short, height: long };
}

function stepFrom(number: number): number {
  return steps.find((step) => step >= number) ?? MAX_PIXELS;
}

function parseRegion(query: URLSearchParams): ImageSize["region"] {
  const [left, top, width, height] = ["crop_left", "crop_top", "crop_width", "crop_height"].map((name) => {
    const text = query.get(name) ?? "0";
    return /^\d{1,6}$/.test(text) ? Number(text) : 0;
  });
  return width && height ? { left: left ?? 0, top: top ?? 0, width, height } : undefined;
}
