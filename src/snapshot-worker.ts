import { parentPort, workerData } from "node:worker_threads";
import type { PackedBase } from "./catalog/packed-catalog.ts";
import { type BuiltBase, type BuiltDelta, buildBase, buildDelta, type Locales } from "./snapshot-build.ts";
import { openSqliteCatalog } from "./storage/sqlite-catalog.ts";

/** What is to be built. */
export interface BuildTask {
  /** The SQLite file. */
  readonly file: string;
  readonly locales: Locales;
  /** Build what changed since then; absent: all. */
  readonly since?: PackedBase;
}

export type BuildResult = { readonly base: BuiltBase } | { readonly delta: BuiltDelta | undefined };

if (parentPort !== null) parentPort.postMessage(build(workerData as BuildTask));

function build({ file, locales, since }: BuildTask): BuildResult {
  const reader = openSqliteCatalog(file);
  try {
    return since === undefined ? { base: buildBase(reader, locales) } : { delta: buildDelta(reader, since, locales) };
  } finally {
    reader.close();
  }
}
