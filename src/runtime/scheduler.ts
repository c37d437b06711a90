import { Problem } from "../problem.ts";

/**
 * Kinds of work in an event loop, each with its own queue. All queues with waiting work get equal shares of the time.
 */
export type QueueName = "write" | "read" | "render" | "background";

/**
 * Divides the time of one event loop among queues, and rejects requests during a sustained overload. See
 * docs/explanation/overload.md.
 */
export interface Scheduler {
  /**
   * Starts work immediately if no work is waiting and the current time slice is not over. Otherwise, starts it in a
   * later slice.
   * @param receivedAt time at which the request was read, on the clock of the scheduler. Undefined for work that is
   * never rejected and that starts before the requests in its queue
   * @throws Problem `overloaded`
   */
  run<T>(queueName: QueueName, task: () => T | Promise<T>, receivedAt?: number): T | Promise<T>;
  /** Resolves in a later time slice, in which a started job may continue. Never rejects. */
  yield(queueName: QueueName): Promise<void>;
}

export interface SchedulerOptions {
  /** Maximum milliseconds that a request may wait. */
  readonly maxWaitMs?: number;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
  /** Receives the wait of each request in milliseconds, including rejected requests. */
  readonly onWait?: ((queueName: QueueName, ms: number) => void) | undefined;
}

export function createScheduler(options: SchedulerOptions): Scheduler {
  const { maxWaitMs = MAX_WAIT_MS, now = () => performance.now(), onWait = () => {} } = options;
  const createQueue = (queueName: QueueName): TaskQueue =>
    new TaskQueue(queueName, maxWaitMs / 2, (ms) => onWait(queueName, ms));
  const queues: Readonly<Record<QueueName, TaskQueue>> = {
    write: createQueue("write"),
    read: createQueue("read"),
    render: createQueue("render"),
    background: createQueue("background"),
  };
  const allQueues = Object.values(queues);
  let waitingCount = 0;
  let timeSliceEnd = 0;
  let isTimeSliceOpen = false;

  /** Returns the queue with waiting work that has used the least time. */
  const findNextQueue = (): TaskQueue | undefined => {
    let leastUsedQueue: TaskQueue | undefined;
    for (const queue of allQueues)
      if (!queue.isEmpty && queue.workTimeMs < (leastUsedQueue?.workTimeMs ?? Infinity)) leastUsedQueue = queue;
    return leastUsedQueue;
  };
  const startTimeSlice = (): void => {
    isTimeSliceOpen = true;
    timeSliceEnd = now() + YIELD_INTERVAL_MS;
    setImmediate(() => {
      isTimeSliceOpen = false;
      if (waitingCount === 0) return;
      startTimeSlice();
      runNextJob();
    });
  };
  const runNextJob = (): void => {
    const queue = findNextQueue();
    if (queue === undefined) return;
    const startedAt = now();
    waitingCount -= 1;
    queue.startNextJob(startedAt);
    // Before the next job starts, all promises that are already resolved run their callbacks, so that this job can send
    // its response.
    queueMicrotask(() =>
      process.nextTick(() => {
        const endedAt = now();
        queue.workTimeMs += endedAt - startedAt;
        if (endedAt < timeSliceEnd) runNextJob();
      }),
    );
  };
  const enqueue = (queue: TaskQueue, receivedAt: number | undefined): Promise<void> => {
    // An idle queue must not accumulate unused time, because it would then delay all other queues later.
    if (waitingCount === 0) for (const queue of allQueues) queue.workTimeMs = 0;
    else if (queue.isEmpty) queue.workTimeMs = Math.max(queue.workTimeMs, findNextQueue()?.workTimeMs ?? 0);
    return new Promise((start, reject) => {
      queue.add({ start, reject }, receivedAt);
      waitingCount += 1;
    });
  };
  return {
    run(queueName, task, receivedAt) {
      if (!isTimeSliceOpen) startTimeSlice();
      const startedAt = now();
      if (waitingCount > 0 || startedAt >= timeSliceEnd) return enqueue(queues[queueName], receivedAt).then(task);
      if (receivedAt !== undefined) onWait(queueName, startedAt - receivedAt);
      return task();
    },
    yield(queueName) {
      if (!isTimeSliceOpen) startTimeSlice();
      return enqueue(queues[queueName], undefined);
    },
  };
}

/**
 * The jobs of one queue that have not started. The overload detection is CoDel: a queue is overloaded if its oldest
 * request has been older than a target for a full interval. It remains overloaded until no request is waiting.
 */
class TaskQueue {
  /** Milliseconds of work from this queue since all queues were last empty. */
  workTimeMs = 0;
  readonly #continuedJobs: Job[] = [];
  /** Waiting requests, the oldest first. */
  readonly #requests: WaitingRequest[] = [];
  /** Target and interval of CoDel in milliseconds. No request waits for longer than twice this time. */
  readonly #targetWaitMs: number;
  readonly #isNewestFirst: boolean;
  readonly #onWait: (ms: number) => void;
  /** Time since which the oldest request has been older than the target. */
  #overTargetSinceMs: number | undefined;
  /** Whether the queue is overloaded. It remains so until no request is waiting. */
  #isOverloaded = false;

  constructor(queueName: QueueName, targetMs: number, onWait: (ms: number) => void) {
    this.#targetWaitMs = targetMs;
    this.#onWait = onWait;
    // During an overload, the newest request of a typing user is the most useful. Writes are never reordered, because
    // two changes of a cart line must not swap.
    this.#isNewestFirst = queueName === "read" || queueName === "render";
  }

  get isEmpty(): boolean {
    return this.#continuedJobs.length === 0 && this.#requests.length === 0;
  }

  /** Adds a job.  @throws Problem `overloaded` if the queue is full */
  add(job: Job, receivedAt: number | undefined): void {
    if (receivedAt === undefined) this.#continuedJobs.push(job);
    else if (this.#requests.length < MAX_WAITING_REQUESTS) this.#requests.push({ ...job, receivedAt });
    else throw OVERLOADED_ERROR;
  }

  /** Starts the next job, or rejects the oldest request. */
  startNextJob(now: number): void {
    const [oldestRequest] = this.#requests;
    const isRequestLate = oldestRequest !== undefined && now - oldestRequest.receivedAt > this.#targetWaitMs;
    if (isRequestLate) {
      this.#overTargetSinceMs ??= now;
      this.#isOverloaded ||= now - this.#overTargetSinceMs >= this.#targetWaitMs;
    } else this.#overTargetSinceMs = undefined;
    const isRejected = isRequestLate && this.#isOverloaded;
    const continuedJob = isRejected ? undefined : this.#continuedJobs.shift();
    if (continuedJob !== undefined) {
      continuedJob.start();
      return;
    }
    const shouldTakeNewest = this.#isOverloaded && !isRequestLate && this.#isNewestFirst;
    const request = shouldTakeNewest ? this.#requests.pop() : this.#requests.shift();
    if (this.#requests.length === 0) {
      this.#overTargetSinceMs = undefined;
      this.#isOverloaded = false;
    }
    if (request === undefined) return;
    this.#onWait(now - request.receivedAt);
    if (isRejected) request.reject(OVERLOADED_ERROR);
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
const YIELD_INTERVAL_MS = 2;
/** Maximum number of waiting requests in a queue. */
const MAX_WAITING_REQUESTS = 10_000;

/** Shared error, because creating the stack of an error takes longer than the response. */
export const OVERLOADED_ERROR = new Problem("overloaded", "The server is overloaded: try again in a moment.");
