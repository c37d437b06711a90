import { getOrCreate } from "./cache.ts";

/**
 * A semaphore with weights. Each request has an owner, such as an IP network. Owners take turns, so that an owner with
 * many requests delays only itself.
 */
export interface JobSlots {
  /**
   * Acquires a slot without waiting.
   * @param weight weight of the slot. Default: 1
   * @returns undefined if the capacity is used up, or if other requests are waiting
   */
  tryAcquire(owner: string, weight?: number): Disposable | undefined;
  /**
   * Acquires a slot, waiting for it if necessary.
   * @param weight weight of the slot. Default: 1
   * @returns undefined if too many requests are waiting, or if the weight exceeds the capacity
   */
  acquire(owner: string, weight?: number): Promise<Disposable> | undefined;
  /**
   * Grants no further slots. Waiting promises of `acquire` never resolve.
   * @returns a promise that resolves when no slot is in use
   */
  close(): Promise<void>;
}

export interface JobSlotsOptions {
  /** Label in `/metrics`. Semaphores with the same name are counted together. */
  readonly name: string;
  /** Maximum total weight of the slots in use: a number of jobs, or bytes. */
  readonly capacity: number;
  /** Maximum weight that one owner may use. Default: the entire capacity. */
  readonly ownerCapacity?: number;
  /** Maximum number of waiting requests. Default: no limit. */
  readonly maxQueueLength?: number;
  /** Maximum number of waiting requests of one owner. Default: no limit. */
  readonly ownerMaxQueueLength?: number;
}

export function createJobSlots(options: JobSlotsOptions): JobSlots {
  const {
    name,
    capacity,
    ownerCapacity = capacity,
    maxQueueLength = Infinity,
    ownerMaxQueueLength = Infinity,
  } = options;
  const counts = getOrCreate(countsByName, name, () => ({ usedWeight: 0, waitingCount: 0, rejectionCount: 0 }));
  const weightByOwner = new Map<string, number>();
  /** Waiting requests by owner, in the order in which the owners take turns. */
  const queues = new Map<string, WaitingJob[]>();
  let usedWeight = 0;
  let waitingCount = 0;
  let closeResolvers: PromiseWithResolvers<void> | undefined;

  const adjustOwnerWeight = (owner: string, weight: number): void => {
    const ownerWeight = (weightByOwner.get(owner) ?? 0) + weight;
    if (ownerWeight === 0) weightByOwner.delete(owner);
    else weightByOwner.set(owner, ownerWeight);
    usedWeight += weight;
    counts.usedWeight += weight;
  };
  const hasOwnerCapacity = (owner: string, weight: number): boolean =>
    (weightByOwner.get(owner) ?? 0) + weight <= ownerCapacity;
  const grantSlot = (owner: string, weight: number): Disposable => {
    adjustOwnerWeight(owner, weight);
    let isReleased = false;
    return {
      [Symbol.dispose]() {
        if (isReleased) return;
        isReleased = true;
        adjustOwnerWeight(owner, -weight);
        if (closeResolvers === undefined) while (waitingCount > 0 && startNextJob());
        else if (usedWeight === 0) closeResolvers.resolve();
      },
    };
  };
  const addToWaitingCount = (count: number): void => {
    waitingCount += count;
    counts.waitingCount += count;
  };
  /** Grants the next waiting request.  @returns whether a request was granted */
  const startNextJob = (): boolean => {
    for (const [owner, queue] of queues) {
      const [firstJob] = queue;
      if (firstJob === undefined || !hasOwnerCapacity(owner, firstJob.weight)) continue;
      // Smaller requests do not overtake a large one, which they could delay forever.
      if (usedWeight + firstJob.weight > capacity) return false;
      queue.shift();
      queues.delete(owner);
      if (queue.length > 0) queues.set(owner, queue);
      addToWaitingCount(-1);
      firstJob.resolve(grantSlot(owner, firstJob.weight));
      return true;
    }
    return false;
  };
  const countRejection = (): undefined => {
    counts.rejectionCount += 1;
    return undefined;
  };
  return {
    tryAcquire(owner, weight = 1) {
      const hasFreeSlot =
        closeResolvers === undefined &&
        waitingCount === 0 &&
        usedWeight + weight <= capacity &&
        hasOwnerCapacity(owner, weight);
      return hasFreeSlot ? grantSlot(owner, weight) : countRejection();
    },
    acquire(owner, weight = 1) {
      const queue = queues.get(owner) ?? [];
      const isQueueFull = waitingCount >= maxQueueLength || queue.length >= ownerMaxQueueLength;
      if (closeResolvers !== undefined || isQueueFull || weight > Math.min(capacity, ownerCapacity))
        return countRejection();
      return new Promise((resolve) => {
        queue.push({ weight, resolve });
        queues.set(owner, queue);
        addToWaitingCount(1);
        startNextJob();
      });
    },
    close() {
      closeResolvers ??= Promise.withResolvers();
      addToWaitingCount(-waitingCount);
      queues.clear();
      if (usedWeight === 0) closeResolvers.resolve();
      return closeResolvers.promise;
    },
  };
}

interface WaitingJob {
  readonly weight: number;
  readonly resolve: (slot: Disposable) => void;
}

/** Statistics of all semaphores with the same name in this thread. */
export interface JobSlotStatistics {
  /** Total weight of the slots in use. */
  readonly usedWeight: number;
  /** Number of waiting requests. */
  readonly waitingCount: number;
  /** Number of rejected requests. */
  readonly rejectionCount: number;
}

const countsByName = new Map<string, { -readonly [Key in keyof JobSlotStatistics]: JobSlotStatistics[Key] }>();

export const jobSlotStatistics: ReadonlyMap<string, JobSlotStatistics> = countsByName;
