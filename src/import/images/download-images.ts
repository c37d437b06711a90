import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DownloadError, type DownloadLimits, downloadImage } from "./download-image.ts";
import { formatLocalName, getLocalFolder } from "./local-images.ts";

export interface ImageLimits extends DownloadLimits {
  /** Maximum number of concurrent downloads. */
  readonly concurrency: number;
  readonly maxImages: number;
  /** Maximum total bytes of all images. */
  readonly maxTotalBytes: number;
}

/** Defaults for product images over a slow connection. */
export const defaultLimits: ImageLimits = {
  maxBytes: 20_000_000,
  timeoutMs: 30_000,
  trustedHosts: new Set(),
  concurrency: 6,
  maxImages: 100_000,
  maxTotalBytes: 50_000_000_000,
};

export interface FailedDownload {
  readonly src: string;
  /** Reason for the failure. Messages show it after the URL. */
  readonly reason: string;
}

/** A host with this number of consecutive failures is not contacted again. */
const MAX_FAILURES_IN_A_ROW = 8;
const MAX_ATTEMPTS = 2;

/**
 * Downloads images into a store's `media/fetched/`. Only complete files are stored there, so an interrupted run can be
 * continued.
 * @param onDone called after each image, downloaded or failed
 * @returns the failed downloads
 */
export async function downloadImages(
  storeDir: string,
  sources: readonly string[],
  limits: ImageLimits,
  onDone: () => void = () => {},
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly FailedDownload[]> {
  const folder = getLocalFolder(storeDir);
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) if (name.endsWith(".part")) await rm(join(folder, name), { force: true });
  const failures: FailedDownload[] = sources
    .slice(limits.maxImages)
    .map((src) => ({ src, reason: `was not requested: the limit is ${limits.maxImages} images per run` }));
  const remainingUrls = sources.slice(0, limits.maxImages).values();
  const failuresByHost = new Map<string, number>();
  let totalBytes = 0;
  const downloadWithRetry = async (src: string): Promise<void> => {
    const host = URL.parse(src, "https://none.invalid")?.host ?? "";
    for (let attempt = 1; ; attempt += 1) {
      if ((failuresByHost.get(host) ?? 0) >= MAX_FAILURES_IN_A_ROW)
        throw new DownloadError(`was not requested: ${host} failed ${MAX_FAILURES_IN_A_ROW} times in a row`);
      if (totalBytes >= limits.maxTotalBytes)
        throw new DownloadError(`was not requested: the limit is ${limits.maxTotalBytes / 1e9} GB per run`);
      try {
        const { bytes, format } = await downloadImage(src, limits, signal);
        failuresByHost.delete(host);
        totalBytes += bytes.length;
        const name = formatLocalName(src, await readImageSize(bytes), format);
        const partialPath = join(folder, `.${name}.part`);
        await writeFile(partialPath, bytes).then(() => rename(partialPath, join(folder, name)));
        return;
      } catch (error) {
        if (!(error instanceof DownloadError)) throw error;
        if (!error.isTransient) failuresByHost.delete(host);
        else failuresByHost.set(host, (failuresByHost.get(host) ?? 0) + 1);
        if (!error.isTransient || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  };
  const runWorker = async (): Promise<void> => {
    for (const src of remainingUrls) {
      if (signal.aborted) return;
      try {
        await downloadWithRetry(src);
      } catch (error) {
        if (!(error instanceof DownloadError)) throw error;
        failures.push({ src, reason: error.message });
      }
      onDone();
    }
  };
  await Promise.all(Array.from({ length: limits.concurrency }, runWorker));
  return failures;
}

/** Returns the displayed size of an image in pixels.  @throws DownloadError if it cannot be decoded */
async function readImageSize(bytes: Buffer): Promise<{ width: number; height: number }> {
  const { default: sharp } = await import("sharp");
  try {
    const { autoOrient } = await sharp(bytes, { limitInputPixels: 100_000_000 }).metadata();
    return autoOrient;
  } catch {
    throw new DownloadError("is damaged: it cannot be decoded");
  }
}
