/**
 * A cache of two generations, limited by weight. A full young generation becomes the old generation, and the previous
 * old generation is dropped. Dropping takes constant time, while an LRU order of many small entries would be expensive.
 */
export class GenerationCache<T, K = string> {
  #young = new Map<K, T>();
  #old = new Map<K, T>();
  /** Weight of the young generation. */
  #weight = 0;

  /**
   * Returns the value of a key, created if missing.
   * @param weightOf returns the weight of a value, in entries of typed arrays
   */
  get(key: K, weightOf: (value: T) => number, make: () => T): T {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const value = this.#old.get(key) ?? make();
    const weight = weightOf(value) + keyWeight;
    if (weight > maxValueWeight) return value;
    if (this.#weight + weight > maxGenerationWeight) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#weight = 0;
    }
    this.#young.set(key, value);
    this.#weight += weight;
    return value;
  }

  /** Adds weight to the value that `get` returned last. */
  grow(weight: number): void {
    this.#weight += weight;
  }

  /** Returns the value of a key, or undefined. */
  peek(key: K): T | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }
}

/** Maximum weight of one generation. */
const maxGenerationWeight = 100_000;
/** Maximum weight of a cached value. */
const maxValueWeight = 5_000;
/** Weight of a key and its slot in the map. */
const keyWeight = 10;
