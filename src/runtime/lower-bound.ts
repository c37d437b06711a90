/**
 * Returns the first index from `from` to `to` for which `isBefore` is false, by binary search. Returns `to` if there is
 * none.
 * @param isBefore must be true for the start of the range and false for the rest
 */
export function lowerBound(from: number, to: number, isBefore: (index: number) => boolean): number {
  let lowIndex = from;
  let highIndex = to;
  while (lowIndex < highIndex) {
    const middleIndex = (lowIndex + highIndex) >>> 1;
    if (isBefore(middleIndex)) lowIndex = middleIndex + 1;
    else highIndex = middleIndex;
  }
  return lowIndex;
}
