/** Keeps what was used last. */
export interface Lru<V> {
  get(key: number): V | undefined;
  set(key: number, value: V): void;
}

export function createLru<V>(max: number): Lru<V> {
  const values = new Map<number, V>();
  return {
    get(key) {
      const value = values.get(key);
      if (value === undefined) return undefined;
      // A map keeps the order in which keys were set: the first is the one not used for longest.
      values.delete(key);
      values.set(key, value);
      return value;
    },
    set(key, value) {
      values.set(key, value);
      if (values.size <= max) return;
      const [oldest] = values.keys();
      if (oldest !== undefined) values.delete(oldest);
    },
  };
}
