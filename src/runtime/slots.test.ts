import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createSlots, slotStatistics } from "./slots.ts";

test("owners alternate: one with many requests delays only itself", async () => {
  const slots = createSlots({ name: "turns", capacity: 1, maxWaiting: 100, ownerMaxWaiting: 3 });
  const done: string[] = [];
  const start = (owner: string, number: number) =>
    slots.acquire(owner)?.then((slot) => {
      using _ = slot;
      done.push(`${owner}${number}`);
    });
  // The first request starts immediately, three more of the same owner wait, and a fifth is rejected.
  const started = [0, 1, 2, 3].map((number) => start("a", number));
  assert.equal(start("a", 4), undefined);
  started.push(start("b", 0), start("c", 0), start("b", 1));
  assert.equal(slotStatistics.get("turns")?.waitingCount, 6);
  await Promise.all(started);
  assert.deepEqual(done, ["a0", "a1", "b0", "c0", "a2", "b1", "a3"]);
  assert.deepEqual(slotStatistics.get("turns"), { usedWeight: 0, waitingCount: 0, rejected: 1 });
});

test("closed slots grant no request, and close when none is in use", async () => {
  const slots = createSlots({ name: "closing", capacity: 1 });
  const slot = slots.tryAcquire("a")!;
  let isGranted = false;
  void slots.acquire("b")?.then(() => {
    isGranted = true;
  });
  let isClosed = false;
  const closed = slots.close().then(() => {
    isClosed = true;
  });
  await Promise.resolve();
  assert.equal(isClosed, false);
  slot[Symbol.dispose]();
  await closed;
  assert.equal(isGranted, false);
  assert.equal(slots.tryAcquire("c"), undefined);
  assert.equal(slots.acquire("c"), undefined);
});

const limits = {
  capacity: 5,
  ownerCapacity: 4,
  maxWaiting: 6,
  ownerMaxWaiting: 3,
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
    const waiting = this.#in("waiting");
    const others = waiting.filter((one) => one.owner === owner);
    if (waiting.length >= limits.maxWaiting || others.length >= limits.ownerMaxWaiting) return false;
    if (weight > limits.ownerCapacity) return false;
    this.requests.push({ owner, weight, state: "waiting", turnSince: others[0]?.turnSince ?? this.#tick() });
    this.#grant();
    return true;
  }

  release(request: Request): void {
    request.state = "released";
    while (this.#grant());
  }

  used(owner?: string): number {
    const granted = this.#in("granted").filter((one) => owner === undefined || one.owner === owner);
    return granted.reduce((sum, { weight }) => sum + weight, 0);
  }

  #grant(): boolean {
    const firsts = [...Map.groupBy(this.#in("waiting"), ({ owner }) => owner).values()].map(([first]) => first!);
    const [next] = firsts
      .filter(({ owner, weight }) => this.used(owner) + weight <= limits.ownerCapacity)
      .sort((one, other) => one.turnSince - other.turnSince);
    if (next === undefined || this.used() + next.weight > limits.capacity) return false;
    next.state = "granted";
    const now = this.#tick();
    for (const one of this.#in("waiting")) if (one.owner === next.owner) one.turnSince = now;
    return true;
  }

  #fits(owner: string, weight: number): boolean {
    return this.used() + weight <= limits.capacity && this.used(owner) + weight <= limits.ownerCapacity;
  }

  #in(state: Request["state"]): readonly Request[] {
    return this.requests.filter((one) => one.state === state);
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
      const slots = createSlots({ name: "random", ...limits });
      const slow = new SlowSlots();
      /** Granted slots by the index of their request. */
      const granted = new Map<number, Disposable>();
      for (const one of steps) {
        const index = slow.requests.length;
        if ("acquire" in one) {
          const slot = slots.acquire(one.acquire, one.weight);
          assert.equal(slot !== undefined, slow.acquire(one.acquire, one.weight));
          slot?.then((disposable) => granted.set(index, disposable));
        } else if ("tryAcquire" in one) {
          const slot = slots.tryAcquire(one.tryAcquire, one.weight);
          assert.equal(slot !== undefined, slow.tryAcquire(one.tryAcquire, one.weight));
          if (slot !== undefined) granted.set(index, slot);
        } else {
          const inUse = slow.requests.filter(({ state }) => state === "granted");
          const request = inUse[one.release % Math.max(1, inUse.length)];
          if (request !== undefined) {
            granted.get(slow.requests.indexOf(request))?.[Symbol.dispose]();
            slow.release(request);
          }
        }
        await Promise.resolve();
        const expected = slow.requests.flatMap(({ state }, at) => (state === "waiting" ? [] : [at]));
        assert.deepEqual(
          [...granted.keys()].sort((a, b) => a - b),
          expected,
        );
      }
      for (const slot of granted.values()) slot[Symbol.dispose]();
    }),
  );
});
