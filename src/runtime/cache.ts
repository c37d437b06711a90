import { LRUCache } from "lru-cache";

/** Values by key, the most recently used ones within a limit of weight. */
export interface Cache<K extends {}, V extends {}> {
  /** Undefined if the value is missing, too old, or not current. */
  get(key: K): V | undefined;
  /** Does not store a value that is heavier than the whole cache. A promise that rejects is removed. */
  set(key: K, value: V): void;
  delete(key: K): void;
  /** Like `get`; creates and stores a missing value. */
  getOrCreate(key: K, create: () => V): V;
}

export interface CacheOptions<K, V> {
  /** Label in `/metrics`. Caches of the same name are counted together. */
  readonly name: string;
  /** The least recently used values are removed above this weight. */
  readonly maxWeight: number;
  /** A positive integer, often bytes. Default: 1. */
  readonly weigh?: (value: V, key: K) => number;
  /** Milliseconds from `set` during which a value is returned. Default: no limit. */
  readonly maxAgeMs?: number;
  /** Current time in milliseconds. If the clock is set back, values with a later time expire. Default: a monotonic clock. */
  readonly now?: () => number;
  /** A new epoch (another snapshot) clears the cache. */
  readonly epoch?: () => unknown;
  /** Whether the value would be created the same now. Default: always. */
  readonly isCurrent?: (value: V) => boolean;
}

export function createCache<K extends {}, V extends {}>(options: CacheOptions<K, V>): Cache<K, V> {
  const { name, maxWeight, weigh, maxAgeMs, now = () => performance.now(), epoch, isCurrent } = options;
  const entries = new LRUCache<K, Entry<V>>(weigh === undefined ? { max: maxWeight } : { maxSize: maxWeight });
  let current = epoch?.();

  const clearOldEpoch = (): void => {
    const newest = epoch?.();
    if (newest === current) return;
    current = newest;
    entries.clear();
  };
  const isUsable = ({ value, storedAt }: Entry<V>): boolean =>
    (maxAgeMs === undefined || Math.abs(now() - storedAt) < maxAgeMs) && isCurrent?.(value) !== false;
  const cache = {
    get weight() {
      return weigh === undefined ? entries.size : entries.calculatedSize;
    },
    get(key: K): V | undefined {
      if (epoch !== undefined) clearOldEpoch();
      const entry = entries.get(key);
      if (entry !== undefined && isUsable(entry)) {
        counts.hits += 1;
        return entry.value;
      }
      if (entry !== undefined) entries.delete(key);
      counts.misses += 1;
      return undefined;
    },
    set(key: K, value: V): void {
      if (epoch !== undefined) clearOldEpoch();
      const entry = { value, storedAt: maxAgeMs === undefined ? 0 : now() };
      if (weigh === undefined) entries.set(key, entry);
      else entries.set(key, entry, { size: weigh(value, key) });
      if (value instanceof Promise)
        value.catch(() => {
          if (entries.peek(key) === entry) entries.delete(key);
        });
    },
    delete: (key: K): void => void entries.delete(key),
    getOrCreate(key: K, create: () => V): V {
      const known = cache.get(key);
      if (known !== undefined) return known;
      const value = create();
      cache.set(key, value);
      return value;
    },
  };
  const counts = countCache(name, cache);
  return cache;
}

interface Entry<V> {
  readonly value: V;
  /** 0 if the cache has no age limit. */
  readonly storedAt: number;
}

/** A value for each object, created at its first use and collected with the object.
 *  @param create receives the arguments of the first call for the object */
export function perObject<O extends object, V extends {}, Rest extends readonly unknown[] = []>(
  create: (object: O, ...rest: Rest) => V,
): (object: O, ...rest: Rest) => V {
  const values = new WeakMap<O, V>();
  return (object, ...rest) => {
    let value = values.get(object);
    if (value === undefined) {
      value = create(object, ...rest);
      values.set(object, value);
    }
    return value;
  };
}

/** Returns the value of a key, created at its first use. */
export function getOrCreate<K, V>(values: Map<K, V>, key: K, create: () => V): V {
  const known = values.get(key);
  if (known !== undefined || values.has(key)) return known as V;
  const value = create();
  values.set(key, value);
  return value;
}

/** The caches of one name in this thread. Hits and misses include collected caches. */
export interface CacheStatistics {
  readonly hits: number;
  readonly misses: number;
  readonly weight: number;
}

interface Weighed {
  readonly weight: number;
}

class Counts implements CacheStatistics {
  hits = 0;
  misses = 0;
  /** Weak, because some caches are created for a catalog and collected with it. */
  #caches: readonly WeakRef<Weighed>[] = [];

  add(cache: Weighed): void {
    this.#caches = [...this.#caches.filter((one) => one.deref() !== undefined), new WeakRef(cache)];
  }

  get weight(): number {
    return this.#caches.reduce((sum, one) => sum + (one.deref()?.weight ?? 0), 0);
  }
}

const countsByName = new Map<string, Counts>();

/** Adds a cache to the counts of its name.
 *  @returns where the cache counts its hits and misses */
export function countCache(name: string, cache: Weighed): Pick<Counts, "hits" | "misses"> {
  const counts = countsByName.get(name) ?? new Counts();
  countsByName.set(name, counts);
  counts.add(cache);
  return counts;
}

/** By name. */
export const cacheStatistics: ReadonlyMap<string, CacheStatistics> = countsByName;
