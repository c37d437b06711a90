/** What a picture can be made into; "pjpg" shows coarse first. */
export type PictureFormat = "jpg" | "pjpg" | "png" | "webp" | "avif";

/** How a picture is wanted, as its address says. Equal wishes are equal texts once they are serialized. */
export interface PictureSize {
  /** Pixels; of the two at least one, or a format. */
  readonly width?: number;
  readonly height?: number;
  /** Which part stays where the ratio is another one; absent: nothing is cut off, the picture fits inside. */
  readonly crop?: Crop;
  /** Pixels of the original, cut out before anything else. */
  readonly region?: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
  /** Absent: the picture's own. */
  readonly format?: PictureFormat;
  /** Six hexadecimal digits: what is left over of width and height is filled with this colour. */
  readonly padColor?: string;
}

export type Crop = "center" | "top" | "bottom" | "left" | "right";

/** The largest width and height, in pixels. */
export const MAX_PIXELS = 5_760;

/** Reads width, height, crop, format and pad_color of a picture's address. Widths are rounded up to a few steps and ratios to fine ones, so
 *  that nobody makes the server keep a picture in each width there is; what is no sensible value is passed over.
 *  @param acceptsWebp the caller shows WebP, and gets it where the address names no format  @returns undefined: as it is */
export function parsePictureSize(query: URLSearchParams, acceptsWebp: boolean): PictureSize | undefined {
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

/** Name in an address -> format. */
const formats: ReadonlyMap<string, PictureFormat> = new Map([
  ["jpg", "jpg"],
  ["jpeg", "jpg"],
  ["pjpg", "pjpg"],
  ["png", "png"],
  ["webp", "webp"],
  ["avif", "avif"],
]);

const crops: ReadonlySet<string> = new Set(["center", "top", "bottom", "left", "right"]);

/** Pixels: close enough together that the next larger one costs little, few enough to keep. */
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
/** Of a ratio: divides 1:1, 4:3, 3:2, 16:9, 5:4 and their like without rest. */
const RATIO_STEPS = 720;

function pixels(text: string | null): number | undefined {
  const number = /^\d{1,6}(?:\.\d+)?$/.test(text ?? "") ? Math.round(Number(text)) : 0;
  return number > 0 ? Math.min(number, MAX_PIXELS) : undefined;
}

/** @param isExact the ratio of the two counts; else each is a bound of its own */
function stepped(
  width: number | undefined,
  height: number | undefined,
  isExact: boolean,
): Pick<PictureSize, "width" | "height"> {
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

function parseRegion(query: URLSearchParams): PictureSize["region"] {
  const [left, top, width, height] = ["crop_left", "crop_top", "crop_width", "crop_height"].map((name) => {
    const text = query.get(name) ?? "0";
    return /^\d{1,6}$/.test(text) ? Number(text) : 0;
  });
  return width && height ? { left: left ?? 0, top: top ?? 0, width, height } : undefined;
}
