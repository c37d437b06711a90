import { basename, dirname } from "node:path";
import { Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import type { AssetFile } from "../../../theme/files/asset-files.ts";
import { conditional } from "../../answer-cache.ts";
import { BRIEF, IMMUTABLE, REVALIDATE, textType } from "../../file-types.ts";
import type { KeptFiles } from "../../kept-files.ts";
import { type Pictures, wantedSize } from "../../pictures/pictures.ts";
import type { Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

/** `GET /assets/<file>`: a file of the theme, compressed where it is text, resized where it is a picture and a size is asked for.
 *  Addresses that the theme makes carry its version in `v` and are kept for ever. */
export async function assets(
  { theme }: Pick<Shop, "theme">,
  { kept, pictures }: { readonly kept: KeptFiles; readonly pictures: Pictures },
  request: StoreRequest,
): Promise<Reply> {
  const name = request.params.file ?? "";
  const version = request.query.get("v");
  const file = theme.assetFile(name, version ?? undefined);
  if (file === undefined) throw new Problem("not_found", "The theme has no such file.");
  const cacheControl = version === file.version ? IMMUTABLE : version === null ? REVALIDATE : BRIEF;
  const type = textType(name);
  if (type !== undefined || "text" in file) {
    const bytes = await kept.bytes(`${name} ${file.version}`, file);
    if (bytes !== undefined)
      return conditional(request, {
        status: 200,
        headers: {
          "content-type": type ?? "application/octet-stream",
          "cache-control": cacheControl,
          etag: `"${file.version}"`,
        },
        body: bytes,
        compress: "best",
      });
  }
  const size = wantedSize(request);
  const resized =
    size === undefined || "text" in file
      ? "original"
      : await pictures.resized(file.path, size, { cacheControl, client: request.client });
  if (typeof resized === "object") return resized;
  const headers = {
    "cache-control": resized === "busy" ? BRIEF : cacheControl,
    ...(size === undefined ? {} : { vary: "Accept" }),
  };
  return { status: 200, headers, body: onDisk(file) };
}

/** `GET /favicon.ico`: the theme's, where it has one. */
export function favicon({ theme }: Pick<Shop, "theme">): Reply {
  const headers = { "cache-control": "public, max-age=86400" };
  const file = theme.assetFile("favicon.ico");
  return file === undefined ? { status: 204, headers, body: "" } : { status: 200, headers, body: onDisk(file) };
}

function onDisk(file: AssetFile): Reply["body"] {
  if ("text" in file) return file.text;
  return { root: dirname(file.path), path: `/${encodeURIComponent(basename(file.path))}` };
}
