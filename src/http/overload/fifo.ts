/** First in, first out, in a ring that grows as more wait: thousands may, and taking one does not move all others.
 *
 *  What was taken is cleared from the ring. A taken request that anything in the old generation still names keeps its answer and its socket's buffers alive
 *  until the next full collection of garbage, and each collection of the young generation copies them. */
export interface Fifo<T extends object> {
  push(one: T): void;
  shift(): T | undefined;
}

export function createFifo<T extends object>(): Fifo<T> {
  /** As long as a power of two. */
  let ring = emptyRing<T>(FIRST_LENGTH);
  let start = 0;
  let count = 0;
  const placeOf = (number: number): number => (start + number) & (ring.length - 1);
  const grow = (): void => {
    const larger = emptyRing<T>(ring.length * 2);
    for (let number = 0; number < count; number += 1) larger[number] = ring[placeOf(number)];
    ring = larger;
    start = 0;
  };
  return {
    push(one) {
      if (count === ring.length) grow();
      ring[placeOf(count)] = one;
      count += 1;
    },
    shift() {
      const one = ring[start];
      if (one === undefined) return undefined;
      ring[start] = undefined;
      start = placeOf(1);
      count -= 1;
      return one;
    },
  };
}

const FIRST_LENGTH = 16;

function emptyRing<T>(length: number): (T | undefined)[] {
  return Array.from({ length }, () => undefined);
}
