import type { Leaf } from "./index/leaf.ts";

/** What was found out of the words of a leaf; goes with the leaf. */
export type GenerationCache<T> = WeakMap<Leaf, Generations<T>>;

/** What was asked for of late, and what was before that: when the first is full it takes the docId of the second, which is forgotten.
 *  That takes no longer the more there is to forget. */
interface Generations<T> {
  late: Map<string, T>;
  before: Map<string, T>;
  /** Of `late`. */
  weight: number;
}

/** What is kept of one leaf and generation at most: words, and the entries of what they stand for. */
const mostWeight = 100_000;
/** What is heavier is not kept. */
const mostOfOne = 5_000;
/** What a key and its docId in the map weigh. */
const perEntry = 10;

export function createGenerationCache<T>(): GenerationCache<T> {
  return new WeakMap();
}

/** What `find` finds, from memory where it is known.
 *  @param weight of an answer, in entries */
export function cached<T>(
  memory: GenerationCache<T>,
  leaf: Leaf,
  key: string,
  weight: (found: T) => number,
  find: () => T,
): T {
  let ofLeaf = memory.get(leaf);
  if (ofLeaf === undefined) {
    ofLeaf = { late: new Map(), before: new Map(), weight: 0 };
    memory.set(leaf, ofLeaf);
  }
  const late = ofLeaf.late.get(key);
  if (late !== undefined) return late;
  const found = ofLeaf.before.get(key) ?? find();
  const more = weight(found) + perEntry;
  if (more > mostOfOne) return found;
  if (ofLeaf.weight + more > mostWeight) {
    ofLeaf.before = ofLeaf.late;
    ofLeaf.late = new Map();
    ofLeaf.weight = 0;
  }
  ofLeaf.late.set(key, found);
  ofLeaf.weight += more;
  return found;
}

/** What is cached, without finding it out. */
export function peek<T>(memory: GenerationCache<T>, leaf: Leaf, key: string): T | undefined {
  const ofLeaf = memory.get(leaf);
  return ofLeaf?.late.get(key) ?? ofLeaf?.before.get(key);
}
