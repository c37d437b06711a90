import { hash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Row } from "../../catalog/catalog.ts";
import { decodeEntities } from "../../catalog/html-text.ts";
import type { Image } from "../../catalog/product.ts";
import { handleOf } from "../../catalog/rows/identity.ts";
import { ignoreNotFound } from "../../not-found.ts";
import { decodeUriPart } from "../../runtime/decode-uri.ts";

/**
 * Copies of remote images in a store's `media/`. File names contain the hash of the URL and the image size, so that
 * every import finds the copies, even after the folder moved to another machine:
 *
 *     media/fetched/ | salt-mug | - | 20 hex digits of the URL's SHA-256 | - | 1200x1600 | .jpg
 */
export interface LocalImages {
  has(src: string): boolean;
  /** Replaces the URLs of remote images in a row by the paths of their local copies. */
  rewrite(row: Row): Row;
}

/** Folder of the copies below `media/`. */
const FETCHED_FOLDER_NAME = "fetched";
const fileNamePattern = /-([0-9a-f]{20})-(\d{1,6})x(\d{1,6})\.(?:jpg|png|gif|webp|avif)$/;
const MAX_NAME_LENGTH = 40;
/** Matches an `img` tag: the part before the URL, the quote, and the URL. */
const htmlImagePattern = /(<img\b(?:[^>]{0,2000}?\s)?src\s*=\s*)(["'])([^"'<>]{1,2000})\2/gi;

export function getLocalFolder(storeDir: string): string {
  return join(storeDir, "media", FETCHED_FOLDER_NAME);
}

/** Returns true for the URL of an image on another server. */
function isRemoteUrl(src: string): boolean {
  return /^(?:https?:)?\/\/[^/]/i.test(src);
}

/** Returns the file name of a copied image, with its size in pixels. */
export function formatLocalName(
  src: string,
  { width, height }: { width: number; height: number },
  format: string,
): string {
  const [path = ""] = src.split(/[?#]/, 1);
  const fileName = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w{1,5}$/, "");
  const name = handleOf(decodeUriPart(fileName, fileName)).slice(0, MAX_NAME_LENGTH) || "picture";
  return `${name}-${imageKeyOf(src)}-${width}x${height}.${format}`;
}

/**
 * Returns a function that returns the local copies of remote images. It reads the folder only if the folder changed.
 */
export function watchLocalImages(storeDir: string): () => Promise<LocalImages> {
  const folder = getLocalFolder(storeDir);
  let cachedListing: { readonly modifiedAt: number | undefined; readonly images: LocalImages } | undefined;
  return async () => {
    const modificationTime = (await stat(folder).catch(ignoreNotFound))?.mtimeMs;
    if (cachedListing === undefined || cachedListing.modifiedAt !== modificationTime)
      cachedListing = {
        modifiedAt: modificationTime,
        images: findImages((await readdir(folder).catch(ignoreNotFound)) ?? []),
      };
    return cachedListing.images;
  };
}

export function readLocalImages(storeDir: string): Promise<LocalImages> {
  return watchLocalImages(storeDir)();
}

/** Selects the copies of remote images from the file names of a folder. */
function findImages(names: readonly string[]): LocalImages {
  const imagesByKey = new Map<string, Image>();
  for (const name of names) {
    const [, key, width, height] = fileNamePattern.exec(name) ?? [];
    if (key === undefined) continue;
    const src = `/media/${FETCHED_FOLDER_NAME}/${encodeURIComponent(name)}`;
    imagesByKey.set(key, { src, width: Number(width), height: Number(height) });
  }
  const findLocalImage = (src: string): Image | undefined =>
    imagesByKey.size > 0 && isRemoteUrl(src) ? imagesByKey.get(imageKeyOf(src)) : undefined;
  const replaceImage = <I extends Image>(image: I): I => ({ ...image, ...findLocalImage(image.src) });
  const replaceUrls = (html: string): string =>
    html.replace(htmlImagePattern, (tag, tagStart: string, quote: string, src: string) => {
      const localImage = findLocalImage(decodeEntities(src));
      return localImage === undefined ? tag : `${tagStart}${quote}${localImage.src}${quote}`;
    });
  return {
    has: (src) => findLocalImage(src) !== undefined,
    rewrite(row) {
      if (imagesByKey.size === 0) return row;
      switch (row.kind) {
        case "product": {
          const variants = row.variants.map((variant) => {
            const localImage = variant.image === undefined ? undefined : findLocalImage(variant.image);
            return localImage === undefined ? variant : { ...variant, image: localImage.src };
          });
          return {
            ...row,
            variants,
            images: row.images.map(replaceImage),
            description: replaceUrls(row.description),
          };
        }
        case "collection":
          return { ...row, ...toImageField(row.image, replaceImage), description: replaceUrls(row.description) };
        case "article":
          return { ...row, ...toImageField(row.image, replaceImage), content: replaceUrls(row.content) };
        case "page":
          return { ...row, content: replaceUrls(row.content) };
        default:
          return row;
      }
    },
  };
}

function toImageField(image: Image | undefined, replaceImage: (image: Image) => Image): { readonly image?: Image } {
  return image === undefined ? {} : { image: replaceImage(image) };
}

/** Returns the URLs of all remote images of a row, including images in its HTML. */
export function listRemoteImageUrls(row: Row): readonly string[] {
  const images = row.kind === "product" ? row.images : "image" in row && row.image !== undefined ? [row.image] : [];
  const html = "description" in row ? row.description : "content" in row ? row.content : "";
  const htmlUrls = [...html.matchAll(htmlImagePattern)].map(([, , , src = ""]) => decodeEntities(src));
  return [...images.map(({ src }) => src), ...htmlUrls].filter(isRemoteUrl);
}

function imageKeyOf(src: string): string {
  return hash("sha256", src.startsWith("//") ? `https:${src}` : src, "hex").slice(0, 20);
}
