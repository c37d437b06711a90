import { realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { getErrorCode, ignoreNotFound } from "../../../not-found.ts";
import { Problem } from "../../../problem.ts";
import { namedSizes } from "../../../theme/filters/images/named-sizes.ts";
import { IMMUTABLE_CACHE_CONTROL, SHORT_CACHE_CONTROL } from "../../file-types.ts";
import { parseRequestedSize, type ResizedImages } from "../../images/resized-images.ts";
import { replyIfModified } from "../../response-cache.ts";
import type { Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

/**
 * Handles `GET /media/<path>`: serves a file of the store's `media/` folder. The query or the file name may request an
 * image size. Scripts in SVG files do not run.
 * @param storeDir the store's folder
 */
export async function serveMedia(
  storeDir: string,
  resizedImages: ResizedImages,
  request: StoreRequest,
): Promise<Reply> {
  const mediaRoot = join(storeDir, "media");
  const mediaPath = request.path.slice("/media".length);
  const cacheControl = (request.query.get("v") ?? "0") !== "0" ? IMMUTABLE_CACHE_CONTROL : "public, max-age=3600";
  const { source, path, query } = await serveResizedImage(mediaRoot, mediaPath, request.query);
  const size = parseRequestedSize({ headers: request.headers, query });
  const resizedReply =
    size === undefined
      ? "original"
      : await resizedImages.resize(source, size, { cacheControl, client: request.client });
  const reply =
    typeof resizedReply === "object"
      ? resizedReply
      : {
          status: 200,
          headers: {
            "cache-control": resizedReply === "busy" ? SHORT_CACHE_CONTROL : cacheControl,
            ...(size === undefined ? {} : { vary: "Accept" }),
          },
          body: { root: mediaRoot, path },
        };
  const securedReply = { ...reply, headers: { ...reply.headers, "content-security-policy": SANDBOX_POLICY } };
  return securedReply.body instanceof Uint8Array ? replyIfModified(request, securedReply) : securedReply;
}

const SANDBOX_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Serves a resized image.  @throws Problem `not_found` */
async function serveResizedImage(
  root: string,
  path: string,
  query: URLSearchParams,
): Promise<{ source: string; path: string; query: URLSearchParams }> {
  try {
    return { source: await findRealFile(root, path), path, query };
  } catch (error) {
    const resizedPath = parseSizedName(path);
    if (resizedPath === undefined) throw error;
    return { ...resizedPath, source: await findRealFile(root, resizedPath.path) };
  }
}

/**
 * Returns the path of a file on the disk. Symbolic links may point to any file inside the folder.
 * @throws Problem `not_found` if the file is missing, hidden, or outside the folder
 */
async function findRealFile(root: string, path: string): Promise<string> {
  const parts = decodeURIComponent(path).split("/");
  if (!parts.some((part) => part.startsWith(".") || /[\0\\]/.test(part))) {
    const [folder, file] = await Promise.all([root, join(root, ...parts)].map(resolveRealPath));
    if (folder !== undefined && file?.startsWith(folder + sep)) return file;
  }
  throw new Problem("not_found", "There is no such file.");
}

/** Resolves symbolic links.  @returns undefined if the file is missing, or its links form a loop */
function resolveRealPath(path: string): Promise<string | undefined> {
  return realpath(path).catch((error: unknown) =>
    getErrorCode(error) === "ELOOP" ? undefined : ignoreNotFound(error),
  );
}

/**
 * Parses a URL path in which a theme script put the image size. The size is part of the file name
 * ("coat_300x300_crop_center@2x.jpg", "coat_large.png"), with another format ("coat_large.progressive.png.jpg"), or
 * follows it like a query without question mark ("coat.jpg&width=100").
 * @returns the path of the original image, and the size as a query; undefined if the path contains no size
 */
export function parseSizedName(path: string): { readonly path: string; readonly query: URLSearchParams } | undefined {
  const [, pathSuffix = "", parameters = ""] = /^(.+\.\w{1,5})&((?:width|height|crop|format)=.+)$/.exec(path) ?? [];
  if (pathSuffix !== "") return { path: pathSuffix, query: new URLSearchParams(parameters) };
  const [, baseName = "", size = "", crop, scale = "1", progressive, extension = "", targetExtension] =
    sizedNamePattern.exec(path) ?? [];
  if (baseName === "") return undefined;
  const query = new URLSearchParams();
  const [width = "", height = ""] = size.includes("x")
    ? size.split("x")
    : [sizesByName.get(size), sizesByName.get(size)].map(String);
  for (const [name, text] of [
    ["width", width],
    ["height", height],
  ] as const)
    if (Number(text) > 0) query.set(name, String(Number(text) * Number(scale)));
  if (crop !== undefined) query.set("crop", crop);
  if (targetExtension !== undefined) query.set("format", progressive === undefined ? "jpg" : "pjpg");
  return { path: `${baseName}${extension}`, query };
}

/** Image sizes by name, as the maximum width and height in pixels; 0 is the original size. */
const sizesByName: ReadonlyMap<string, number> = new Map([...namedSizes, ["original", 0], ["master", 0]]);

const sizedNamePattern = new RegExp(
  `^(.+)_(\\d{1,5}x\\d{0,5}|x\\d{1,5}|${[...sizesByName.keys()].join("|")})(?:_crop_(top|center|bottom|left|right))?(?:@([23])x)?(\\.progressive)?(\\.\\w{1,5})(\\.jpg)?$`,
);
