/**
 * A cache of two generations, limited by weight. A full young generation becomes the old generation, and the previous
 * old generation is dropped. Dropping takes constant time, while an LRU order of many small entries would be expensive.
 */
export class GenerationCache<T, K = string> {
  #youngEntries = new Map<K, T>();
  #oldEntries = new Map<K, T>();
  /** Weight of the young generation. */
  #weight = 0;

  /**
   * Returns the value of a key, created if missing.
   * @param weightOf returns the weight of a value, in entries of typed arrays
   */
  get(key: K, weightOf: (value: T) => number, create: () => T): T {
    const youngValue = this.#youngEntries.get(key);
    if (youngValue !== undefined) return youngValue;
    const value = this.#oldEntries.get(key) ?? create();
    const weight = weightOf(value) + keyWeight;
    if (weight > maxValueWeight) return value;
    if (this.#weight + weight > maxGenerationWeight) {
      this.#oldEntries = this.#youngEntries;
      this.#youngEntries = new Map();
      this.#weight = 0;
    }
    this.#youngEntries.set(key, value);
    this.#weight += weight;
    return value;
  }

  /** Adds weight to the value that `get` returned last. */
  grow(weight: number): void {
    this.#weight += weight;
  }

  /** Returns the value of a key, or undefined. */
  find(key: K): T | undefined {
    return this.#youngEntries.get(key) ?? this.#oldEntries.get(key);
  }
}

/** Maximum weight of one generation. */
const maxGenerationWeight = 100_000;
/** Maximum weight of a cached value. */
const maxValueWeight = 5_000;
/** Weight of a key and its slot in the map. */
const keyWeight = 10;
