import { extname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Log } from "../observability/log.ts";
import { type Poll, poll } from "../runtime/poll.ts";
import { filesOfStore, stampOf } from "./catalog-files.ts";
import { importedStamp } from "./imported-rows.ts";
import type { EditsOutcome, EditsTask } from "./take-edits.ts";

/** Milliseconds between looks at the files' times and sizes. Files count once they are alike at two looks: until then they are being saved. */
const POLL_MS = 500;
/** Milliseconds for which what is under way may end when the server stops; an import that is cut off holds up others until its lease is over. */
const LAST_MS = 2_000;
/** Milliseconds until what failed, though not for its rows, is tried again. */
const RETRY_MS = 5_000;

/** Follows the edits of a store's `catalog/` while it is served: takes them into the store as an import would, in a thread of its own, and
 *  tells the log of faults. @param onFaults told the faults of each edit, none where it was taken */
export function watchCatalogFiles(
  task: EditsTask,
  log: Log,
  onFaults: (errors: readonly string[]) => void,
): Pick<Poll, "close"> {
  let worker: Worker | undefined;
  let taking: Promise<unknown> | undefined;
  /** Of the files that are taken, or refused for their faults. */
  let done: string | undefined;
  let before: string | undefined;

  const take = (): Promise<EditsOutcome> =>
    new Promise((resolve, reject) => {
      worker = new Worker(workerFile, { workerData: task });
      worker.once("message", resolve).once("error", reject);
      worker.once("exit", () => reject(new Error("the thread that takes edits ended before it was done")));
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
    const asked = take();
    taking = asked.catch(() => undefined);
    const outcome = await asked;
    if (outcome === "busy") return;
    retryAt = 0;
    done = stamp;
    onFaults("errors" in outcome ? outcome.errors : []);
    if ("errors" in outcome)
      for (const error of outcome.errors) log.warn({}, `an edit of the catalogue was not taken: ${error}`);
    else {
      for (const line of outcome.told) log.warn({}, line.trim());
      log.info({ count: outcome.changed + outcome.removed }, "edits of the catalogue were taken");
    }
  });
  return {
    async close() {
      const stopped = job.close();
      // A worker that is waited for must keep the process alive.
      worker?.ref();
      await Promise.race([taking, sleep(LAST_MS, undefined, { ref: false })]);
      await worker?.terminate();
      await stopped;
    },
  };
}

const workerFile = new URL(`./take-edits${extname(import.meta.url)}`, import.meta.url);
