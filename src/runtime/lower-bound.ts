/**
 * Returns the first index from `from` to `to` for which `isBefore` is false, by binary search. Returns `to` if there is
 * none.
 * @param isBefore true for a first part of the range and false for the remaining part
 */
export function lowerBound(from: number, to: number, isBefore: (index: number) => boolean): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
