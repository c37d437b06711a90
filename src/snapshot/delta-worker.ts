import { parentPort, workerData } from "node:worker_threads";
import { TextDamagedError } from "../catalog/packed/texts.ts";
import { lowerThreadPriority } from "../priority.ts";
import type { CatalogSource } from "../storage/catalog/catalog-reader.ts";
import { explainReadError, openCatalogReader } from "../storage/open-database.ts";
import { type BuiltDelta, buildDelta, type Locales } from "./build.ts";
import { type Deletes, deletesWith, documentsOf, type LayersBelow } from "./layers.ts";

/** Parameters of the thread that builds deltas. */
export interface DeltaSource {
  readonly source: CatalogSource;
  readonly locales: Locales;
}

/** A delta that becomes the top layer of the index. */
export interface PlacedDelta {
  readonly built: BuiltDelta;
  /** Deletes of all layers, including the new delta. */
  readonly deletes: Deletes;
}

/**
 * A task of the thread: build the changes since the layers below, or compute the deletes of all layers after placing
 * `above` over the others.
 */
export interface DeltaTask {
  readonly below: LayersBelow;
  readonly above?: readonly BuiltDelta[];
}

const port = parentPort;
if (port !== null) {
  lowerThreadPriority();
  // An error ends the thread, which rejects the pending builds.
  port.on("message", async (task: DeltaTask) =>
    port.postMessage(
      task.above === undefined ? await build(workerData as DeltaSource, task.below) : stack(task.below, task.above),
    ),
  );
}

/** Builds a delta of the changes since the layers below.  @returns undefined if only a full build is possible */
async function build({ source, locales }: DeltaSource, below: LayersBelow): Promise<PlacedDelta | undefined> {
  const { base, deltas } = below;
  const reader = await openCatalogReader(source, deltas.at(-1)?.revision ?? base.revision);
  try {
    const built = buildDelta(reader, base, deltas, locales);
    return built && { built, deletes: deletesWith(below, built) };
  } catch (error) {
    if (error instanceof TextDamagedError) return undefined;
    throw explainReadError(source, error);
  } finally {
    reader.close();
  }
}

function stack(below: LayersBelow, above: readonly BuiltDelta[]): Deletes {
  let { documents, deletes } = below;
  for (const one of above) {
    deletes = deletesWith({ documents, deletes }, one);
    documents = [...documents, documentsOf(one.segment)];
  }
  return deletes;
}
