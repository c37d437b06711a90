/**
 * A cache with a young and an old generation. When the young generation is full, it becomes the old generation, and the
 * previous old generation is dropped in constant time. An LRU order of many small entries would be slower.
 */
export class GenerationCache<T, K = string> {
  #youngEntries = new Map<K, T>();
  #oldEntries = new Map<K, T>();
  /** Total weight of the young generation. */
  #weight = 0;

  /**
   * Returns the value of a key. Creates the value if the key is not cached.
   * @param getWeight returns the memory use of a value, in typed array entries
   */
  get(key: K, getWeight: (value: T) => number, createValue: () => T): T {
    const youngValue = this.#youngEntries.get(key);
    if (youngValue !== undefined) return youngValue;
    const value = this.#oldEntries.get(key) ?? createValue();
    const weight = getWeight(value) + keyWeight;
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

  /** Increases the weight of the value that `get` returned last, because the value has grown since. */
  addWeight(weight: number): void {
    this.#weight += weight;
  }

  /** Returns the value of a key, or undefined. */
  find(key: K): T | undefined {
    return this.#youngEntries.get(key) ?? this.#oldEntries.get(key);
  }
}

/** Maximum total weight of the values of a generation, in typed array entries. */
const maxGenerationWeight = 100_000;
/** Maximum weight of a cached value, in typed array entries. Heavier values are not cached. */
const maxValueWeight = 5_000;
/** Estimated weight of a key and its map entry, in typed array entries. */
const keyWeight = 10;
