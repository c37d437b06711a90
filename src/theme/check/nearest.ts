import { countEdits } from "@vitrine/search";

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
