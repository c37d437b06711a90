/** Returns the count of numbers that occur in both lists. Both lists have the same order. */
export function countOverlap(subset: Uint32Array, superset: Uint32Array): number {
  let sharedCount = 0;
  for (const number of superset) if (number === subset[sharedCount]) sharedCount += 1;
  return sharedCount;
}

export function concatenate(lists: readonly (Uint32Array | readonly number[])[]): Uint32Array {
  const allNumbers = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const list of lists) {
    allNumbers.set(list, end);
    end += list.length;
  }
  return allNumbers;
}
