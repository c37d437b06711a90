import { parentPort, workerData } from "node:worker_threads";
import { TextDamagedError } from "../catalog/packed/texts.ts";
import { lowerThreadPriority } from "../priority.ts";
import type { CatalogDatabase } from "../storage/catalog/catalog-reader.ts";
import { explainReadError, openCatalogReader } from "../storage/open-database.ts";
import { buildDeltaLayer, type DeltaLayer, type Locales } from "./build.ts";
import { saveDelta } from "./delta-file.ts";
import { addDeletes, type DocumentDeletes, documentsOf, type OlderLayers } from "./layers.ts";

/** Parameters of the thread that indexes catalog changes. */
export interface IndexerOptions {
  readonly source: CatalogDatabase;
  readonly locales: Locales;
  /** Whether the thread leaves the processor to requests. */
  readonly isLowPriority: boolean;
}

/** Catalog changes with their index. They become the newest layer of the search index. */
export interface DeltaBuildResult {
  readonly createdLayer: DeltaLayer;
  /** For each layer, the documents that newer layers replace. The new delta is the newest layer. */
  readonly deletes: DocumentDeletes;
}

/**
 * A task of the thread. Without `addedDeltas`, it builds a delta with the changes since `lowerLayers`. With
 * `addedDeltas`, it computes which documents of each layer become obsolete when these deltas are added. With
 * `savedDelta`, it writes a delta to a file.
 */
export type IndexerTask =
  | { readonly lowerLayers: OlderLayers; readonly addedDeltas?: readonly DeltaLayer[] }
  | { readonly savedDelta: DeltaLayer; readonly path: string; readonly version: string };

const port = parentPort;
if (port !== null) {
  if ((workerData as IndexerOptions).isLowPriority) lowerThreadPriority();
  // An error ends the thread, which rejects the pending builds.
  port.on("message", async (task: IndexerTask) => port.postMessage(await runTask(task)));
}

function runTask(task: IndexerTask): unknown {
  if ("savedDelta" in task) return saveDelta(task.path, task.version, task.savedDelta);
  return task.addedDeltas === undefined
    ? buildLayer(workerData as IndexerOptions, task.lowerLayers)
    : computeDeletes(task.lowerLayers, task.addedDeltas);
}

/** Builds a delta: the catalog changes since the newest of the given layers (full build and deltas). */
async function buildLayer(
  { source, locales }: IndexerOptions,
  olderLayers: OlderLayers,
): Promise<DeltaBuildResult | undefined> {
  const { base, deltas } = olderLayers;
  using reader = await openCatalogReader(source, deltas.at(-1)?.revision ?? base.revision);
  try {
    const deltaLayer = buildDeltaLayer(reader, base, deltas, locales);
    return deltaLayer && { createdLayer: deltaLayer, deletes: addDeletes(olderLayers, deltaLayer) };
  } catch (error) {
    if (error instanceof TextDamagedError) return undefined;
    throw explainReadError(source, error);
  }
}

function computeDeletes(olderLayers: OlderLayers, addedLayers: readonly DeltaLayer[]): DocumentDeletes {
  let { documents, deletes } = olderLayers;
  for (const addedLayer of addedLayers) {
    deletes = addDeletes({ documents, deletes }, addedLayer);
    documents = [...documents, documentsOf(addedLayer.segment)];
  }
  return deletes;
}
