import { parentPort, workerData } from "node:worker_threads";
import { TextDamagedError } from "../catalog/packed/texts.ts";
import { lowerThreadPriority } from "../priority.ts";
import type { CatalogDatabase } from "../storage/catalog/catalog-reader.ts";
import { explainReadError, openCatalogReader } from "../storage/open-database.ts";
import { buildDelta, type DeltaLayer, type Locales } from "./build.ts";
import { addDeletes, type DocumentDeletes, documentsOf, type OlderLayers } from "./layers.ts";

/** Parameters of the thread that indexes catalog changes. */
export interface DeltaSource {
  readonly source: CatalogDatabase;
  readonly locales: Locales;
}

/** Catalog changes with their index. They become the newest layer of the search index. */
export interface DeltaBuildResult {
  readonly builtDelta: DeltaLayer;
  /** For each layer, the documents that newer layers replace. The new delta is the newest layer. */
  readonly deletes: DocumentDeletes;
}

/**
 * A task of the thread. Without `addedDeltas`, it builds a delta with the changes since `layersBelow`. With
 * `addedDeltas`, it computes which documents of each layer become obsolete when these deltas are added.
 */
export interface DeltaTask {
  readonly layersBelow: OlderLayers;
  readonly addedDeltas?: readonly DeltaLayer[];
}

const port = parentPort;
if (port !== null) {
  lowerThreadPriority();
  // An error ends the thread, which rejects the pending builds.
  port.on("message", async (task: DeltaTask) =>
    port.postMessage(
      task.addedDeltas === undefined
        ? await buildLayer(workerData as DeltaSource, task.layersBelow)
        : computeDeletes(task.layersBelow, task.addedDeltas),
    ),
  );
}

/** Builds a delta: the catalog changes since the newest of the given layers (full build and deltas). */
async function buildLayer(
  { source, locales }: DeltaSource,
  lowerLayers: OlderLayers,
): Promise<DeltaBuildResult | undefined> {
  const { base, deltas } = lowerLayers;
  const reader = await openCatalogReader(source, deltas.at(-1)?.revision ?? base.revision);
  try {
    const deltaLayer = buildDelta(reader, base, deltas, locales);
    return deltaLayer && { builtDelta: deltaLayer, deletes: addDeletes(lowerLayers, deltaLayer) };
  } catch (error) {
    if (error instanceof TextDamagedError) return undefined;
    throw explainReadError(source, error);
  } finally {
    reader.close();
  }
}

function computeDeletes(lowerLayers: OlderLayers, addedLayers: readonly DeltaLayer[]): DocumentDeletes {
  let { documents, deletes } = lowerLayers;
  for (const addedLayer of addedLayers) {
    deletes = addDeletes({ documents, deletes }, addedLayer);
    documents = [...documents, documentsOf(addedLayer.segment)];
  }
  return deletes;
}
