/** A semaphore with weights. Waiting owners take turns, so that an owner with many requests delays only itself. */
export interface Slots {
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

export interface SlotsOptions {
  /** Label in `/metrics`. Slots with the same name are counted together. */
  readonly name: string;
  /** Maximum total weight of the slots in use: a number of jobs, or bytes. */
  readonly capacity: number;
  /** Maximum weight that one owner may use. Default: the entire capacity. */
  readonly ownerCapacity?: number;
  /** Maximum number of waiting requests. Default: no limit. */
  readonly maxWaiting?: number;
  /** Maximum number of waiting requests of one owner. Default: no limit. */
  readonly ownerMaxWaiting?: number;
}

export function createSlots(options: SlotsOptions): Slots {
  const { name, capacity, ownerCapacity = capacity, maxWaiting = Infinity, ownerMaxWaiting = Infinity } = options;
  const counts = countsOf(name);
  const usedByOwner = new Map<string, number>();
  /** Waiting requests by owner, in the order in which the owners take turns. */
  const queues = new Map<string, WaitingJob[]>();
  let used = 0;
  let waiting = 0;
  let closed: PromiseWithResolvers<void> | undefined;

  const use = (owner: string, weight: number): void => {
    const usedByThis = (usedByOwner.get(owner) ?? 0) + weight;
    if (usedByThis === 0) usedByOwner.delete(owner);
    else usedByOwner.set(owner, usedByThis);
    used += weight;
    counts.used += weight;
  };
  const fitsOwner = (owner: string, weight: number): boolean => (usedByOwner.get(owner) ?? 0) + weight <= ownerCapacity;
  const grant = (owner: string, weight: number): Disposable => {
    use(owner, weight);
    let isReleased = false;
    return {
      [Symbol.dispose]() {
        if (isReleased) return;
        isReleased = true;
        use(owner, -weight);
        if (closed === undefined) while (waiting > 0 && grantNext());
        else if (used === 0) closed.resolve();
      },
    };
  };
  const addWaiting = (count: number): void => {
    waiting += count;
    counts.waiting += count;
  };
  /** Grants the next waiting request.  @returns whether a request was granted */
  const grantNext = (): boolean => {
    for (const [owner, queue] of queues) {
      const [first] = queue;
      if (first === undefined || !fitsOwner(owner, first.weight)) continue;
      // Smaller requests do not overtake a large one, which they could delay forever.
      if (used + first.weight > capacity) return false;
      queue.shift();
      queues.delete(owner);
      if (queue.length > 0) queues.set(owner, queue);
      addWaiting(-1);
      first.resolve(grant(owner, first.weight));
      return true;
    }
    return false;
  };
  const reject = (): undefined => {
    counts.rejected += 1;
    return undefined;
  };
  return {
    tryAcquire(owner, weight = 1) {
      const isFree = closed === undefined && waiting === 0 && used + weight <= capacity && fitsOwner(owner, weight);
      return isFree ? grant(owner, weight) : reject();
    },
    acquire(owner, weight = 1) {
      const queue = queues.get(owner) ?? [];
      const isFull = waiting >= maxWaiting || queue.length >= ownerMaxWaiting;
      if (closed !== undefined || isFull || weight > Math.min(capacity, ownerCapacity)) return reject();
      return new Promise((resolve) => {
        queue.push({ weight, resolve });
        queues.set(owner, queue);
        addWaiting(1);
        grantNext();
      });
    },
    close() {
      closed ??= Promise.withResolvers();
      addWaiting(-waiting);
      queues.clear();
      if (used === 0) closed.resolve();
      return closed.promise;
    },
  };
}

interface WaitingJob {
  readonly weight: number;
  readonly resolve: (slot: Disposable) => void;
}

/** Statistics of all slots with the same name in this thread. */
export interface SlotStatistics {
  /** Weight in use. */
  readonly used: number;
  /** Number of waiting requests. */
  readonly waiting: number;
  /** Number of rejected requests. */
  readonly rejected: number;
}

type Counts = { -readonly [Key in keyof SlotStatistics]: SlotStatistics[Key] };

const countsByName = new Map<string, Counts>();

function countsOf(name: string): Counts {
  const counts = countsByName.get(name) ?? { used: 0, waiting: 0, rejected: 0 };
  countsByName.set(name, counts);
  return counts;
}

/** Statistics by name. */
export const slotStatistics: ReadonlyMap<string, SlotStatistics> = countsByName;
