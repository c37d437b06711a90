import { closeSync, openSync } from "node:fs";
import { basename } from "node:path";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { SearchIndex, Segment } from "@vitrine/search";
import { createSearcher, createSegmentBuilder } from "@vitrine/search";
import { createSegmentFile, readSegmentFile } from "@vitrine/search/file";
import { readFlat } from "../../../../bench/flat-documents.ts";
import { schema } from "../../../../src/predictive-search/schema.ts";
import type { BaseLayer } from "../../../../src/snapshot/build.ts";
import { countBytes } from "../../../../src/snapshot/size.ts";

/** Number of the document type of products. The index has no other type. */
export const productType = 0;

/**
 * Builds and opens the index of a documents file, or opens the index file of a server. The index is built in a separate
 * thread, as in the server, so that the memory of the build is released.
 * @returns the index, its segment, its size in bytes, and a function that opens it again with empty completion caches
 */
export async function openVitrineIndex(
  documents: string,
  locale: string,
): Promise<{
  readonly index: SearchIndex;
  readonly segment: Segment;
  readonly bytes: number;
  readonly reopen: () => SearchIndex;
}> {
  const segment = documents.endsWith(".index")
    ? await readIndexFile(documents)
    : await buildInProcess(documents, locale);
  const searcher = createSearcher(schema);
  const openIndex = () => searcher.open([segment], { synonyms: [], popular: [] });
  return { index: openIndex(), segment, bytes: countBytes(segment), reopen: openIndex };
}

async function readIndexFile(file: string): Promise<Segment> {
  const fd = openSync(file, "r");
  try {
    const builtIndex = (await readSegmentFile(fd, basename(file))) as BaseLayer | undefined;
    if (builtIndex === undefined) throw new Error(`${file} cannot be read as an index`);
    return builtIndex.segment;
  } finally {
    closeSync(fd);
  }
}

/** Saves an index segment in a file that `openVitrineIndex` opens. */
export function saveIndex(segment: Segment, file: string): void {
  const writer = createSegmentFile(file, basename(file));
  writer.finish({ segment });
  closeSync(writer.fd);
}

/** Builds an index segment from a documents file in a separate thread. */
export async function buildInProcess(documents: string, locale: string): Promise<Segment> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { documents, locale } });
  const segment = await new Promise<Segment>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  await worker.terminate();
  return segment;
}

async function buildSegment(documents: string, locale: string): Promise<Segment> {
  const builder = createSegmentBuilder(schema, locale);
  for (const { number, available, popularity, values } of readFlat(documents)) {
    const fields: [number, string][] = [];
    for (let field = 0; field < values.length; field += 1)
      for (const text of values[field] ?? []) fields.push([field, text]);
    builder.add({ externalId: number, type: productType, available, popularity, locale, phrases: "runs", fields });
  }
  return builder.finish();
}

if (!isMainThread) {
  const { documents, locale } = workerData as { readonly documents: string; readonly locale: string };
  parentPort?.postMessage(await buildSegment(documents, locale));
}
