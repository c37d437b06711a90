import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { loadConfig } from "../config/load-config.ts";
import { defaultLimits, downloadImages, type FailedDownload } from "../import/images/download-images.ts";
import { listRemoteImageUrls, readLocalImages } from "../import/images/local-images.ts";
import { type CatalogFile, readCatalog } from "../import/read-catalog.ts";
import type { CommandIo } from "./io.ts";
import { startProgressBar } from "./progress-bar.ts";

/** Maximum number of failures to print. The report file lists all of them. */
const MAX_PRINTED_FAILURES = 10;
const FAILURES_FILE = join("data", "images-not-fetched.txt");

export interface FetchRequest {
  /** Whether to count the images without downloading them. */
  readonly dryRun: boolean;
  /** Hosts in the merchant's network to which requests are allowed. */
  readonly trustedHosts: ReadonlySet<string>;
  /** Character encoding of the files. Default: detected for each file. */
  readonly encoding?: string | undefined;
}

/**
 * Downloads the remote images of catalog files into the store and prints the result.
 * @returns number of downloaded images
 */
export async function fetchImages(
  storeDir: string,
  files: readonly CatalogFile[],
  { dryRun, trustedHosts, ...readOptions }: FetchRequest,
  io: CommandIo,
): Promise<number> {
  const { currency } = await loadConfig(resolve(storeDir));
  const localImages = await readLocalImages(storeDir);
  const sources = new Set<string>();
  for await (const { row } of readCatalog(files, { ...readOptions, currency, onError: () => {} }))
    for (const src of listRemoteImageUrls(row)) if (!localImages.has(src)) sources.add(src);
  if (dryRun) io.stdout.write(`${formatImageCount(sources.size)} would be fetched.\n`);
  if (dryRun || sources.size === 0) return 0;
  const format = "Fetching images [{bar}] {value}/{total}, {eta_formatted} left";
  const progressBar = startProgressBar(io, format, sources.size);
  let failedDownloads: readonly FailedDownload[];
  try {
    failedDownloads = await downloadImages(storeDir, [...sources], { ...defaultLimits, trustedHosts }, () =>
      progressBar?.increment(),
    );
  } finally {
    progressBar?.stop();
  }
  const downloadedCount = sources.size - failedDownloads.length;
  io.stdout.write(
    `Fetched ${formatImageCount(downloadedCount)}${failedDownloads.length === 0 ? "" : `, ${failedDownloads.length} not`}.\n`,
  );
  if (failedDownloads.length > 0) await reportFailures(storeDir, failedDownloads, io);
  return downloadedCount;
}

async function reportFailures(
  storeDir: string,
  failedDownloads: readonly FailedDownload[],
  io: CommandIo,
): Promise<void> {
  const lines = failedDownloads.map(({ src, reason }) => `${src} ${reason}\n`);
  io.stderr.write(lines.slice(0, MAX_PRINTED_FAILURES).join(""));
  await mkdir(join(storeDir, "data"), { recursive: true });
  await writeFile(join(storeDir, FAILURES_FILE), lines.join(""));
  io.stderr.write(
    `These images keep their URLs. The next import with --fetch-images tries them again. All failures: ${FAILURES_FILE}\n`,
  );
}

function formatImageCount(count: number): string {
  return `${count} image${count === 1 ? "" : "s"}`;
}
