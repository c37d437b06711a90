import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import {
  CommitInDoubt,
  DatabaseUnavailable,
  LockTaken,
  NotBegun,
  type SqlRow,
  type Statement,
  WriteConflict,
} from "../database.ts";
import { createGroupHold } from "./group-hold.ts";
import type { Batch, Outcome, WorkerOptions } from "./worker.ts";

/** A connection in a thread of its own. */
export interface SqliteThread {
  /** Jobs that arrive while others are under way go together. A job has begun once its group is handed to the thread.
   *  @param beginBy see `Database.write`  @returns rows of each statement */
  run(statements: readonly Statement[], beginBy?: number): Promise<readonly (readonly SqlRow[])[]>;
  /** Ends the thread at once, as a crash would; the next job starts another. */
  kill(): Promise<void>;
  /** Finishes what was asked, then ends the thread. */
  close(): Promise<void>;
}

/** Told how many jobs went together and how many milliseconds it took until they were done. */
export type OnGroup = (jobs: number, ms: number) => void;

interface Job {
  readonly statements: readonly Statement[];
  readonly resolve: (rows: readonly (readonly SqlRow[])[]) => void;
  readonly reject: (error: Error) => void;
  readonly beginBy: number;
}

/** Jobs in one group: more would not make an fsync cheaper, but their first would wait longer. */
const MAX_GROUP = 500;

/** Starts the thread at the first job, and again after it has crashed. */
export function startSqliteThread(options: WorkerOptions, onGroup?: OnGroup): SqliteThread {
  let worker: Worker | undefined;
  const queue = new Set<Job>();
  let underWay: Job[] = [];
  let sentAt = 0;
  let isScheduled = false;
  const hold = options.role === "writer" ? createGroupHold() : undefined;
  /** When jobs that wait are looked at next, whether one is too late; on the clock of `performance.now()`. */
  let lookAt = Number.POSITIVE_INFINITY;
  let closing: Promise<void> | undefined;
  let whenIdle: (() => void) | undefined;

  /** At the end of the loop's turn, so that all requests that came in with it share a group, or some turns later. */
  const schedule = (): void => {
    if (isScheduled || underWay.length > 0 || queue.size === 0) return;
    isScheduled = true;
    const since = performance.now();
    setImmediate(function handOver() {
      if (hold?.isHeld(queue.size, performance.now() - since)) {
        setImmediate(handOver);
        return;
      }
      isScheduled = false;
      underWay = takeGroup();
      if (underWay.length === 0) {
        whenIdle?.();
        return;
      }
      worker ??= start();
      worker.ref();
      sentAt = performance.now();
      worker.postMessage(underWay.map((job) => job.statements) satisfies Batch);
    });
  };
  const takeGroup = (): Job[] => {
    dropLate();
    const group = [...queue.values().take(MAX_GROUP)];
    for (const job of group) queue.delete(job);
    return group;
  };
  const dropLate = (): void => {
    const now = performance.now();
    for (const job of queue) {
      if (job.beginBy > now) continue;
      queue.delete(job);
      job.reject(new NotBegun("the disk did not come to this write in time"));
    }
  };
  /** One timer for all that wait: few are ever late. */
  const lookForLate = (at: number): void => {
    if (at >= lookAt) return;
    lookAt = at;
    setTimeout(() => {
      if (lookAt !== at) return;
      lookAt = Number.POSITIVE_INFINITY;
      dropLate();
      lookForLate(Math.min(...queue.values().map(({ beginBy }) => beginBy)));
    }, at - performance.now()).unref();
  };
  const finish = (settle: (job: Job, index: number) => void): void => {
    const done = underWay;
    underWay = [];
    done.forEach(settle);
    // An idle thread does not keep the process alive.
    worker?.unref();
    schedule();
    if (underWay.length === 0 && queue.size === 0) whenIdle?.();
  };
  const start = (): Worker => {
    const started = new Worker(workerFile, { workerData: options });
    started.on("message", (outcomes: readonly Outcome[]) => {
      const ms = performance.now() - sentAt;
      onGroup?.(underWay.length, ms);
      hold?.committed(underWay.length, queue.size, ms);
      finish((job, index) => settle(job, outcomes[index] ?? { kind: "bug", message: "no outcome" }));
    });
    const crashed = (): void => {
      if (worker !== started) return;
      worker = undefined;
      finish((job) => job.reject(new CommitInDoubt("the database's thread ended")));
    };
    started.on("error", crashed);
    started.on("exit", crashed);
    return started;
  };

  return {
    run: (statements, beginBy = Number.POSITIVE_INFINITY) =>
      new Promise((resolve, reject) => {
        if (closing !== undefined) {
          reject(new DatabaseUnavailable("the database is closed"));
          return;
        }
        const job: Job = { statements, resolve, reject, beginBy };
        queue.add(job);
        lookForLate(beginBy);
        schedule();
      }),
    async kill() {
      await worker?.terminate();
    },
    close() {
      closing ??= (async () => {
        if (underWay.length > 0 || queue.size > 0) await new Promise<void>((done) => (whenIdle = done));
        const last = worker;
        worker = undefined;
        if (last === undefined) return;
        const ended = new Promise((done) => last.once("exit", done));
        last.ref();
        last.postMessage("close" satisfies Batch);
        await ended;
      })();
      return closing;
    },
  };
}

const workerFile = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);

function settle(job: Job, outcome: Outcome): void {
  if (outcome.kind === "rows") job.resolve(outcome.rows);
  else if (outcome.kind === "conflict") job.reject(new WriteConflict("the condition of the write did not hold"));
  else if (outcome.kind === "locked") job.reject(new LockTaken(outcome.message));
  else if (outcome.kind === "unavailable") job.reject(new DatabaseUnavailable(outcome.message));
  else job.reject(new Error(`SQLite: ${outcome.message}`));
}
