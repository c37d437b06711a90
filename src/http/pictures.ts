import { hash } from "node:crypto";
import { stat } from "node:fs/promises";
import { extname } from "node:path";
import { createPictureCache, type PictureCacheOptions } from "./picture-cache.ts";
import { type PictureSize, parsePictureSize } from "./picture-size.ts";
import type { Reply } from "./reply.ts";
import { headerOf, type StoreRequest } from "./request.ts";
import { type ResizeResult, resizePicture } from "./resize-picture.ts";

/** Pictures in the sizes that pages ask for: made once, then kept on the disk. */
export interface Pictures {
  /** @param source the original's path, which no visitor can choose  @param cacheControl of the answer
   *  @returns "original" where that has to do: it is no picture that can be resized, is as wanted already, or is damaged; "busy" where
   *  it has to do for now, because too much is being resized */
  resized(source: string, size: PictureSize, cacheControl: string): Promise<Reply | "original" | "busy">;
}

export function createPictures(options: PictureCacheOptions): Pictures {
  const { log } = options;
  const cache = createPictureCache(options);
  const inFlight = new Map<string, Promise<ResizeResult>>();
  /** Keys of what could not be made, or would be the original again: not tried anew for each visitor. */
  const vain = new Set<string>();

  const make = async (source: string, size: PictureSize, name: string): Promise<ResizeResult> => {
    const made = await resizePicture(source, size);
    if (made !== undefined) await cache.put(name, made.bytes);
    return made;
  };
  return {
    async resized(source, size, cacheControl) {
      const ending = extname(source).toLowerCase();
      if (!resizable.has(ending)) return "original";
      const facts = await stat(source).catch(() => undefined);
      if (facts === undefined) return "original";
      const key = hash("sha256", JSON.stringify([RECIPE, source, facts.mtimeMs, facts.size, size]), "hex").slice(0, 32);
      const format = size.format ?? ending.slice(1);
      const name = `${key.slice(0, 2)}/${key}.${extensions.get(format) ?? format}`;
      const headers = {
        "content-type": `image/${types.get(format) ?? format}`,
        "cache-control": cacheControl,
        etag: `"${key}"`,
        vary: "Accept",
      };
      const file = await cache.find(name);
      if (file !== undefined) return { status: 200, headers, body: file };
      if (vain.has(key)) return "original";
      let making = inFlight.get(key);
      if (making === undefined) {
        if (inFlight.size >= MAX_WAITING) return "busy";
        making = make(source, size, name).finally(() => inFlight.delete(key));
        inFlight.set(key, making);
      }
      const made = await making.catch((error: unknown) => {
        log.warn({ error }, "a picture could not be resized: the original is shown");
        return undefined;
      });
      if (made !== undefined) return { status: 200, headers, body: made.bytes };
      if (vain.size >= MAX_VAIN) vain.clear();
      vain.add(key);
      return "original";
    },
  };
}

/** The size that a request asks for by its query, in a format that it shows. */
export function wantedSize(request: Pick<StoreRequest, "query" | "headers">): PictureSize | undefined {
  return parsePictureSize(
    request.query,
    /\bimage\/webp\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(headerOf(request, "accept") ?? ""),
  );
}

/** Endings of files that can be resized; SVG fits every size as it is, and GIF may move. */
const resizable: ReadonlySet<string> = new Set([".jpg", ".jpeg", ".png", ".webp", ".avif"]);
const extensions: ReadonlyMap<string, string> = new Map([
  ["pjpg", "jpg"],
  ["jpeg", "jpg"],
]);
const types: ReadonlyMap<string, string> = new Map([
  ["jpg", "jpeg"],
  ["pjpg", "jpeg"],
]);
/** Changes with the way pictures are made, so that older ones are made again. */
const RECIPE = 1;
/** Pictures being made or waiting for it; some take a second, and a page has dozens. */
const MAX_WAITING = 100;
const MAX_VAIN = 10_000;
