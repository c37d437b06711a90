import { extname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Log } from "../observability/log.ts";
import { filesOfStore, stampOf } from "./catalog-files.ts";
import type { EditsOutcome, EditsTask } from "./take-edits.ts";
import { takenStamp } from "./taken-rows.ts";

/** Milliseconds between looks at the files' times and sizes. Files count once they are alike at two looks: until then they are being saved. */
const POLL_MS = 500;
/** Milliseconds for which what is under way may end when the server stops; an import that is cut off holds up others until its lease is over. */
const LAST_MS = 2_000;
/** Milliseconds until what failed, though not for its rows, is tried again. */
const RETRY_MS = 5_000;

/** Follows the edits of a store's `catalog/` while it is served: takes them into the store as an import would, in a thread of its own, and
 *  tells the log of faults. @param onFaults told the faults of each edit, none where it was taken  @returns stops it */
export function followCatalog(
  task: EditsTask,
  log: Log,
  onFaults: (faults: readonly string[]) => void,
): () => Promise<void> {
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let worker: Worker | undefined;
  let taking: Promise<unknown> | undefined;
  /** Of the files that are taken, or refused for their faults. */
  let done: string | undefined;
  let before: string | undefined;
  let isTroubleTold = false;

  const take = (): Promise<EditsOutcome> =>
    new Promise((resolve, reject) => {
      worker = new Worker(workerFile, { workerData: task });
      worker.once("message", resolve).once("error", reject);
      worker.once("exit", () => reject(new Error("the thread that takes edits ended before it was done")));
      worker.unref();
    });
  const look = async (): Promise<number> => {
    done ??= await takenStamp(task.storeDir);
    const stamp = await stampOf(await filesOfStore(task.storeDir));
    const isStill = stamp === before;
    before = stamp;
    if (stamp === done || !isStill) return POLL_MS;
    const asked = take();
    taking = asked.catch(() => undefined);
    const outcome = await asked;
    if (outcome === "busy") return RETRY_MS;
    done = stamp;
    isTroubleTold = false;
    onFaults("faults" in outcome ? outcome.faults : []);
    if ("faults" in outcome)
      for (const fault of outcome.faults) log.warn({}, `an edit of the catalogue was not taken: ${fault}`);
    else {
      for (const line of outcome.told) log.warn({}, line.trim());
      log.info({ count: outcome.changed + outcome.removed }, "edits of the catalogue were taken");
    }
    return POLL_MS;
  };
  const poll = async (): Promise<void> => {
    const wait = await look().catch((error: unknown) => {
      if (!isClosed && !isTroubleTold) log.warn({ error }, "edits of the catalogue could not be taken: tried again");
      isTroubleTold = true;
      return RETRY_MS;
    });
    if (!isClosed) timer = setTimeout(poll, wait).unref();
  };
  timer = setTimeout(poll, POLL_MS).unref();
  return async () => {
    isClosed = true;
    clearTimeout(timer);
    // What is waited for keeps the process running.
    worker?.ref();
    await Promise.race([taking, sleep(LAST_MS, undefined, { ref: false })]);
    await worker?.terminate();
  };
}

const workerFile = new URL(`./take-edits${extname(import.meta.url)}`, import.meta.url);
