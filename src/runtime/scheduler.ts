import { Problem } from "../problem.ts";

/** Kinds of work in an event loop. While several have work, each gets the same time. */
export type Lane = "write" | "read" | "render" | "background";

/** Divides the time of one event loop among lanes, and rejects requests during sustained overload: see docs/explanation/overload.md. */
export interface Scheduler {
  /** Starts work at once if nothing waits and the time slice is not used up, otherwise in a later slice.
   *  @param receivedAt when the request was read, on the scheduler's clock; undefined for work that is never rejected and starts before the
   *  requests of its lane
   *  @throws Problem `overloaded` */
  run<T>(lane: Lane, work: () => T | Promise<T>, receivedAt?: number): T | Promise<T>;
  /** Resolves in a later time slice, when the next part of a job that has started may continue. It is never rejected. */
  yield(lane: Lane): Promise<void>;
}

export interface SchedulerOptions {
  /** Milliseconds that a request may wait. */
  readonly maxWaitMs?: number;
  /** Monotonic, in milliseconds. */
  readonly now?: () => number;
  /** Receives the milliseconds that each request waited, rejected ones included. */
  readonly onWait?: (lane: Lane, ms: number) => void;
}

export function createScheduler(options: SchedulerOptions = {}): Scheduler {
  const { maxWaitMs = MAX_WAIT_MS, now = () => performance.now(), onWait = () => {} } = options;
  const openQueue = (lane: Lane): LaneQueue => new LaneQueue(lane, maxWaitMs / 2, (ms) => onWait(lane, ms));
  const queues: Readonly<Record<Lane, LaneQueue>> = {
    write: openQueue("write"),
    read: openQueue("read"),
    render: openQueue("render"),
    background: openQueue("background"),
  };
  const all = Object.values(queues);
  let waiting = 0;
  let sliceEnd = 0;
  let isSliceOpen = false;

  /** The queue whose lane has used the least time. */
  const nextQueue = (): LaneQueue | undefined =>
    all
      .filter(({ isEmpty }) => !isEmpty)
      .reduce<LaneQueue | undefined>(
        (least, one) => (one.usedMs < (least?.usedMs ?? Infinity) ? one : least),
        undefined,
      );
  const openSlice = (): void => {
    isSliceOpen = true;
    sliceEnd = now() + SLICE_MS;
    setImmediate(() => {
      isSliceOpen = false;
      if (waiting === 0) return;
      openSlice();
      step();
    });
  };
  const step = (): void => {
    const queue = nextQueue();
    if (queue === undefined) return;
    const startedAt = now();
    waiting -= 1;
    queue.startNext(startedAt);
    // Promises that are resolved already belong to the job: it may continue in them up to its response.
    queueMicrotask(() =>
      process.nextTick(() => {
        const endedAt = now();
        queue.usedMs += endedAt - startedAt;
        if (endedAt < sliceEnd) step();
      }),
    );
  };
  const wait = (queue: LaneQueue, receivedAt: number | undefined): Promise<void> => {
    // A lane has no claim to time in which it had no work.
    if (waiting === 0) for (const one of all) one.usedMs = 0;
    else if (queue.isEmpty) queue.usedMs = Math.max(queue.usedMs, nextQueue()?.usedMs ?? 0);
    return new Promise((start, reject) => {
      queue.add({ start, reject }, receivedAt);
      waiting += 1;
    });
  };
  return {
    run(lane, work, receivedAt) {
      if (!isSliceOpen) openSlice();
      const startedAt = now();
      if (waiting > 0 || startedAt >= sliceEnd) return wait(queues[lane], receivedAt).then(work);
      if (receivedAt !== undefined) onWait(lane, startedAt - receivedAt);
      return work();
    },
    yield(lane) {
      if (!isSliceOpen) openSlice();
      return wait(queues[lane], undefined);
    },
  };
}

/** Jobs of one lane that have not started.
 *
 *  By CoDel a queue is overloaded when even the shortest wait of an interval is longer than a target, that is, when its oldest request has been
 *  older than the target for an interval. It remains overloaded until no request waits. */
class LaneQueue {
  /** Milliseconds of work since nothing waited in any lane. */
  usedMs = 0;
  readonly #continued: Job[] = [];
  /** The oldest first. */
  readonly #requests: WaitingRequest[] = [];
  /** The interval is as long as the target: no request waits for longer than both together. */
  readonly #targetMs: number;
  readonly #isNewestFirst: boolean;
  readonly #onWait: (ms: number) => void;
  /** Since when the oldest request has been older than the target. */
  #lateSince: number | undefined;
  /** Remains true until no request waits. */
  #isOverloaded = false;

  constructor(lane: Lane, targetMs: number, onWait: (ms: number) => void) {
    this.#targetMs = targetMs;
    this.#onWait = onWait;
    // The oldest keystroke matters least. Writes keep their order: two quantities of one line must not swap.
    this.#isNewestFirst = lane === "read" || lane === "render";
  }

  get isEmpty(): boolean {
    return this.#continued.length === 0 && this.#requests.length === 0;
  }

  /** @throws Problem `overloaded` */
  add(job: Job, receivedAt: number | undefined): void {
    if (receivedAt === undefined) this.#continued.push(job);
    else if (this.#requests.length < MAX_WAITING) this.#requests.push({ ...job, receivedAt });
    else throw OVERLOADED;
  }

  /** Starts the next job, or rejects the oldest request. */
  startNext(now: number): void {
    const [oldest] = this.#requests;
    const isLate = oldest !== undefined && now - oldest.receivedAt > this.#targetMs;
    if (isLate) {
      this.#lateSince ??= now;
      this.#isOverloaded ||= now - this.#lateSince >= this.#targetMs;
    } else this.#lateSince = undefined;
    const isRejected = isLate && this.#isOverloaded;
    const continued = isRejected ? undefined : this.#continued.shift();
    if (continued !== undefined) {
      continued.start();
      return;
    }
    const takesNewest = this.#isOverloaded && !isLate && this.#isNewestFirst;
    const request = takesNewest ? this.#requests.pop() : this.#requests.shift();
    if (this.#requests.length === 0) {
      this.#lateSince = undefined;
      this.#isOverloaded = false;
    }
    if (request === undefined) return;
    this.#onWait(now - request.receivedAt);
    if (isRejected) request.reject(OVERLOADED);
    else request.start();
  }
}

interface Job {
  readonly start: () => void;
  readonly reject: (error: Problem) => void;
}

interface WaitingRequest extends Job {
  readonly receivedAt: number;
}

/** Milliseconds that a request may wait, by default. */
export const MAX_WAIT_MS = 1_000;
/** Milliseconds of work in a time slice: connections are accepted and read between slices. */
const SLICE_MS = 2;
/** Requests that wait in one lane. */
const MAX_WAITING = 10_000;

/** Shared, because creating the stack of an error takes longer than the response. */
export const OVERLOADED = new Problem("overloaded", "The server is overloaded: try again in a moment.");
