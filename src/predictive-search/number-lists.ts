/** Returns the count of numbers that occur in both lists. Both lists have the same order. */
export function countSharedNumbers(subset: Uint32Array, superset: Uint32Array): number {
  let overlapCount = 0;
  for (const number of superset) if (number === subset[overlapCount]) overlapCount += 1;
  return overlapCount;
}

export function joinNumberLists(numberLists: readonly (Uint32Array | readonly number[])[]): Uint32Array {
  const allNumbers = new Uint32Array(numberLists.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const list of numberLists) {
    allNumbers.set(list, end);
    end += list.length;
  }
  return allNumbers;
}
