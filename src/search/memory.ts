import type { Part } from "./part.ts";

/** What was found out of the words of a part; goes with the part. */
export type Memory<T> = WeakMap<Part, { readonly known: Map<string, T>; weight: number }>;

/** What is kept of one part at most: words, and the entries of what they stand for. What came first goes first. */
const mostWeight = 200_000;
/** What is heavier is not kept. */
const mostOfOne = 5_000;

export function createMemory<T>(): Memory<T> {
  return new WeakMap();
}

/** What `find` finds, from memory where it is known.
 *  @param weight of an answer, in entries */
export function remembered<T>(
  memory: Memory<T>,
  part: Part,
  key: string,
  weight: (found: T) => number,
  find: () => T,
): T {
  let ofPart = memory.get(part);
  if (ofPart === undefined) {
    ofPart = { known: new Map(), weight: 0 };
    memory.set(part, ofPart);
  }
  const known = ofPart.known.get(key);
  if (known !== undefined) return known;
  const found = find();
  const more = weight(found) + perEntry;
  if (more > mostOfOne) return found;
  ofPart.weight += more;
  while (ofPart.weight > mostWeight) {
    const [first] = ofPart.known;
    if (first === undefined) break;
    ofPart.known.delete(first[0]);
    ofPart.weight -= weight(first[1]) + perEntry;
  }
  ofPart.known.set(key, found);
  return found;
}

/** What a key and its place in the map weigh. */
const perEntry = 10;
