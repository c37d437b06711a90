import { realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { unlessAbsent } from "../../../absence.ts";
import { Problem } from "../../../problem.ts";
import { conditional } from "../../answer-cache.ts";
import { BRIEF, IMMUTABLE } from "../../file-types.ts";
import { type Pictures, wantedSize } from "../../pictures/pictures.ts";
import type { Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

/** `GET /media/<path>`: a file of the store's `media/`; pictures also in other sizes and formats, by the query's `width`, `height`, `crop`,
 *  `format`. Opened by itself a picture may run nothing, SVG's scripts included.
 *  @param storeDir the store's folder */
export async function media(storeDir: string, pictures: Pictures, request: StoreRequest): Promise<Reply> {
  const root = join(storeDir, "media");
  const path = request.path.slice("/media".length);
  const cacheControl = request.query.has("v") ? IMMUTABLE : "public, max-age=3600";
  const size = wantedSize(request);
  const source = await locate(root, path);
  const resized =
    size === undefined ? "original" : await pictures.resized(source, size, { cacheControl, client: request.client });
  const reply =
    typeof resized === "object"
      ? resized
      : {
          status: 200,
          headers: {
            "cache-control": resized === "busy" ? BRIEF : cacheControl,
            ...(size === undefined ? {} : { vary: "Accept" }),
          },
          body: { root, path },
        };
  const shown = { ...reply, headers: { ...reply.headers, "content-security-policy": INERT } };
  return shown.body instanceof Uint8Array ? conditional(request, shown) : shown;
}

const INERT = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** The file behind a path. Links may lead anywhere inside the folder.
 *  @throws Problem `not_found` where there is none, it is hidden, or it lies outside the folder */
async function locate(root: string, path: string): Promise<string> {
  const parts = decodeURIComponent(path).split("/");
  if (!parts.some((part) => part.startsWith(".") || /[\0\\]/.test(part))) {
    const [folder, file] = await Promise.all([root, join(root, ...parts)].map(realPath));
    if (folder !== undefined && file?.startsWith(folder + sep)) return file;
  }
  throw new Problem("not_found", "There is no such file.");
}

function realPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(unlessAbsent);
}
