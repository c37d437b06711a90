import { parentPort, workerData } from "node:worker_threads";
import type { PackedBase } from "../catalog/packed/packed-catalog.ts";
import { TextDamaged } from "../catalog/packed/texts.ts";
import { letOtherThreadsFirst } from "../priority.ts";
import type { CatalogSource } from "../storage/catalog/catalog-reader.ts";
import { explainRead, openCatalogReader } from "../storage/catalog/open-reader.ts";
import { type BuiltDelta, buildDelta, type Locales } from "./build.ts";

/** What the thread is started with. */
export interface DeltaSource {
  readonly source: CatalogSource;
  readonly locales: Locales;
}

const port = parentPort;
if (port !== null) {
  letOtherThreadsFirst();
  // What goes wrong ends the thread, and is told to who asked.
  port.on("message", async (base: PackedBase) => port.postMessage(await build(workerData as DeltaSource, base)));
}

/** @returns what changed since the base; undefined where only a whole build will do */
async function build({ source, locales }: DeltaSource, base: PackedBase): Promise<BuiltDelta | undefined> {
  const reader = await openCatalogReader(source, base.revision);
  try {
    return buildDelta(reader, base, locales);
  } catch (error) {
    if (error instanceof TextDamaged) return undefined;
    throw explainRead(source, error);
  } finally {
    reader.close();
  }
}
