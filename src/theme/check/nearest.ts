/** Returns `: did you mean "money"?`, or an empty string if no known name is similar. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const near = nearest(name, known);
  return near === undefined ? "" : `: did you mean "${near}"?`;
}

/**
 * Returns the known name with the smallest edit distance. A swap of adjacent characters is one edit, and a difference
 * only in case is the smallest distance.
 * @returns undefined if even the nearest name is a different word
 */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const maxDistance = name.length < 3 ? 0 : Math.max(1, Math.floor(name.length / 4));
  let best: string | undefined;
  let minDistance = maxDistance + 1;
  for (const other of known) {
    // A file name without its extension also matches.
    if (minDistance > 1 && other.startsWith(`${name}.`)) return other;
    if (other.toLowerCase() === name.toLowerCase()) return other;
    if (Math.abs(other.length - name.length) >= minDistance) continue;
    const edits = editDistance(name, other);
    if (edits < minDistance) {
      minDistance = edits;
      best = other;
    }
  }
  return best;
}

function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      let cost = Math.min(
        (last[column] as number) + 1,
        (next[column - 1] as number) + 1,
        (last[column - 1] as number) + (isSame ? 0 : 1),
      );
      const isSwap =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (isSwap) cost = Math.min(cost, (beforeLast[column - 2] as number) + 1);
      next.push(cost);
    }
    beforeLast = last;
    last = next;
  }
  return last[right.length] as number;
}
