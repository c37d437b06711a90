import type { Range } from "./dictionary.ts";
import type { Phrases } from "./phrases.ts";

/** Places of phrases in a range, the heaviest first, the earlier of equals first. Each costs some steps for each halving of all
 *  phrases, however wide the range: a tree knows the heaviest of every stretch. */
export function* heaviest(phrases: Phrases, { low, high }: Range): Generator<number, void> {
  if (low >= high) return;
  const tree = treeOf(phrases.weights);
  // Ranges that are still to be looked into, by the heaviest place in each: a heap with the best on top.
  const heap: Found[] = [];
  const add = (from: number, to: number): void => {
    if (from < to) push(heap, { place: heaviestIn(tree, phrases.weights, from, to), from, to }, phrases.weights);
  };
  add(low, high);
  for (let best = pop(heap, phrases.weights); best !== undefined; best = pop(heap, phrases.weights)) {
    yield best.place;
    add(best.from, best.place);
    add(best.place + 1, best.to);
  }
}

interface Found {
  readonly place: number;
  readonly from: number;
  readonly to: number;
}

/** By weights: node n has the children 2n and 2n + 1; leaves stand from `weights.length` on; each holds the place of its heaviest.
 *
 *      weights   5 2 9            leaves   3  4  5
 *                                 places   0  1  2      node 2: 1 or 2 -> 2      node 1: node 2 or leaf 3 -> 2 */
const trees = new WeakMap<Uint32Array, Uint32Array>();

function treeOf(weights: Uint32Array): Uint32Array {
  let tree = trees.get(weights);
  if (tree === undefined) {
    const count = weights.length;
    tree = new Uint32Array(count * 2);
    for (let place = 0; place < count; place += 1) tree[count + place] = place;
    for (let node = count - 1; node > 0; node -= 1)
      tree[node] = heavier(weights, tree[node * 2] as number, tree[node * 2 + 1] as number);
    trees.set(weights, tree);
  }
  return tree;
}

function heaviestIn(tree: Uint32Array, weights: Uint32Array, from: number, to: number): number {
  let best = from;
  let left = from + weights.length;
  let right = to + weights.length;
  while (left < right) {
    if (left & 1) best = heavier(weights, best, tree[left++] as number);
    if (right & 1) best = heavier(weights, best, tree[--right] as number);
    left >>= 1;
    right >>= 1;
  }
  return best;
}

function heavier(weights: Uint32Array, one: number, other: number): number {
  return isBefore(weights, one, other) ? one : other;
}

function isBefore(weights: Uint32Array, one: number, other: number): boolean {
  const difference = (weights[one] as number) - (weights[other] as number);
  return difference > 0 || (difference === 0 && one <= other);
}

function push(heap: Found[], found: Found, weights: Uint32Array): void {
  let at = heap.length;
  heap.push(found);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isBefore(weights, found.place, (heap[parent] as Found).place)) break;
    heap[at] = heap[parent] as Found;
    at = parent;
  }
  heap[at] = found;
}

function pop(heap: Found[], weights: Uint32Array): Found | undefined {
  const best = heap[0];
  const last = heap.pop();
  if (best === undefined || last === undefined || heap.length === 0) return best;
  let at = 0;
  for (let child = 1; child < heap.length; child = at * 2 + 1) {
    const next = child + 1;
    if (next < heap.length && isBefore(weights, (heap[next] as Found).place, (heap[child] as Found).place))
      child = next;
    if (isBefore(weights, last.place, (heap[child] as Found).place)) break;
    heap[at] = heap[child] as Found;
    at = child;
  }
  heap[at] = last;
  return best;
}
