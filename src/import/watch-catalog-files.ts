import { extname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Log } from "../observability/log.ts";
import { type PollLoop, poll } from "../runtime/poll.ts";
import { computeVersionKey, listStoreFiles } from "./catalog-files.ts";
import type { ImportOutcome, ImportTask } from "./import-edits.ts";
import { readImportedVersionKey } from "./imported-rows.ts";

/**
 * Milliseconds between polls of the files' times and sizes. An edit is imported after two equal polls, because an
 * editor may still be writing the file at the first one.
 */
const POLL_INTERVAL_MS = 500;
/**
 * Milliseconds for which an import may continue when the server stops. An interrupted import blocks others until its
 * lease expires.
 */
const LAST_IMPORT_TIMEOUT_MS = 2_000;
/** Milliseconds before an import is retried after an error other than invalid rows. */
const RETRY_DELAY_MS = 5_000;

/**
 * Imports edits of a running store's `catalog/` in a separate thread, and logs their errors.
 * @param onErrors receives the errors of each edit, or an empty list if it was imported
 */
export function watchCatalogFiles(
  task: ImportTask,
  log: Log,
  onErrors: (errors: readonly string[]) => void,
): Pick<PollLoop, "close"> {
  let worker: Worker | undefined;
  let currentImport: Promise<unknown> | undefined;
  /** Fingerprint of the files that were last imported or rejected. */
  let importedVersionKey: string | undefined;
  let previousVersion: string | undefined;

  const importEdits = (): Promise<ImportOutcome> =>
    new Promise((resolve, reject) => {
      worker = new Worker(workerFile, { workerData: task });
      worker.once("message", resolve).once("error", reject);
      worker.once("exit", () => reject(new Error("the thread that imports edits ended early")));
      worker.unref();
    });
  let nextRetryTime = 0;
  const job = poll({ name: "importing edits of the catalog", intervalMs: POLL_INTERVAL_MS, log }, async () => {
    importedVersionKey ??= await readImportedVersionKey(task.storeDir);
    const versionKey = await computeVersionKey(await listStoreFiles(task.storeDir));
    const isStable = versionKey === previousVersion;
    previousVersion = versionKey;
    if (versionKey === importedVersionKey || !isStable || performance.now() < nextRetryTime) return;
    nextRetryTime = performance.now() + RETRY_DELAY_MS;
    const importResult = importEdits();
    currentImport = importResult.catch(() => undefined);
    const outcome = await importResult;
    if (outcome.kind === "busy") return;
    nextRetryTime = 0;
    importedVersionKey = versionKey;
    onErrors(outcome.kind === "errors" ? outcome.errors : []);
    if (outcome.kind === "errors")
      for (const error of outcome.errors) log.warn({}, `an edit of the catalog was rejected: ${error}`);
    else {
      for (const line of outcome.notices) log.warn({}, line.trim());
      log.info({ count: outcome.count }, "edits of the catalog were imported");
    }
  });
  return {
    async close() {
      const closePromise = job.close();
      // While the server waits for the worker to stop, the worker must keep the process alive.
      worker?.ref();
      await Promise.race([currentImport, sleep(LAST_IMPORT_TIMEOUT_MS, undefined, { ref: false })]);
      await worker?.terminate();
      await closePromise;
    },
  };
}

const workerFile = new URL(`./import-edits${extname(import.meta.url)}`, import.meta.url);
