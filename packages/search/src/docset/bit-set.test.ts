import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { setBit } from "../arrays/bits.ts";
import { type BitSet, BitSets, batchLength } from "./bit-set.ts";
import { EvidenceLevels } from "./evidence-levels.ts";

const bitSets = new BitSets();
const batch = bitSets.allocateBatch();
const size = 40_000;
// Adjacent and distant doc ids, so that vectors, blocks and overview words are empty, partly filled and full.
const docId = fc.oneof(fc.nat({ max: 70 }), fc.nat({ max: size - 1 }), fc.integer({ min: 32_700, max: 32_850 }));
const member = fc.record({
  some: fc.uniqueArray(docId, { maxLength: 60 }),
  // In a set with every third document, for example, hardly any block is empty.
  every: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined, freq: 8 }),
});
type Member = typeof member extends fc.Arbitrary<infer T> ? T : never;

function docIdsOf({ some, every }: Member): number[] {
  const all = every === undefined ? [] : Array.from({ length: Math.floor(size / every) }, (_, at) => at * every);
  return [...new Set([...some, ...all])];
}

/** Creates a set by one of the operations that fill a set. */
function setOf(docIds: readonly number[], kind: number): BitSet {
  const set = bitSets.acquire(size);
  if (kind % 3 === 0) {
    const bits = new Uint32Array(1 + Math.ceil(size / 32));
    for (const at of docIds) setBit(bits, at, 1);
    bitSets.assign(set, bits, 1, bits.length - 1);
  } else if (kind % 3 === 1) bitSets.addDocIds(set, Uint32Array.from([0, ...docIds]), 1, docIds.length + 1);
  else {
    const half = docIds.length >>> 1;
    const more = setOf(docIds.slice(0, half), 1);
    bitSets.addDocIds(set, Uint32Array.from(docIds), half, docIds.length);
    bitSets.union(set, more);
    bitSets.release(more);
  }
  return set;
}

function withSets<T>(members: readonly Member[], use: (sets: BitSet[], all: Set<number>[]) => T): void {
  const all = members.map(docIdsOf);
  const sets = all.map(setOf);
  use(
    sets,
    all.map((docIds) => new Set(docIds)),
  );
  for (const set of sets) bitSets.release(set);
}

/** Returns the doc ids of a range that are in all sets. */
function placesIn(sets: readonly BitSet[], deleted?: BitSet, first = 0, end = size, most = batchLength): number[] {
  const found: number[] = [];
  for (let from = first; ; from = (found.at(-1) ?? 0) + 1) {
    const count = bitSets.findDocIds(sets, deleted, from, end, batch, most);
    for (let entry = 0; entry < count; entry += 1) found.push(bitSets.docIdAt(batch, entry));
    if (count < most) return found;
  }
}

function ascending(docIds: Iterable<number>): number[] {
  return [...docIds].sort((one, other) => one - other);
}

test("documents in all of some sets are found in order, within a range, without those that do not count", () => {
  const asked = fc.record({
    members: fc.array(member, { minLength: 1, maxLength: 4 }),
    deleted: fc.option(member, { nil: undefined }),
    one: docId,
    other: docId,
    most: fc.constantFrom(1, 7, batchLength),
  });
  fc.assert(
    fc.property(asked, ({ members, deleted, one, other, most }) => {
      withSets(deleted === undefined ? members : [...members, deleted], (sets, all) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const asked = sets.slice(0, members.length);
        const gone = sets[members.length];
        const isWanted = (at: number) => all.every((set, index) => set.has(at) === index < members.length);
        const wanted = ascending(all[0] ?? []).filter((at) => at >= from && at < to && isWanted(at));
        assert.deepEqual(placesIn(asked, gone, from, to, most), wanted);
        for (const at of [...(all[0] ?? []), from, to])
          assert.equal(bitSets.has(asked[0] as BitSet, at), all[0]?.has(at));
      });
    }),
  );
});

test("sets are met, changed and moved as the docIds in them are", () => {
  fc.assert(
    fc.property(member, member, member, (...members) => {
      withSets(members, (sets, all) => {
        const [a, b, c] = sets as [BitSet, BitSet, BitSet];
        const [inA, inB, inC] = all as [Set<number>, Set<number>, Set<number>];
        const every = ascending(new Set(members.flatMap(docIdsOf)));
        const expect = (made: (into: BitSet) => void, isWanted: (at: number) => boolean) => {
          const into = bitSets.acquire(size);
          made(into);
          assert.deepEqual(placesIn([into]), every.filter(isWanted));
          bitSets.release(into);
        };
        expect(
          (into) => bitSets.intersect(into, [a, b, c]),
          (at) => inA.has(at) && inB.has(at) && inC.has(at),
        );
      });
    }),
  );
});

test("documents are told apart by the words they hold, those with the heaviest words first", () => {
  const asked = fc.record({
    members: fc.array(member, { minLength: 1, maxLength: 8 }),
    weights: fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { minLength: 8, maxLength: 8 }),
    grounds: fc.array(fc.integer({ min: 1, max: 255 }), { maxLength: 4 }),
    gone: fc.option(member, { nil: undefined }),
  });
  fc.assert(
    fc.property(asked, ({ members, weights, grounds, gone }) => {
      withSets(gone === undefined ? members : [...members, gone], (given, all) => {
        const words = members.map((_, at) => ({
          set: given[at] as BitSet,
          docIds: all[at] as Set<number>,
          weight: weights[at] as number,
          bit: 1 << at,
        }));
        const deleted = given[members.length];
        const combined = words.toSorted((one, other) => other.weight - one.weight).slice(0, 6);
        const holdsAny = (held: typeof words) => {
          const mask = held.reduce((sum, { bit }) => sum | bit, 0);
          return grounds.some((ground) => (mask & ground) === ground);
        };
        /**
         * Returns the sum of the weights of the document's words among the six heaviest. Returns 0 if these words are
         * not sufficient evidence, and undefined if the document is not found.
         */
        const weightOf = (at: number) => {
          const ofCombined = combined.filter(({ docIds }) => docIds.has(at));
          if (holdsAny(ofCombined)) return ofCombined.reduce((sum, { weight }) => sum + weight, 0);
          return holdsAny(words.filter(({ docIds }) => docIds.has(at))) ? 0 : undefined;
        };
        const levels = new EvidenceLevels(bitSets, words, grounds, deleted);
        const found = new Set<number>();
        for (let index = 0, level = levels.level(0); level !== undefined; index += 1, level = levels.level(index)) {
          const { excludedSets } = level;
          for (const at of placesIn(level.sets, deleted))
            if (!excludedSets.some((set) => bitSets.has(set, at))) found.add(at);
        }
        const every = new Set(all.slice(0, members.length).flatMap((set) => [...set]));
        const isWanted = (at: number) => weightOf(at) !== undefined && all[members.length]?.has(at) !== true;
        assert.deepEqual(ascending(found), ascending(every).filter(isWanted));
        const inOrder = [...found].map((at) => weightOf(at) as number);
        assert.deepEqual(
          inOrder,
          inOrder.toSorted((one, other) => other - one),
        );
      });
    }),
    { numRuns: 300 },
  );
});

test("memory of sets that were released is used again", () => {
  const hold = () => Array.from({ length: 20 }, () => bitSets.acquire(1_000_000));
  for (const set of hold()) bitSets.release(set);
  const { byteLength } = bitSets;
  for (let times = 0; times < 20; times += 1) for (const set of hold()) bitSets.release(set);
  assert.equal(bitSets.byteLength, byteLength);
});
