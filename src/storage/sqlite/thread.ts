import type { MessagePort } from "node:worker_threads";
import { watchDeadlines } from "../../deadlines.ts";
import {
  CommitInDoubtError,
  DatabaseUnavailableError,
  LockTimeout,
  type SqlRow,
  type Statement,
  WriteConflict,
  WriteNotStartedError,
} from "../database.ts";
import { type JobOutcome, packJobs, unpackOutcome } from "./batch.ts";
import { createCommitDelay } from "./commit-delay.ts";
import {
  type ChangeListener,
  connectToThread,
  startThread,
  type ThreadLink,
  type ThreadLinkCallbacks,
} from "./link.ts";
import type { ThreadRole, WorkerOptions } from "./worker.ts";

/** Sends jobs to a thread that has a database connection. */
export interface SqliteClient {
  /**
   * Runs a job. Jobs that arrive while others run form a group. A job starts when its group is sent to the thread.
   * @param startDeadline see `Database.write`
   * @returns the rows of each statement
   */
  run(statements: readonly Statement[], startDeadline?: number): Promise<readonly (readonly SqlRow[])[]>;
  /** Completes all jobs, then closes the connection if this thread owns it. */
  close(): Promise<void>;
}

/** Client of a database thread that this thread started. */
export interface SqliteThread extends SqliteClient {
  /** Ends the thread immediately, as a crash would. The next job starts a new thread. */
  kill(): Promise<void>;
  /** Connects another thread to the database connection.  @param port a port from `connectSqliteThread` */
  connect(port: MessagePort): void;
}

/** Receives the number of jobs in a group and the milliseconds of its commit. */
export type CommitListener = (jobs: number, ms: number) => void;

interface Job {
  readonly statements: readonly Statement[];
  readonly resolve: (rows: readonly (readonly SqlRow[])[]) => void;
  readonly reject: (error: Error) => void;
  readonly startDeadline: number;
}

/** Maximum jobs in a group. More jobs would not make an fsync cheaper, but the first would wait longer. */
const MAX_GROUP_JOBS = 500;

/** Creates the client of a new thread. The thread starts at the first job, and again after a crash. */
export function startSqliteThread(
  options: WorkerOptions,
  onCommit?: CommitListener,
  onChange?: ChangeListener,
): SqliteThread {
  const { client, link, openLink } = createClient(
    options.role,
    (callbacks) => startThread(options, callbacks, onChange),
    onCommit,
  );
  return {
    ...client,
    kill: async () => link()?.kill(),
    connect: (port) => openLink().connect(port),
  };
}

/**
 * Creates the client of a database thread that another thread started.
 * @param sendPort sends a port to that other thread, for `SqliteThread.connect`
 */
export function connectSqliteThread(
  role: ThreadRole,
  sendPort: (port: MessagePort) => void,
  onCommit?: CommitListener,
): SqliteClient {
  return createClient(role, (events) => connectToThread(sendPort, events), onCommit).client;
}

interface ThreadClient<L extends ThreadLink> {
  readonly client: SqliteClient;
  /** Returns the current link to the thread; undefined if there is none. */
  readonly link: () => L | undefined;
  readonly openLink: () => L;
}

function createClient<L extends ThreadLink>(
  role: ThreadRole,
  createLink: (events: ThreadLinkCallbacks) => L,
  onCommit: CommitListener | undefined,
): ThreadClient<L> {
  let link: L | undefined;
  const queue = new Set<Job>();
  let inFlightJobs: Job[] = [];
  let groupSentAt = 0;
  let isScheduled = false;
  const commitDelay = role === "writer" ? createCommitDelay() : undefined;
  let closePromise: Promise<void> | undefined;
  let onIdle: (() => void) | undefined;

  /**
   * Sends the next group at the end of the event loop iteration or a few iterations later, so that several requests
   * share a group.
   */
  const scheduleGroup = (): void => {
    if (isScheduled || inFlightJobs.length > 0 || queue.size === 0) return;
    isScheduled = true;
    const scheduledAt = performance.now();
    let [queuedJobCount, lastArrivalAt] = [queue.size, scheduledAt];
    setImmediate(function handOver() {
      const now = performance.now();
      if (queue.size !== queuedJobCount) [queuedJobCount, lastArrivalAt] = [queue.size, now];
      if (commitDelay?.shouldWait(queuedJobCount, now - scheduledAt, now - lastArrivalAt)) {
        setImmediate(handOver);
        return;
      }
      isScheduled = false;
      inFlightJobs = takeJobGroup();
      if (inFlightJobs.length === 0) {
        onIdle?.();
        return;
      }
      const openedLink = openLink();
      openedLink.keepAlive(true);
      groupSentAt = performance.now();
      openedLink.send(packJobs(inFlightJobs.map((job) => job.statements)));
    });
  };
  const takeJobGroup = (): Job[] => {
    rejectExpiredJobs(performance.now());
    const group = [...queue.values().take(MAX_GROUP_JOBS)];
    for (const job of group) queue.delete(job);
    return group;
  };
  const rejectExpiredJobs = (now: number): number => {
    let nextDeadline = Number.POSITIVE_INFINITY;
    for (const job of queue) {
      if (job.startDeadline > now) {
        nextDeadline = Math.min(nextDeadline, job.startDeadline);
        continue;
      }
      queue.delete(job);
      job.reject(new WriteNotStartedError("the write could not start in time: the disk is too slow"));
    }
    return nextDeadline;
  };
  const addDeadline = watchDeadlines(rejectExpiredJobs);
  /** Settles all jobs of the current group.  @param trySettleJob settles a job; returns false if it must be retried */
  const finishGroup = (trySettleJob: (job: Job, index: number) => boolean): void => {
    const finishedJobs = inFlightJobs;
    inFlightJobs = [];
    const retriedJobs = finishedJobs.filter((job, index) => !trySettleJob(job, index));
    if (retriedJobs.length > 0) {
      const waitingJobs = [...queue];
      queue.clear();
      for (const job of [...retriedJobs, ...waitingJobs]) queue.add(job);
      for (const { startDeadline } of retriedJobs) addDeadline(startDeadline);
    }
    // An idle thread does not keep the process alive.
    link?.keepAlive(false);
    scheduleGroup();
    if (inFlightJobs.length === 0 && queue.size === 0) onIdle?.();
  };
  const openLink = (): L => {
    if (link !== undefined) return link;
    const newLink = createLink({
      onOutcomes(outcomes) {
        const durationMs = performance.now() - groupSentAt;
        onCommit?.(inFlightJobs.length, durationMs);
        commitDelay?.recordCommit(inFlightJobs.length, queue.size, durationMs);
        finishGroup((job, index) => {
          const outcome = outcomes[index];
          const jobOutcome = outcome === undefined ? missingOutcome : unpackOutcome(outcome, job.statements);
          if (jobOutcome.kind === "locked" && canRetry(job)) return false;
          settleJob(job, jobOutcome);
          return true;
        });
      },
      onEnd() {
        if (link !== newLink) return;
        link = undefined;
        finishGroup((job) => {
          job.reject(new CommitInDoubtError("the database's thread ended"));
          return true;
        });
      },
    });
    newLink.keepAlive(false);
    link = newLink;
    return newLink;
  };

  const client: SqliteClient = {
    run: (statements, startDeadline = Number.POSITIVE_INFINITY) =>
      new Promise((resolve, reject) => {
        if (closePromise !== undefined) {
          reject(new DatabaseUnavailableError("the database is closed"));
          return;
        }
        const job: Job = { statements, resolve, reject, startDeadline };
        queue.add(job);
        addDeadline(startDeadline);
        scheduleGroup();
      }),
    close() {
      closePromise ??= (async () => {
        if (inFlightJobs.length > 0 || queue.size > 0) await new Promise<void>((resolve) => (onIdle = resolve));
        const closingLink = link;
        link = undefined;
        await closingLink?.close();
      })();
      return closePromise;
    },
  };
  return { client, link: () => link, openLink };
}

/**
 * A locked write is retried only if at least this many milliseconds remain until its deadline, because an attempt may
 * take that long.
 */
const MIN_RETRY_TIME_MS = 1_000;

/** Returns whether a write may wait for a lock again. The write did not start, so the order of writes is unchanged. */
function canRetry({ startDeadline }: Job): boolean {
  return Number.isFinite(startDeadline) && performance.now() < startDeadline - MIN_RETRY_TIME_MS;
}

const missingOutcome: JobOutcome = { kind: "bug", message: "no outcome" };

function settleJob(job: Job, outcome: JobOutcome): void {
  if (outcome.kind === "rows") job.resolve(outcome.rows);
  else if (outcome.kind === "conflict") job.reject(new WriteConflict("a condition of the write failed"));
  else if (outcome.kind === "locked") job.reject(new LockTimeout(outcome.message));
  else if (outcome.kind === "unavailable") job.reject(new DatabaseUnavailableError(outcome.message));
  else job.reject(new Error(`SQLite: ${outcome.message}`));
}
