import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { SingleBar } from "cli-progress";
import { loadConfig } from "../config/load-config.ts";
import { defaultLimits, downloadImages, type FailedDownload } from "../import/images/download-images.ts";
import { readLocalImages, remoteImages } from "../import/images/local-images.ts";
import { type CatalogFile, readCatalog } from "../import/read-catalog.ts";
import type { Io } from "./io.ts";

/** Maximum number of failures to print. The report file lists all of them. */
const MAX_SHOWN = 10;
const FAILURES = join("data", "images-not-fetched.txt");

export interface FetchRequest {
  /** Whether to count the images without downloading them. */
  readonly dryRun: boolean;
  /** Hosts in the merchant's network to which requests are allowed. */
  readonly trustedHosts: ReadonlySet<string>;
  /** Character encoding of the files. Default: detected for each file. */
  readonly encoding?: string;
}

/**
 * Downloads the remote images of catalog files into the store and prints the result.
 * @returns number of downloaded images
 */
export async function fetchImages(
  storeDir: string,
  files: readonly CatalogFile[],
  { dryRun, trustedHosts, ...reading }: FetchRequest,
  io: Io,
): Promise<number> {
  const { currency } = await loadConfig(resolve(storeDir));
  const home = await readLocalImages(storeDir);
  const sources = new Set<string>();
  for await (const { row } of readCatalog(files, { ...reading, currency, onError: () => {} }))
    for (const src of remoteImages(row)) if (!home.has(src)) sources.add(src);
  if (dryRun) io.stdout.write(`${counted(sources.size)} would be fetched.\n`);
  if (dryRun || sources.size === 0) return 0;
  const bar = startBar(io, sources.size);
  let missing: readonly FailedDownload[];
  try {
    missing = await downloadImages(storeDir, [...sources], { ...defaultLimits, trustedHosts }, () => bar?.increment());
  } finally {
    bar?.stop();
  }
  const fetched = sources.size - missing.length;
  io.stdout.write(`Fetched ${counted(fetched)}${missing.length === 0 ? "" : `, ${missing.length} not`}.\n`);
  if (missing.length > 0) await reportMissing(storeDir, missing, io);
  return fetched;
}

async function reportMissing(storeDir: string, missing: readonly FailedDownload[], io: Io): Promise<void> {
  const lines = missing.map(({ src, reason }) => `${src} ${reason}\n`);
  io.stderr.write(lines.slice(0, MAX_SHOWN).join(""));
  await mkdir(join(storeDir, "data"), { recursive: true });
  await writeFile(join(storeDir, FAILURES), lines.join(""));
  io.stderr.write(
    `These stay where they are, and are tried again at the next import with --fetch-images; all of them: ${FAILURES}\n`,
  );
}

function counted(count: number): string {
  return `${count} picture${count === 1 ? "" : "s"}`;
}

/** Starts a progress bar if stderr is a terminal. */
function startBar(io: Io, count: number): SingleBar | undefined {
  if (!("isTTY" in io.stderr) || io.stderr.isTTY !== true) return undefined;
  const bar = new SingleBar({
    stream: io.stderr,
    format: "Fetching pictures [{bar}] {value}/{total}, {eta_formatted} left",
    hideCursor: true,
  });
  bar.start(count, 0);
  return bar;
}
