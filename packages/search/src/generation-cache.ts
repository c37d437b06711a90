/** A cache in two generations, bounded by weight: when the younger is full it becomes the older, and what was the older is dropped.
 *  Dropping costs the same however much there is, which an order of last use over so many small entries would not. */
export class GenerationCache<T, K = string> {
  #young = new Map<K, T>();
  #old = new Map<K, T>();
  /** Of the younger generation. */
  #weight = 0;

  /** The value of a key, made where it is not known.
   *  @param weightOf what a value weighs, in entries of typed arrays */
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

  /** Counts what the value that `get` returned last weighs more since. */
  grow(weight: number): void {
    this.#weight += weight;
  }

  /** The value of a key where it is known. */
  peek(key: K): T | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }
}

/** What one generation weighs at most. */
const maxGenerationWeight = 100_000;
/** Values that weigh more are not kept. */
const maxValueWeight = 5_000;
/** What a key and its slot in the map weigh. */
const keyWeight = 10;
