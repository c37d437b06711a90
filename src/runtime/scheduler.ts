import { Problem } from "../problem.ts";

/** Kinds of work in an event loop. Lanes with waiting work get equal shares of the time. */
export type Lane = "write" | "read" | "render" | "background";

/**
 * Divides the time of one event loop among lanes, and rejects requests during a sustained overload. See
 * docs/explanation/overload.md.
 */
export interface Scheduler {
  /**
   * Starts work immediately if no work is waiting and the time slice has time left, otherwise in a later slice.
   * @param receivedAt time at which the request was read, on the clock of the scheduler. Undefined for work that is
   * never rejected and that starts before the requests of its lane
   * @throws Problem `overloaded`
   */
  run<T>(lane: Lane, work: () => T | Promise<T>, receivedAt?: number): T | Promise<T>;
  /** Resolves in a later time slice, in which a started job may continue. Never rejects. */
  yield(lane: Lane): Promise<void>;
}

export interface SchedulerOptions {
  /** Maximum milliseconds that a request may wait. */
  readonly maxWaitMs?: number;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
  /** Receives the wait of each request in milliseconds, including rejected requests. */
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

  /** Returns the queue whose lane has used the least time. */
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
    // The next job starts after all resolved promises, so that this job can continue up to its response.
    queueMicrotask(() =>
      process.nextTick(() => {
        const endedAt = now();
        queue.usedMs += endedAt - startedAt;
        if (endedAt < sliceEnd) step();
      }),
    );
  };
  const wait = (queue: LaneQueue, receivedAt: number | undefined): Promise<void> => {
    // A lane must not accumulate a claim to time in which it had no work.
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

/**
 * Jobs of one lane that have not started.
 *
 * The overload detection is CoDel: a queue is overloaded if its oldest request has been older than a target for a full
 * interval. It remains overloaded until no request is waiting.
 */
class LaneQueue {
  /** Milliseconds of work since all lanes were last empty. */
  usedMs = 0;
  readonly #continued: Job[] = [];
  /** Waiting requests, the oldest first. */
  readonly #requests: WaitingRequest[] = [];
  /** Target and interval of CoDel in milliseconds. No request waits for longer than twice this time. */
  readonly #targetMs: number;
  readonly #isNewestFirst: boolean;
  readonly #onWait: (ms: number) => void;
  /** Time since which the oldest request has been older than the target. */
  #lateSince: number | undefined;
  /** Whether the queue is overloaded. It remains so until no request is waiting. */
  #isOverloaded = false;

  constructor(lane: Lane, targetMs: number, onWait: (ms: number) => void) {
    this.#targetMs = targetMs;
    this.#onWait = onWait;
    // During an overload, the newest keystroke matters most. Writes are never reordered, since two changes of a line
    // must not swap.
    this.#isNewestFirst = lane === "read" || lane === "render";
  }

  get isEmpty(): boolean {
    return this.#continued.length === 0 && this.#requests.length === 0;
  }

  /** Adds a job.  @throws Problem `overloaded` if the queue is full */
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

/** Default of the maximum milliseconds that a request may wait. */
export const MAX_WAIT_MS = 1_000;
/** Milliseconds of work in a time slice. Between slices, the event loop accepts and reads connections. */
const SLICE_MS = 2;
/** Maximum number of waiting requests in a lane. */
const MAX_WAITING = 10_000;

/** Shared error, because creating the stack of an error takes longer than the response. */
export const OVERLOADED = new Problem("overloaded", "The server is overloaded: try again in a moment.");
