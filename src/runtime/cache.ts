import { LRUCache } from "lru-cache";

/** A cache that removes the least recently used values when it exceeds its weight limit. */
export interface Cache<K extends {}, V extends {}> {
  /** Returns the value of a key; undefined if it is missing, expired, or not current. */
  get(key: K): V | undefined;
  /** Stores a value, unless it is heavier than the limit of the cache. A promise is removed if it rejects. */
  set(key: K, value: V): void;
  delete(key: K): void;
  /** Returns the value of a key, or creates and stores it if it is missing. */
  getOrCreate(key: K, createValue: () => V): V;
}

export interface CacheOptions<K, V> {
  /** Label in `/metrics`. Caches with the same name are counted together. */
  readonly name: string;
  /** Maximum total weight. Above it, the least recently used values are removed. */
  readonly maxWeight: number;
  /** Returns the weight of a value, a positive integer, such as its size in bytes. Default: 1. */
  readonly weigh?: (value: V, key: K) => number;
  /** Maximum age of a value in milliseconds. Default: no limit. */
  readonly maxAgeMs?: number;
  /**
   * Returns the current time in milliseconds. If the clock is set back, values with a later time expire. Default: a
   * monotonic clock.
   */
  readonly now?: () => number;
  /**
   * Returns a value that identifies the current version of the data, such as a snapshot. A new value clears the cache.
   */
  readonly epoch?: () => unknown;
  /** Returns whether a value is still correct. Default: always true. */
  readonly isCurrent?: (value: V) => boolean;
}

export function createCache<K extends {}, V extends {}>(options: CacheOptions<K, V>): Cache<K, V> {
  const { name, maxWeight, weigh = () => 1, maxAgeMs, now = () => performance.now(), epoch, isCurrent } = options;
  // With the option `max`, the constructor allocates memory for all entries, which takes milliseconds.
  const entries = new LRUCache<K, Entry<V>>({ maxSize: maxWeight });
  let currentEpoch = epoch?.();

  const clearIfOutdated = (): void => {
    const newestEpoch = epoch?.();
    if (newestEpoch === currentEpoch) return;
    currentEpoch = newestEpoch;
    entries.clear();
  };
  const isUsableEntry = ({ value, storedAt }: Entry<V>): boolean =>
    (maxAgeMs === undefined || Math.abs(now() - storedAt) < maxAgeMs) && isCurrent?.(value) !== false;
  const cache = {
    get weight() {
      return entries.calculatedSize;
    },
    get(key: K): V | undefined {
      if (epoch !== undefined) clearIfOutdated();
      const entry = entries.get(key);
      if (entry !== undefined && isUsableEntry(entry)) {
        counts.hits += 1;
        return entry.value;
      }
      if (entry !== undefined) entries.delete(key);
      counts.misses += 1;
      return undefined;
    },
    set(key: K, value: V): void {
      if (epoch !== undefined) clearIfOutdated();
      const entry = { value, storedAt: maxAgeMs === undefined ? 0 : now() };
      entries.set(key, entry, { size: weigh(value, key) });
      if (value instanceof Promise)
        value.catch(() => {
          if (entries.peek(key) === entry) entries.delete(key);
        });
    },
    delete: (key: K): void => void entries.delete(key),
    getOrCreate(key: K, createValue: () => V): V {
      const existingValue = cache.get(key);
      if (existingValue !== undefined) return existingValue;
      const value = createValue();
      cache.set(key, value);
      return value;
    },
  };
  const counts = registerCache(name, cache);
  return cache;
}

interface Entry<V> {
  readonly value: V;
  /** Time at which the value was stored; 0 if the cache has no age limit. */
  readonly storedAt: number;
}

/**
 * Returns a function that caches one value per object. The value is created at the first call and garbage collected
 * with the object.
 * @param createValue receives the object and the arguments of the first call
 */
export function memoizePerObject<O extends object, V extends {}, Rest extends readonly unknown[] = []>(
  createValue: (object: O, ...rest: Rest) => V,
): (object: O, ...rest: Rest) => V {
  const values = new WeakMap<O, V>();
  return (object, ...rest) => {
    let value = values.get(object);
    if (value === undefined) {
      value = createValue(object, ...rest);
      values.set(object, value);
    }
    return value;
  };
}

/** Returns the value of a key, or creates and stores it if it is missing. */
export function getOrCreate<K, V>(values: Map<K, V>, key: K, createValue: () => V): V {
  const existingValue = values.get(key);
  if (existingValue !== undefined || values.has(key)) return existingValue as V;
  const value = createValue();
  values.set(key, value);
  return value;
}

/** Statistics of all caches with the same name in this thread. Hits and misses include caches that no longer exist. */
export interface CacheStatistics {
  readonly hits: number;
  readonly misses: number;
  readonly weight: number;
}

interface WeightedCache {
  readonly weight: number;
}

class CacheCounts implements CacheStatistics {
  hits = 0;
  misses = 0;
  /** The references are weak, because some caches belong to a catalog and are garbage collected with it. */
  #caches: WeakRef<WeightedCache>[] = [];
  /** Number of references above which `add` removes those to garbage-collected caches. */
  #maxCaches = 16;

  add(cache: WeightedCache): void {
    this.#caches.push(new WeakRef(cache));
    if (this.#caches.length <= this.#maxCaches) return;
    this.#caches = this.#caches.filter((reference) => reference.deref() !== undefined);
    this.#maxCaches = 2 * this.#caches.length;
  }

  get weight(): number {
    return this.#caches.reduce((sum, reference) => sum + (reference.deref()?.weight ?? 0), 0);
  }
}

const countsByName = new Map<string, CacheCounts>();

/** Adds a cache to the statistics of its name.  @returns the counters of hits and misses for the cache */
export function registerCache(name: string, cache: WeightedCache): Pick<CacheCounts, "hits" | "misses"> {
  const counts = getOrCreate(countsByName, name, () => new CacheCounts());
  counts.add(cache);
  return counts;
}

export const cacheStatistics: ReadonlyMap<string, CacheStatistics> = countsByName;
