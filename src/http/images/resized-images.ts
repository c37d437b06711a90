import { hash } from "node:crypto";
import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { extname } from "node:path";
import { setTimeout } from "node:timers/promises";
import { ignoreNotFound } from "../../not-found.ts";
import type { Log } from "../../observability/log.ts";
import { createCache } from "../../runtime/cache.ts";
import type { RateLimits } from "../../runtime/limits.ts";
import { createJobSlots } from "../../runtime/slots.ts";
import { findAddressBlock } from "../wire/address-block.ts";
import type { Client } from "../wire/proxy.ts";
import type { Reply } from "../wire/reply.ts";
import type { StoreRequest } from "../wire/request.ts";
import { createImageCache, type ImageCacheOptions } from "./image-cache.ts";
import { type ImageSize, parseImageSize } from "./image-size.ts";
import { type ResizeResult, resizeImage } from "./resize-image.ts";

/** Provides images in the sizes that pages request. Each size is created once and cached on the disk. */
export interface ResizedImages {
  /**
   * Returns an image in the requested size.
   * @param source path of the original image on the disk, which visitors cannot choose
   * @param context `cacheControl` is for the response; `content` is the original, if it has already been read
   * @returns "original" if the image needs no resizing or cannot be resized; "busy" if resizing takes too long or the
   * visitor requested too many images, so the original is sent for now
   */
  resize(
    source: string,
    size: ImageSize,
    context: {
      readonly cacheControl: string;
      readonly client: Pick<Client, "address">;
      readonly content?: { readonly bytes: Uint8Array; readonly version: string };
    },
  ): Promise<Reply | "original" | "busy">;
  /** Stops resizing. Images that finish within two seconds are still saved. */
  close(): Promise<void>;
}

export function createResizedImages(
  options: ImageCacheOptions & {
    readonly limits: Pick<RateLimits, "consume" | "refund">;
    readonly log: Pick<Log, "warn" | "recurring">;
  },
): ResizedImages {
  const { limits, log, now } = options;
  const cache = createImageCache(options);
  const jobSlots = createJobSlots({
    name: "image_resizes",
    capacity: MAX_CONCURRENT_RESIZES,
    maxQueueLength: MAX_QUEUED_RESIZES,
    ownerMaxQueueLength: MAX_QUEUED_RESIZES_PER_ADDRESS,
  });
  const activeResizes = new Map<string, Promise<ResizeResult>>();
  /** Keys of images that need no resizing or cannot be resized. */
  const failedImageKeys = createCache<string, true>({ name: "unresizable_images", maxWeight: MAX_UNRESIZABLE_IMAGES });
  let isClosed = false;

  const resizeAndCache = async (
    source: string | Uint8Array,
    size: ImageSize,
    { key, name, file }: ImageKey,
  ): Promise<ResizeResult> => {
    const result = await resizeImage(source, size).catch((error: unknown) => {
      log.recurring({ error }, `${file}: the image could not be resized, so the original is sent`);
      return undefined;
    });
    if (isClosed) return result;
    if (result !== undefined) await cache.put(name, result.bytes);
    else failedImageKeys.set(key, true);
    return result;
  };
  /**
   * Starts resizing an image.
   * @returns undefined if the queue is full, or the visitor has requested too many images
   */
  const startResize = (
    source: string | Uint8Array,
    size: ImageSize,
    name: ImageKey,
    address: string,
  ): Promise<ResizeResult> | undefined => {
    const addressBlock = findAddressBlock(address);
    if (!limits.consume("resized image by address", addressBlock, now())) return undefined;
    const slot = jobSlots.acquire(addressBlock);
    if (slot === undefined) {
      limits.refund("resized image by address", addressBlock, now());
      return undefined;
    }
    const resize = async (): Promise<ResizeResult> => {
      using _ = await slot;
      return await resizeAndCache(source, size, name);
    };
    const pendingResize = resize().finally(() => activeResizes.delete(name.key));
    activeResizes.set(name.key, pendingResize);
    return pendingResize;
  };
  return {
    async resize(source, size, { cacheControl, client, content }) {
      const extension = extname(source).toLowerCase();
      if (!resizableExtensions.has(extension)) return "original";
      const fileStats = await stat(source).catch(ignoreNotFound);
      if (fileStats === undefined) return "original";
      const version = content === undefined ? [fileStats.mtimeMs, fileStats.size] : [content.version];
      const key = hash("sha256", JSON.stringify([RESIZER_VERSION, source, ...version, size]), "hex").slice(0, 32);
      const format = size.format ?? extension.slice(1);
      const name = `${key.slice(0, 2)}/${key}.${extensions.get(format) ?? format}`;
      const headers = {
        "content-type": `image/${typesByFormat.get(format) ?? format}`,
        "cache-control": cacheControl,
        etag: `"${key}"`,
        vary: "Accept",
      };
      const file = await cache.find(name);
      if (file !== undefined) return { status: 200, headers, body: file };
      if (failedImageKeys.get(key) === true) return "original";
      const pendingResize =
        activeResizes.get(key) ??
        startResize(content?.bytes ?? source, size, { key, name, file: source }, client.address);
      // Requests that exceed the limit also wait, to slow down clients that send requests in quick succession.
      const resizeTimeout = setTimeout(MAX_RESIZE_WAIT_MS, "busy" as const, { ref: false });
      const result = await (pendingResize === undefined ? resizeTimeout : Promise.race([pendingResize, resizeTimeout]));
      if (result === "busy") return result;
      return result === undefined ? "original" : { status: 200, headers, body: result.bytes };
    },
    async close() {
      await Promise.race([jobSlots.close(), setTimeout(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
      isClosed = true;
      await cache.waitForWrites();
    },
  };
}

interface ImageKey {
  /** Cache key, derived from the original and the requested size. */
  readonly key: string;
  /** Name of the cached file. */
  readonly name: string;
  /** Path of the original, for the log. */
  readonly file: string;
}

/** Returns the image size in a request's query, in a format that the client supports. */
export function parseRequestedSize(request: Pick<StoreRequest, "query" | "headers">): ImageSize | undefined {
  return parseImageSize(
    request.query,
    /\bimage\/webp\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(request.headers.accept ?? ""),
  );
}

/** Extensions of files that can be resized. SVG needs no resizing, and GIF may be animated. */
const resizableExtensions: ReadonlySet<string> = new Set([".jpg", ".jpeg", ".png", ".webp", ".avif"]);
const extensions: ReadonlyMap<string, string> = new Map([
  ["pjpg", "jpg"],
  ["jpeg", "jpg"],
]);
const typesByFormat: ReadonlyMap<string, string> = new Map([
  ["jpg", "jpeg"],
  ["pjpg", "jpeg"],
]);
/** Version of the resizing code. After an increase, all images are created again. */
const RESIZER_VERSION = 2;
/**
 * Maximum time in milliseconds that a visitor waits. After that, the original is sent, and the resized image is saved
 * for later requests.
 */
const MAX_RESIZE_WAIT_MS = 1_000;
/** Maximum milliseconds that closing waits for images in progress. */
const CLOSE_TIMEOUT_MS = 2_000;
/** Maximum number of images that are resized at the same time. It leaves one processor free for requests. */
const MAX_CONCURRENT_RESIZES = Math.max(1, Math.min(2, availableParallelism() - 1));
/** Maximum number of images that wait for resizing, in total and for each visitor. A page has dozens of images. */
const MAX_QUEUED_RESIZES = 200;
const MAX_QUEUED_RESIZES_PER_ADDRESS = 30;
const MAX_UNRESIZABLE_IMAGES = 10_000;
