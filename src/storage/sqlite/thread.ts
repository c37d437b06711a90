import type { MessagePort } from "node:worker_threads";
import { watchDeadlines } from "../../deadlines.ts";
import {
  CommitInDoubt,
  DatabaseUnavailable,
  LockTimeout,
  type SqlRow,
  type Statement,
  WriteConflict,
  WriteNotStarted,
} from "../database.ts";
import { type Outcome, packJobs, unpackOutcome } from "./batch.ts";
import { createGroupHold } from "./group-hold.ts";
import { type Link, type LinkEvents, openPort, startThread } from "./link.ts";
import type { Role, WorkerOptions } from "./worker.ts";

/** Client of a thread that has a database connection. */
export interface SqliteClient {
  /**
   * Runs a job. Jobs that arrive while others run form a group. A job starts when its group is sent to the thread.
   * @param beginBy see `Database.write`
   * @returns the rows of each statement
   */
  run(statements: readonly Statement[], beginBy?: number): Promise<readonly (readonly SqlRow[])[]>;
  /** Completes all jobs, then closes the connection if this thread owns it. */
  close(): Promise<void>;
}

/** Client of a thread that the current thread owns. */
export interface SqliteThread extends SqliteClient {
  /** Ends the thread immediately, as a crash would. The next job starts a new thread. */
  kill(): Promise<void>;
  /** Connects another thread to the database connection.  @param port a port from `connectSqliteThread` */
  connect(port: MessagePort): void;
}

/** Receives the number of jobs in a group and the milliseconds of its commit. */
export type OnGroup = (jobs: number, ms: number) => void;

interface Job {
  readonly statements: readonly Statement[];
  readonly resolve: (rows: readonly (readonly SqlRow[])[]) => void;
  readonly reject: (error: Error) => void;
  readonly beginBy: number;
}

/** Maximum jobs in a group. More jobs would not make an fsync cheaper, but the first would wait longer. */
const MAX_GROUP = 500;

/** Creates the client of a new thread. The thread starts at the first job, and again after a crash. */
export function startSqliteThread(options: WorkerOptions, onGroup?: OnGroup): SqliteThread {
  const { client, link, openLink } = createClient(options.role, (events) => startThread(options, events), onGroup);
  return {
    ...client,
    kill: async () => link()?.kill(),
    connect: (port) => openLink().connect(port),
  };
}

/** Creates the client of a thread that another thread owns.  @param pass sends a port to that owner, for `connect` */
export function connectSqliteThread(role: Role, pass: (port: MessagePort) => void, onGroup?: OnGroup): SqliteClient {
  return createClient(role, (events) => openPort(pass, events), onGroup).client;
}

interface Opened<L extends Link> {
  readonly client: SqliteClient;
  /** Returns the current link. */
  readonly link: () => L | undefined;
  readonly openLink: () => L;
}

function createClient<L extends Link>(
  role: Role,
  open: (events: LinkEvents) => L,
  onGroup: OnGroup | undefined,
): Opened<L> {
  let link: L | undefined;
  const queue = new Set<Job>();
  let inFlight: Job[] = [];
  let sentAt = 0;
  let isScheduled = false;
  const hold = role === "writer" ? createGroupHold() : undefined;
  let closing: Promise<void> | undefined;
  let whenIdle: (() => void) | undefined;

  /**
   * Sends the next group at the end of the event loop iteration, or some iterations later, so that several requests
   * share a group.
   */
  const schedule = (): void => {
    if (isScheduled || inFlight.length > 0 || queue.size === 0) return;
    isScheduled = true;
    const since = performance.now();
    let [seen, lastAt] = [queue.size, since];
    setImmediate(function handOver() {
      const now = performance.now();
      if (queue.size !== seen) [seen, lastAt] = [queue.size, now];
      if (hold?.isHeld(seen, now - since, now - lastAt)) {
        setImmediate(handOver);
        return;
      }
      isScheduled = false;
      inFlight = takeGroup();
      if (inFlight.length === 0) {
        whenIdle?.();
        return;
      }
      const opened = openLink();
      opened.hold(true);
      sentAt = performance.now();
      opened.send(packJobs(inFlight.map((job) => job.statements)));
    });
  };
  const takeGroup = (): Job[] => {
    dropLate(performance.now());
    const group = [...queue.values().take(MAX_GROUP)];
    for (const job of group) queue.delete(job);
    return group;
  };
  const dropLate = (now: number): number => {
    let next = Number.POSITIVE_INFINITY;
    for (const job of queue) {
      if (job.beginBy > now) {
        next = Math.min(next, job.beginBy);
        continue;
      }
      queue.delete(job);
      job.reject(new WriteNotStarted("the write could not start in time: the disk is too slow"));
    }
    return next;
  };
  const watch = watchDeadlines(dropLate);
  /** Ends the current group.  @param settle returns false for a job to retry */
  const finish = (settle: (job: Job, index: number) => boolean): void => {
    const done = inFlight;
    inFlight = [];
    const again = done.filter((job, index) => !settle(job, index));
    if (again.length > 0) {
      const later = [...queue];
      queue.clear();
      for (const job of [...again, ...later]) queue.add(job);
      for (const { beginBy } of again) watch(beginBy);
    }
    // An idle thread does not keep the process alive.
    link?.hold(false);
    schedule();
    if (inFlight.length === 0 && queue.size === 0) whenIdle?.();
  };
  const openLink = (): L => {
    if (link !== undefined) return link;
    const opened = open({
      onOutcomes(outcomes) {
        const ms = performance.now() - sentAt;
        onGroup?.(inFlight.length, ms);
        hold?.committed(inFlight.length, queue.size, ms);
        finish((job, index) => {
          const outcome = outcomes[index];
          const unpacked = outcome === undefined ? noOutcome : unpackOutcome(outcome, job.statements);
          if (unpacked.kind === "locked" && mayTryAgain(job)) return false;
          settle(job, unpacked);
          return true;
        });
      },
      onEnd() {
        if (link !== opened) return;
        link = undefined;
        finish((job) => {
          job.reject(new CommitInDoubt("the database's thread ended"));
          return true;
        });
      },
    });
    opened.hold(false);
    link = opened;
    return opened;
  };

  const client: SqliteClient = {
    run: (statements, beginBy = Number.POSITIVE_INFINITY) =>
      new Promise((resolve, reject) => {
        if (closing !== undefined) {
          reject(new DatabaseUnavailable("the database is closed"));
          return;
        }
        const job: Job = { statements, resolve, reject, beginBy };
        queue.add(job);
        watch(beginBy);
        schedule();
      }),
    close() {
      closing ??= (async () => {
        if (inFlight.length > 0 || queue.size > 0) await new Promise<void>((done) => (whenIdle = done));
        const last = link;
        link = undefined;
        await last?.close();
      })();
      return closing;
    },
  };
  return { client, link: () => link, openLink };
}

/** Milliseconds before its deadline after which a locked write is not retried, because an attempt takes that long. */
const LAST_TRY_MS = 1_000;

/** Returns whether to wait for a lock again. The write did not start, so the order of writes is unchanged. */
function mayTryAgain({ beginBy }: Job): boolean {
  return Number.isFinite(beginBy) && performance.now() < beginBy - LAST_TRY_MS;
}

const noOutcome: Outcome = { kind: "bug", message: "no outcome" };

function settle(job: Job, outcome: Outcome): void {
  if (outcome.kind === "rows") job.resolve(outcome.rows);
  else if (outcome.kind === "conflict") job.reject(new WriteConflict("a condition of the write failed"));
  else if (outcome.kind === "locked") job.reject(new LockTimeout(outcome.message));
  else if (outcome.kind === "unavailable") job.reject(new DatabaseUnavailable(outcome.message));
  else job.reject(new Error(`SQLite: ${outcome.message}`));
}
