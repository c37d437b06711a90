import { basename, dirname } from "node:path";
import { Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import type { AssetFile } from "../../../theme/files/asset-files.ts";
import type { FileCache } from "../../file-cache.ts";
import {
  getCompressedType,
  getTextType,
  IMMUTABLE_CACHE_CONTROL,
  REVALIDATED_CACHE_CONTROL,
  SHORT_CACHE_CONTROL,
} from "../../file-types.ts";
import { parseRequestedSize, type ResizedImages } from "../../images/resized-images.ts";
import { replyIfModified } from "../../response-cache.ts";
import type { Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

/**
 * Handles `GET /assets/<file>`: serves a theme file. Text is compressed, and images are resized on request. A URL with
 * the current version of the file in `v` may be cached forever.
 */
export async function serveAsset(
  { theme }: Pick<Shop, "theme">,
  { fileCache, resizedImages }: { readonly fileCache: FileCache; readonly resizedImages: ResizedImages },
  request: StoreRequest,
): Promise<Reply> {
  const name = request.params.file ?? "";
  const requestedVersion = request.query.get("v");
  const file = theme.assetFile(name, requestedVersion ?? undefined);
  if (file === undefined) throw new Problem("not_found", "The theme has no such file.");
  const { version } = file;
  const text = getTextType(name) ?? ("text" in file ? "application/octet-stream" : undefined);
  const type = text ?? getCompressedType(name);
  const bytes = type === undefined ? undefined : await fileCache.bytes(name, file);
  const cacheControl =
    requestedVersion === null
      ? REVALIDATED_CACHE_CONTROL
      : requestedVersion === version && bytes !== undefined
        ? IMMUTABLE_CACHE_CONTROL
        : SHORT_CACHE_CONTROL;
  const size = parseRequestedSize(request);
  const content = bytes === undefined ? {} : { content: { bytes, version } };
  const resizedReply =
    size === undefined || "text" in file
      ? "original"
      : await resizedImages.resize(file.path, size, { cacheControl, client: request.client, ...content });
  if (typeof resizedReply === "object") return resizedReply;
  const headers = {
    "cache-control": resizedReply === "busy" ? SHORT_CACHE_CONTROL : cacheControl,
    ...(size === undefined ? {} : { vary: "Accept" }),
  };
  if (type === undefined || bytes === undefined) return { status: 200, headers, body: createDiskBody(file) };
  return replyIfModified(request, {
    status: 200,
    headers: { "content-type": type, ...headers, etag: `"${version}"` },
    body: bytes,
    ...(text === undefined ? {} : { compress: "best" }),
  });
}

/** Handles `GET /favicon.ico`: serves the icon of the theme, if any. */
export function serveFavicon({ theme }: Pick<Shop, "theme">): Reply {
  const headers = { "cache-control": "public, max-age=86400" };
  const file = theme.assetFile("favicon.ico");
  return file === undefined ? { status: 204, headers, body: "" } : { status: 200, headers, body: createDiskBody(file) };
}

function createDiskBody(file: AssetFile): Reply["body"] {
  if ("text" in file) return file.text;
  return { root: dirname(file.path), path: `/${encodeURIComponent(basename(file.path))}` };
}
