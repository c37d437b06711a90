import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createJobSlots, jobSlotStatistics } from "./slots.ts";

test("owners alternate: one with many requests delays only itself", async () => {
  const slots = createJobSlots({ name: "turns", capacity: 1, maxQueueLength: 100, ownerMaxQueueLength: 3 });
  const grantOrder: string[] = [];
  const start = (owner: string, number: number) =>
    slots.acquire(owner)?.then((slot) => {
      using _ = slot;
      grantOrder.push(`${owner}${number}`);
    });
  // The first request starts immediately, three more of the same owner wait, and a fifth is rejected.
  const promises = [0, 1, 2, 3].map((number) => start("a", number));
  assert.equal(start("a", 4), undefined);
  promises.push(start("b", 0), start("c", 0), start("b", 1));
  assert.equal(jobSlotStatistics.get("turns")?.waitingCount, 6);
  await Promise.all(promises);
  assert.deepEqual(grantOrder, ["a0", "a1", "b0", "c0", "a2", "b1", "a3"]);
  assert.deepEqual(jobSlotStatistics.get("turns"), { usedWeight: 0, waitingCount: 0, rejectionCount: 1 });
});

test("closed slots grant no request, and close when none is in use", async () => {
  const slots = createJobSlots({ name: "closing", capacity: 1 });
  const slot = slots.tryAcquire("a")!;
  let isGranted = false;
  void slots.acquire("b")?.then(() => {
    isGranted = true;
  });
  let isClosed = false;
  const closing = slots.close().then(() => {
    isClosed = true;
  });
  await Promise.resolve();
  assert.equal(isClosed, false);
  slot[Symbol.dispose]();
  await closing;
  assert.equal(isGranted, false);
  assert.equal(slots.tryAcquire("c"), undefined);
  assert.equal(slots.acquire("c"), undefined);
});

const limits = {
  capacity: 5,
  ownerCapacity: 4,
  maxQueueLength: 6,
  ownerMaxQueueLength: 3,
} as const;

interface Request {
  readonly owner: string;
  readonly weight: number;
  state: "waiting" | "granted" | "released";
  /** Time at which the owner began to wait, or received its last grant. */
  turnSince: number;
}

/** A simple implementation for comparison, which searches all requests for the next grant. */
class SlowSlots {
  readonly requests: Request[] = [];
  #time = 0;

  tryAcquire(owner: string, weight: number): boolean {
    if (this.#in("waiting").length > 0 || !this.#fits(owner, weight)) return false;
    this.requests.push({ owner, weight, state: "granted", turnSince: 0 });
    return true;
  }

  acquire(owner: string, weight: number): boolean {
    const waitingRequests = this.#in("waiting");
    const otherRequests = waitingRequests.filter((request) => request.owner === owner);
    if (waitingRequests.length >= limits.maxQueueLength || otherRequests.length >= limits.ownerMaxQueueLength)
      return false;
    if (weight > limits.ownerCapacity) return false;
    this.requests.push({ owner, weight, state: "waiting", turnSince: otherRequests[0]?.turnSince ?? this.#tick() });
    this.#grant();
    return true;
  }

  release(request: Request): void {
    request.state = "released";
    while (this.#grant());
  }

  used(owner?: string): number {
    const grantedRequests = this.#in("granted").filter((request) => owner === undefined || request.owner === owner);
    return grantedRequests.reduce((sum, { weight }) => sum + weight, 0);
  }

  #grant(): boolean {
    const firstRequests = [...Map.groupBy(this.#in("waiting"), ({ owner }) => owner).values()].map(([first]) => first!);
    const [nextRequest] = firstRequests
      .filter(({ owner, weight }) => this.used(owner) + weight <= limits.ownerCapacity)
      .sort((request, other) => request.turnSince - other.turnSince);
    if (nextRequest === undefined || this.used() + nextRequest.weight > limits.capacity) return false;
    nextRequest.state = "granted";
    const now = this.#tick();
    for (const request of this.#in("waiting")) if (request.owner === nextRequest.owner) request.turnSince = now;
    return true;
  }

  #fits(owner: string, weight: number): boolean {
    return this.used() + weight <= limits.capacity && this.used(owner) + weight <= limits.ownerCapacity;
  }

  #in(state: Request["state"]): readonly Request[] {
    return this.requests.filter((request) => request.state === state);
  }

  #tick(): number {
    this.#time += 1;
    return this.#time;
  }
}

const owner = fc.constantFrom("a", "b", "c", "d");
const weight = fc.integer({ min: 1, max: 5 });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ acquire: owner, weight }) },
  { weight: 2, arbitrary: fc.record({ tryAcquire: owner, weight }) },
  { weight: 6, arbitrary: fc.record({ release: fc.nat(20) }) },
);

test("random requests are granted and rejected as in slots that examine all requests", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 120, size: "max" }), async (steps) => {
      const slots = createJobSlots({ name: "random", ...limits });
      const slowSlots = new SlowSlots();
      /** Granted slots by the index of their request. */
      const grantedSlots = new Map<number, Disposable>();
      for (const step of steps) {
        const index = slowSlots.requests.length;
        if ("acquire" in step) {
          const slot = slots.acquire(step.acquire, step.weight);
          assert.equal(slot !== undefined, slowSlots.acquire(step.acquire, step.weight));
          slot?.then((disposable) => grantedSlots.set(index, disposable));
        } else if ("tryAcquire" in step) {
          const slot = slots.tryAcquire(step.tryAcquire, step.weight);
          assert.equal(slot !== undefined, slowSlots.tryAcquire(step.tryAcquire, step.weight));
          if (slot !== undefined) grantedSlots.set(index, slot);
        } else {
          const inUse = slowSlots.requests.filter(({ state }) => state === "granted");
          const request = inUse[step.release % Math.max(1, inUse.length)];
          if (request !== undefined) {
            grantedSlots.get(slowSlots.requests.indexOf(request))?.[Symbol.dispose]();
            slowSlots.release(request);
          }
        }
        await Promise.resolve();
        const expected = slowSlots.requests.flatMap(({ state }, at) => (state === "waiting" ? [] : [at]));
        assert.deepEqual(
          [...grantedSlots.keys()].sort((a, b) => a - b),
          expected,
        );
      }
      for (const slot of grantedSlots.values()) slot[Symbol.dispose]();
    }),
  );
});
