import { extname } from "node:path";

/** Returns the content type for a file name if the format compresses well, such as CSS; otherwise undefined. */
export function getTextType(name: string): string | undefined {
  return textTypes.get(extname(name).toLowerCase());
}

/** Returns the content type for the name of an image or font file; undefined for other formats. */
export function getCompressedType(name: string): string | undefined {
  return precompressedTypes.get(extname(name).toLowerCase());
}

/** `Cache-Control` for URLs that contain the file's version: browsers keep the file for a year without revalidation. */
export const IMMUTABLE_CACHE_CONTROL = "public, max-age=31536000, immutable";
/** `Cache-Control` for URLs whose file may change: browsers revalidate the file at each use. */
export const REVALIDATED_CACHE_CONTROL = "public, max-age=0, must-revalidate";
/** `Cache-Control` for URLs with an outdated version of the file, for example during an update. */
export const SHORT_CACHE_CONTROL = "public, max-age=60";

const textTypes: ReadonlyMap<string, string> = new Map([
  [".css", "text/css; charset=utf-8"],
  [".js", "text/javascript; charset=utf-8"],
  [".mjs", "text/javascript; charset=utf-8"],
  [".json", "application/json; charset=utf-8"],
  [".map", "application/json; charset=utf-8"],
  [".svg", "image/svg+xml; charset=utf-8"],
  [".txt", "text/plain; charset=utf-8"],
  [".webmanifest", "application/manifest+json; charset=utf-8"],
  [".xml", "application/xml; charset=utf-8"],
  [".ttf", "font/ttf"],
  [".otf", "font/otf"],
  [".ico", "image/x-icon"],
]);

const precompressedTypes: ReadonlyMap<string, string> = new Map([
  [".avif", "image/avif"],
  [".gif", "image/gif"],
  [".jpeg", "image/jpeg"],
  [".jpg", "image/jpeg"],
  [".png", "image/png"],
  [".webp", "image/webp"],
  [".woff", "font/woff"],
  [".woff2", "font/woff2"],
]);
