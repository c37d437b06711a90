import { realpath } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { conditional } from "../answer-cache.ts";
import { BRIEF, IMMUTABLE } from "../file-types.ts";
import { type Pictures, wantedSize } from "../pictures.ts";
import type { Reply } from "../reply.ts";
import type { StoreRequest } from "../request.ts";

/** `GET /media/<path>`: a file of the store's `media/`; pictures also in other sizes and formats, by the query's `width`, `height`, `crop`,
 *  `format`. Opened by itself a picture may run nothing, SVG's scripts included.
 *  @param storeDir the store's folder */
export async function media(storeDir: string, pictures: Pictures, request: StoreRequest): Promise<Reply> {
  const root = join(storeDir, "media");
  const path = request.path.slice("/media".length);
  const cacheControl = request.query.has("v") ? IMMUTABLE : "public, max-age=3600";
  const size = wantedSize(request);
  const source = size === undefined ? undefined : await locate(root, path);
  const resized =
    size === undefined || source === undefined
      ? "original"
      : await pictures.resized(source, size, { cacheControl, client: request.client });
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

/** The file behind a path, where it lies inside the folder and is not hidden; undefined where it does not. */
async function locate(root: string, path: string): Promise<string | undefined> {
  const parts = decodeURIComponent(path).split("/");
  if (parts.some((part) => part.startsWith(".") || /[\0\\]/.test(part)) || extname(path) === "") return undefined;
  try {
    const [folder, file] = await Promise.all([realpath(root), realpath(join(root, ...parts))]);
    return file.startsWith(folder + sep) ? file : undefined;
  } catch {
    return undefined;
  }
}
