import type { FacetRows } from "./facet-rows.ts";
import { difference, type PlaceSet, sizeOf } from "./place-set.ts";

/** Places whose terms were counted. */
export interface Counted {
  readonly places: PlaceSet;
  /** By term. */
  readonly counts: Uint32Array;
}

/** How many of some places have each term: by walking over them, or over those of a wider set that are not among them, where these are fewer.
 *  @param within holds them all  @returns the counts of `within` themselves where these are all of its places */
export function countTerms(rows: FacetRows, places: PlaceSet, within: Counted): Uint32Array {
  const others = difference(within.places, places);
  const left = sizeOf(others);
  if (left === 0) return within.counts;
  if (left < sizeOf(places)) {
    const counts = within.counts.slice();
    addTerms(rows, others, counts, -1);
    return counts;
  }
  const counts = new Uint32Array(within.counts.length);
  addTerms(rows, places, counts, 1);
  return counts;
}

function addTerms({ termStarts, terms }: FacetRows, places: PlaceSet, counts: Uint32Array, step: 1 | -1): void {
  for (let word = 0; word < places.length; word += 1)
    for (let left = places[word] as number; left !== 0; left &= left - 1) {
      const place = word * 32 + 31 - Math.clz32(left & -left);
      const end = termStarts[place + 1] as number;
      for (let at = termStarts[place] as number; at < end; at += 1) {
        const id = terms[at] as number;
        counts[id] = (counts[id] as number) + step;
      }
    }
}
