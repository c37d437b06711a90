import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { schema } from "../../src/predictive-search/schema.ts";
import type { Segment } from "../../src/search/index/segment.ts";
import { createSegmentBuilder } from "../../src/search/index/segment-builder.ts";
import type { SearchIndex } from "../../src/search/search-index.ts";
import { Searcher } from "../../src/search/searcher.ts";
import { bytesIn } from "../../src/snapshot/size.ts";
import { readFlat } from "../flat-documents.ts";

/** The one type of document in it. */
export const product = 0;

/** An index of flat documents, built as the server builds it: in a thread of its own, whose memory is given back.
 *  @returns it, and how many bytes it has */
export async function openVitrineIndex(
  documents: string,
  locale: string,
): Promise<{ readonly index: SearchIndex; readonly bytes: number }> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { documents, locale } });
  const segment = await new Promise<Segment>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  await worker.terminate();
  const index = new Searcher(schema).open([{ segment }], { synonyms: [], popular: [] });
  return { index, bytes: bytesIn(segment) };
}

async function buildSegment(documents: string, locale: string): Promise<Segment> {
  const builder = createSegmentBuilder(schema, locale);
  for (const { number, available, popularity, values } of readFlat(documents)) {
    const fields: [number, string][] = [];
    for (let field = 0; field < values.length; field += 1)
      for (const text of values[field] ?? []) fields.push([field, text]);
    builder.add({ externalId: number, type: product, available, popularity, locale, phrases: "runs", fields });
  }
  return builder.finish();
}

if (!isMainThread) {
  const { documents, locale } = workerData as { readonly documents: string; readonly locale: string };
  parentPort?.postMessage(await buildSegment(documents, locale));
}
