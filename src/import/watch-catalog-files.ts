import { extname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Log } from "../observability/log.ts";
import { type Poll, poll } from "../runtime/poll.ts";
import { filesOfStore, stampOf } from "./catalog-files.ts";
import type { EditsOutcome, EditsTask } from "./import-edits.ts";
import { importedStamp } from "./imported-rows.ts";

/** Milliseconds between polls of the files' times and sizes. An edit counts once two polls agree: until then a file is still being saved. */
const POLL_MS = 500;
/** Milliseconds for which an import in progress may finish when the server stops; an interrupted one blocks others until its lease expires. */
const LAST_MS = 2_000;
/** Milliseconds until an import is tried again that failed for other reasons than its rows. */
const RETRY_MS = 5_000;

/** Imports edits of a store's `catalog/` while it is served, in a separate thread, and logs their errors.
 *  @param onErrors receives the errors of each edit, none if it was imported */
export function watchCatalogFiles(
  task: EditsTask,
  log: Log,
  onErrors: (errors: readonly string[]) => void,
): Pick<Poll, "close"> {
  let worker: Worker | undefined;
  let running: Promise<unknown> | undefined;
  /** The stamp of the files that were imported, or rejected for their errors. */
  let done: string | undefined;
  let before: string | undefined;

  const importEdits = (): Promise<EditsOutcome> =>
    new Promise((resolve, reject) => {
      worker = new Worker(workerFile, { workerData: task });
      worker.once("message", resolve).once("error", reject);
      worker.once("exit", () => reject(new Error("the thread that imports edits ended early")));
      worker.unref();
    });
  let retryAt = 0;
  const job = poll({ name: "importing edits of the catalog", everyMs: POLL_MS, log }, async () => {
    done ??= await importedStamp(task.storeDir);
    const stamp = await stampOf(await filesOfStore(task.storeDir));
    const isStill = stamp === before;
    before = stamp;
    if (stamp === done || !isStill || performance.now() < retryAt) return;
    retryAt = performance.now() + RETRY_MS;
    const importing = importEdits();
    running = importing.catch(() => undefined);
    const outcome = await importing;
    if (outcome.kind === "busy") return;
    retryAt = 0;
    done = stamp;
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
      const stopped = job.close();
      // A worker that is waited for must keep the process alive.
      worker?.ref();
      await Promise.race([running, sleep(LAST_MS, undefined, { ref: false })]);
      await worker?.terminate();
      await stopped;
    },
  };
}

const workerFile = new URL(`./import-edits${extname(import.meta.url)}`, import.meta.url);
