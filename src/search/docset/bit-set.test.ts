import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { setBit } from "../arrays/bits.ts";
import {
  acquireBitSet,
  addDocIds,
  type BitSet,
  batchLength,
  docIdAt,
  fillWords,
  findDocIds,
  hasDoc,
  intersect,
  releaseBitSet,
  select,
  symmetricDifference,
  unite,
} from "./bit-set.ts";
import { type Found, findTopCoordination } from "./coordination.ts";
import { memoryWords } from "./kernel.ts";

const size = 40_000;
// Neighbours and docIds far apart, so that vectors, blocks and words of the overview are met full, empty and in between.
const docId = fc.oneof(fc.nat({ max: 70 }), fc.nat({ max: size - 1 }), fc.integer({ min: 32_700, max: 32_850 }));
const member = fc.record({
  some: fc.uniqueArray(docId, { maxLength: 60 }),
  // With every third, say, hardly any block is empty.
  every: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined, freq: 8 }),
});
type Member = typeof member extends fc.Arbitrary<infer T> ? T : never;

function filterOf({ some, every }: Member): number[] {
  const all = every === undefined ? [] : Array.from({ length: Math.floor(size / every) }, (_, at) => at * every);
  return [...new Set([...some, ...all])];
}

/** The docIds as a set, made in one of the matchKinds in which sets are made. */
function setOf(docIds: readonly number[], kind: number): BitSet {
  const set = acquireBitSet(size);
  if (kind % 3 === 0) {
    const bits = new Uint32Array(1 + Math.ceil(size / 32));
    for (const at of docIds) setBit(bits, at, 1);
    fillWords(set, bits, 1, bits.length - 1);
  } else if (kind % 3 === 1) addDocIds(set, Uint32Array.from([0, ...docIds]), 1, docIds.length + 1);
  else {
    const half = docIds.length >>> 1;
    const more = setOf(docIds.slice(0, half), 1);
    addDocIds(set, Uint32Array.from(docIds), half, docIds.length);
    unite(set, more);
    releaseBitSet(more);
  }
  return set;
}

function withSets<T>(members: readonly Member[], use: (sets: BitSet[], all: Set<number>[]) => T): void {
  const all = members.map(filterOf);
  const sets = all.map(setOf);
  use(
    sets,
    all.map((docIds) => new Set(docIds)),
  );
  for (const set of sets) releaseBitSet(set);
}

/** All docIds of a partition in all of some sets. */
function placesIn(sets: readonly BitSet[], deleted?: BitSet, first = 0, end = size, most = batchLength): number[] {
  const found: number[] = [];
  for (let from = first; ; from = (found.at(-1) ?? 0) + 1) {
    const count = findDocIds(sets, deleted, from, end, 1, most);
    for (let entry = 0; entry < count; entry += 1) found.push(docIdAt(1, entry));
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
        for (const at of [...(all[0] ?? []), from, to]) assert.equal(hasDoc(asked[0] as BitSet, at), all[0]?.has(at));
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
        const every = ascending(new Set(members.flatMap(filterOf)));
        const expect = (made: (into: BitSet) => void, isWanted: (at: number) => boolean) => {
          const into = acquireBitSet(size);
          made(into);
          assert.deepEqual(placesIn([into]), every.filter(isWanted));
          releaseBitSet(into);
        };
        expect(
          (into) => intersect(into, [a, b, c]),
          (at) => inA.has(at) && inB.has(at) && inC.has(at),
        );
        expect(
          (into) => symmetricDifference(into, a, b),
          (at) => inA.has(at) !== inB.has(at),
        );
        expect(
          (into) => select(into, a, b, c),
          (at) => (inC.has(at) ? inB.has(at) : inA.has(at)),
        );
      });
    }),
  );
});

test("what most sets hold is what counting each document finds", () => {
  const asked = fc.record({
    members: fc.array(member, { minLength: 1, maxLength: 16 }),
    // Told to be small a set is looked at alone, told to be large with all others.
    sizes: fc.array(fc.constantFrom(1, size), { minLength: 16, maxLength: 16 }),
    below: fc.integer({ min: 1, max: 18 }),
    gone: fc.option(member, { nil: undefined }),
    hasLess: fc.boolean(),
    isRecounted: fc.boolean(),
  });
  fc.assert(
    fc.property(asked, ({ members, sizes, below, gone, hasLess, isRecounted }) => {
      withSets(gone === undefined ? members : [...members, gone], (given, all) => {
        const sets = given.slice(0, members.length);
        const counts = new Map<number, number>();
        for (const set of all.slice(0, members.length)) for (const at of set) counts.set(at, (counts.get(at) ?? 0) + 1);
        const deleted = given[members.length];
        const isGone = (at: number) => all[members.length]?.has(at) === true;
        const held = [...counts].filter(([at, count]) => !isGone(at) && count < below);
        const count = Math.max(0, ...held.map(([, times]) => times));
        const found: Found = { most: acquireBitSet(size), ...(hasLess && { less: acquireBitSet(size) }) };
        const recount = isRecounted && { recount: (at: number) => counts.get(at) ?? 0 };
        assert.equal(findTopCoordination({ sets, sizes, size, below, deleted, ...recount }, found), count);
        const termScores = (words: number) => ascending(held.filter(([, times]) => times === words).map(([at]) => at));
        assert.deepEqual(placesIn([found.most], deleted), termScores(count));
        if (found.less !== undefined && count > 1)
          assert.deepEqual(placesIn([found.less], deleted), termScores(count - 1));
        for (const set of [found.most, found.less]) if (set !== undefined) releaseBitSet(set);
      });
    }),
    { numRuns: 300 },
  );
});

test("the memory of sets that nobody gave back is used again", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const lose = async () => {
    for (let times = 0; times < 20; times += 1) acquireBitSet(1_000_000);
    collectGarbage();
    // What was collected is told of later.
    await setTimeout(10);
  };
  await lose();
  const { length } = memoryWords;
  for (let times = 0; times < 20; times += 1) await lose();
  assert.equal(memoryWords.length, length);
});
