/** Pseudorandom numbers that are the same in every run. */
export interface Random {
  /** Returns an integer from 0 to `below` - 1. */
  below(below: number): number;
  pick<T>(from: readonly T[]): T;
  /** Returns `count` items in random order, or all if there are fewer. */
  sample<T>(from: readonly T[], count: number): T[];
}

/** Creates a Mulberry32 generator, which is small, fast, and uniform enough for samples. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const nextFraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixedState = Math.imul(state ^ (state >>> 15), state | 1);
    mixedState ^= mixedState + Math.imul(mixedState ^ (mixedState >>> 7), mixedState | 61);
    return ((mixedState ^ (mixedState >>> 14)) >>> 0) / 0x100000000;
  };
  const below = (limit: number): number => Math.floor(nextFraction() * limit);
  return {
    below,
    pick<T>(from: readonly T[]): T {
      if (from.length === 0) throw new Error("nothing to pick from");
      return from[below(from.length)] as T;
    },
    sample<T>(from: readonly T[], count: number): T[] {
      const remainingItems = [...from];
      const sampledItems: T[] = [];
      while (sampledItems.length < count && remainingItems.length > 0) {
        const index = below(remainingItems.length);
        sampledItems.push(remainingItems[index] as T);
        remainingItems[index] = remainingItems.at(-1) as T;
        remainingItems.pop();
      }
      return sampledItems;
    },
  };
}
