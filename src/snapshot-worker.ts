import { parentPort, workerData } from "node:worker_threads";
import type { PackedBase } from "./catalog/packed-catalog.ts";
import { type BuiltBase, type BuiltDelta, buildBase, buildDelta, type Locales } from "./snapshot-build.ts";
import { openPostgresCatalog } from "./storage/postgres-catalog.ts";
import { type CatalogSource, openSqliteCatalog } from "./storage/sqlite-catalog.ts";

/** What is to be built. */
export interface BuildTask {
  readonly source: CatalogSource;
  readonly locales: Locales;
  /** Build what changed since then; absent: all. */
  readonly since?: PackedBase;
}

export type BuildResult = { readonly base: BuiltBase } | { readonly delta: BuiltDelta | undefined };

if (parentPort !== null) parentPort.postMessage(await build(workerData as BuildTask));

async function build({ source, locales, since }: BuildTask): Promise<BuildResult> {
  const reader =
    "file" in source ? openSqliteCatalog(source.file) : await openPostgresCatalog(source.url, since?.revision);
  try {
    return since === undefined ? { base: buildBase(reader, locales) } : { delta: buildDelta(reader, since, locales) };
  } finally {
    reader.close();
  }
}
