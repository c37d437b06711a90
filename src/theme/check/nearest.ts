/** Returns `: did you mean "money"?`, or an empty string if no known name is similar. */
export function suggestName(name: string, knownNames: Iterable<string>): string {
  const nearestName = findNearestName(name, knownNames);
  return nearestName === undefined ? "" : `: did you mean "${nearestName}"?`;
}

/**
 * Returns the known name with the smallest edit distance. Swapping two adjacent characters counts as one edit. A name
 * that differs only in case is the nearest.
 * @returns undefined if no known name is similar
 */
export function findNearestName(name: string, knownNames: Iterable<string>): string | undefined {
  const maxDistance = name.length < 3 ? 0 : Math.max(1, Math.floor(name.length / 4));
  let bestName: string | undefined;
  let minDistance = maxDistance + 1;
  for (const knownName of knownNames) {
    // A file name without its extension also matches.
    if (minDistance > 1 && knownName.startsWith(`${name}.`)) return knownName;
    if (knownName.toLowerCase() === name.toLowerCase()) return knownName;
    if (Math.abs(knownName.length - name.length) >= minDistance) continue;
    const distance = countEdits(name, knownName);
    if (distance < minDistance) {
      minDistance = distance;
      bestName = knownName;
    }
  }
  return bestName;
}

function countEdits(left: string, right: string): number {
  let secondLastRow: number[] = [];
  let previousRow = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const currentRow = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSameLetter = left[row - 1] === right[column - 1];
      let cost = Math.min(
        (previousRow[column] as number) + 1,
        (currentRow[column - 1] as number) + 1,
        (previousRow[column - 1] as number) + (isSameLetter ? 0 : 1),
      );
      const isTransposition =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (isTransposition) cost = Math.min(cost, (secondLastRow[column - 2] as number) + 1);
      currentRow.push(cost);
    }
    secondLastRow = previousRow;
    previousRow = currentRow;
  }
  return previousRow[right.length] as number;
}
