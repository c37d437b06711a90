/**
 * The first index from `from` to `to` for which `isBefore` is false; `to` if there is none. Takes a logarithmic number
 * of steps.
 * @param isBefore true at the start of the range and false for the rest
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
