import type { Random } from "../../bench/random.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** Kinds of faults. Each history has a random subset of them, because frequent faults hide the effects of rare ones. */
export const faultKinds = [
  "crash",
  "clock jump",
  "lost response",
  "lost commit",
  "late commit",
  "stall",
  "unavailable",
] as const;

export type FaultKind = (typeof faultKinds)[number];

/** Maximum steps of a history. More steps mean that an operation never ends. */
const MAX_STEPS = 20_000;
const STALL_MS = { min: 300, max: 6_000 };

/** One step. The next step waits for its promise, such as that of a statement. */
type Task = () => void | Promise<void>;

/** Runs one step at a time, in an order that depends only on the seed. */
export class Scheduler {
  readonly random: Random;
  readonly #time: VirtualTime;
  readonly #tasks: Task[] = [];
  #faults: ReadonlySet<FaultKind>;
  #steps = 0;

  constructor(random: Random, time: VirtualTime, faults: ReadonlySet<FaultKind>) {
    this.random = random;
    this.#time = time;
    this.#faults = faults;
  }

  get steps(): number {
    return this.#steps;
  }

  /** Adds a task. Tasks run in random order, independent of the time. */
  add(task: Task): void {
    this.#tasks.push(task);
  }

  /** Resolves in a later step. */
  wait(): Promise<void> {
    return new Promise((resolve) => this.add(resolve));
  }

  /** Returns whether a fault occurs now.  @param perMille probability, if the history has faults of this kind */
  hasFault(kind: FaultKind, perMille: number): boolean {
    return this.#faults.has(kind) && this.random.below(1_000) < perMille;
  }

  stopFaults(): void {
    this.#faults = new Set();
  }

  /**
   * Runs steps until `work` ends.
   * @throws Error if it does not end
   */
  async run<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const finish = (): void => {
      isDone = true;
    };
    work.then(finish, finish);
    for (;;) {
      await this.#time.settlePromises();
      if (isDone) return work;
      if (this.#steps >= MAX_STEPS) throw new Error("an operation never ended");
      this.#steps += 1;
      if (this.#time.runDueTimer()) continue;
      if (this.#tasks.length > 0) await this.#runTask();
      else if (this.#time.hasTimers) this.#time.advanceToNextTimer();
      else throw new Error("an operation waits for nothing");
    }
  }

  /** Runs steps until no task is left. */
  async drain(): Promise<void> {
    while (this.#tasks.length > 0) await this.run(this.wait());
  }

  #runTask(): void | Promise<void> {
    const index = this.random.below(this.#tasks.length);
    const [task] = this.#tasks.splice(index, 1);
    const isStalled = this.hasFault("stall", 10);
    this.#time.advance(
      isStalled ? STALL_MS.min + this.random.below(STALL_MS.max - STALL_MS.min) : this.random.below(3),
    );
    return task?.();
  }
}
