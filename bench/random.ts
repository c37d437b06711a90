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
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick<T>(from: readonly T[]): T {
      if (from.length === 0) throw new Error("nothing to pick from");
      return from[below(from.length)] as T;
    },
    sample<T>(from: readonly T[], count: number): T[] {
      const left = [...from];
      const taken: T[] = [];
      while (taken.length < count && left.length > 0) {
        const at = below(left.length);
        taken.push(left[at] as T);
        left[at] = left.at(-1) as T;
        left.pop();
      }
      return taken;
    },
  };
}
