import type { Part } from "./part.ts";

/** What was found out of the words of a part; goes with the part. */
export type Memory<T> = WeakMap<Part, Generations<T>>;

/** What was asked for of late, and what was before that: when the first is full it takes the place of the second, which is forgotten.
 *  That takes no longer the more there is to forget. */
interface Generations<T> {
  late: Map<string, T>;
  before: Map<string, T>;
  /** Of `late`. */
  weight: number;
}

/** What is kept of one part and generation at most: words, and the entries of what they stand for. */
const mostWeight = 100_000;
/** What is heavier is not kept. */
const mostOfOne = 5_000;
/** What a key and its place in the map weigh. */
const perEntry = 10;

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
    ofPart = { late: new Map(), before: new Map(), weight: 0 };
    memory.set(part, ofPart);
  }
  const late = ofPart.late.get(key);
  if (late !== undefined) return late;
  const found = ofPart.before.get(key) ?? find();
  const more = weight(found) + perEntry;
  if (more > mostOfOne) return found;
  if (ofPart.weight + more > mostWeight) {
    ofPart.before = ofPart.late;
    ofPart.late = new Map();
    ofPart.weight = 0;
  }
  ofPart.late.set(key, found);
  ofPart.weight += more;
  return found;
}

/** What is remembered, without finding it out. */
export function recalled<T>(memory: Memory<T>, part: Part, key: string): T | undefined {
  const ofPart = memory.get(part);
  return ofPart?.late.get(key) ?? ofPart?.before.get(key);
}
