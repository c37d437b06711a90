import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { setBit } from "../arrays/bits.ts";
import { type BitSet, BitSets, batchLength } from "./bit-set.ts";
import { WordCombinations } from "./evidence-levels.ts";

const bitSets = new BitSets();
const batch = bitSets.allocateBatch();
const size = 40_000;
const rounds = Number(process.env.VITRINE_ROUNDS ?? 100);
// Adjacent and distant document ids, so that parts of a bit set are empty, partly filled and full.
const docId = fc.oneof(fc.nat({ max: 70 }), fc.nat({ max: size - 1 }), fc.integer({ min: 32_700, max: 32_850 }));
const member = fc.record({
  listedIds: fc.uniqueArray(docId, { maxLength: 60 }),
  // Some sets also contain every n-th document, so that hardly any block of the set is empty.
  step: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined, freq: 8 }),
});
type Member = typeof member extends fc.Arbitrary<infer T> ? T : never;

function docIdsOf({ listedIds, step }: Member): number[] {
  const intervalIds = step === undefined ? [] : Array.from({ length: Math.floor(size / step) }, (_, at) => at * step);
  return [...new Set([...listedIds, ...intervalIds])];
}

/** Creates a bit set.  @param kind selects the operation that fills the set */
function createSet(docIds: readonly number[], kind: number): BitSet {
  const set = bitSets.acquire(size);
  if (kind % 3 === 0) {
    const bits = new Uint32Array(1 + Math.ceil(size / 32));
    for (const memberId of docIds) setBit(bits, memberId, 1);
    bitSets.assign(set, bits, 1, bits.length - 1);
  } else if (kind % 3 === 1) bitSets.addDocIds(set, Uint32Array.from([0, ...docIds]).subarray(1));
  else {
    const halfLength = docIds.length >>> 1;
    const secondHalf = createSet(docIds.slice(0, halfLength), 1);
    bitSets.addDocIds(set, Uint32Array.from(docIds).subarray(halfLength));
    bitSets.union(set, secondHalf);
    bitSets.release(secondHalf);
  }
  return set;
}

function withSets<T>(members: readonly Member[], run: (sets: BitSet[], docIdSets: Set<number>[]) => T): void {
  const docIdLists = members.map(docIdsOf);
  const sets = docIdLists.map(createSet);
  run(
    sets,
    docIdLists.map((docIds) => new Set(docIds)),
  );
  for (const set of sets) bitSets.release(set);
}

/** Returns the document ids of a range that are in all sets. */
function listDocIds(
  sets: readonly BitSet[],
  deletedSet?: BitSet,
  first = 0,
  end = size,
  maxCount = batchLength,
): number[] {
  const docIds: number[] = [];
  for (let from = first; ; from = (docIds.at(-1) ?? 0) + 1) {
    const count = bitSets.findDocIds(sets, deletedSet, from, end, batch, maxCount);
    for (let entry = 0; entry < count; entry += 1) docIds.push(bitSets.docIdAt(batch, entry));
    if (count < maxCount) return docIds;
  }
}

function sortAscending(docIds: Iterable<number>): number[] {
  return [...docIds].sort((a, b) => a - b);
}

test("the documents in all sets are found in order, within a range, without deleted ones", () => {
  const searchCases = fc.record({
    members: fc.array(member, { minLength: 1, maxLength: 4 }),
    deleted: fc.option(member, { nil: undefined }),
    bound: docId,
    otherBound: docId,
    maxCount: fc.constantFrom(1, 7, batchLength),
  });
  fc.assert(
    fc.property(searchCases, ({ members, deleted: deletedMember, bound, otherBound, maxCount }) => {
      withSets(deletedMember === undefined ? members : [...members, deletedMember], (sets, docIdSets) => {
        const [from, to] = [Math.min(bound, otherBound), Math.max(bound, otherBound)];
        const memberSets = sets.slice(0, members.length);
        const deletedSet = sets[members.length];
        const isExpected = (at: number) => docIdSets.every((set, index) => set.has(at) === index < members.length);
        const expectedIds = sortAscending(docIdSets[0] ?? []).filter((at) => at >= from && at < to && isExpected(at));
        assert.deepEqual(listDocIds(memberSets, deletedSet, from, to, maxCount), expectedIds);
        for (const docId of [...(docIdSets[0] ?? []), from, to])
          assert.equal(bitSets.has(memberSets[0] as BitSet, docId), docIdSets[0]?.has(docId));
      });
    }),
  );
});

test("the intersection of bit sets equals that of sets of doc ids", () => {
  fc.assert(
    fc.property(member, member, member, (...members) => {
      withSets(members, (sets, docIdSets) => {
        const [a, b, c] = sets as [BitSet, BitSet, BitSet];
        const [inA, inB, inC] = docIdSets as [Set<number>, Set<number>, Set<number>];
        const allDocIds = sortAscending(new Set(members.flatMap(docIdsOf)));
        const expectResult = (fill: (target: BitSet) => void, isExpected: (at: number) => boolean) => {
          const target = bitSets.acquire(size);
          fill(target);
          assert.deepEqual(listDocIds([target]), allDocIds.filter(isExpected));
          bitSets.release(target);
        };
        expectResult(
          (target) => bitSets.intersect(target, [a, b, c]),
          (at) => inA.has(at) && inB.has(at) && inC.has(at),
        );
      });
    }),
  );
});

test("documents are grouped by the words that they contain, those with the heaviest words first", () => {
  const searchCases = fc.record({
    members: fc.array(member, { minLength: 1, maxLength: 8 }),
    weights: fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { minLength: 8, maxLength: 8 }),
    sufficientMasks: fc.array(fc.integer({ min: 1, max: 255 }), { maxLength: 4 }),
    deletedMember: fc.option(member, { nil: undefined }),
  });
  fc.assert(
    fc.property(searchCases, ({ members, weights, sufficientMasks, deletedMember }) => {
      withSets(deletedMember === undefined ? members : [...members, deletedMember], (memberSets, docIdSets) => {
        const words = members.map((_, at) => ({
          set: memberSets[at] as BitSet,
          docIds: docIdSets[at] as Set<number>,
          weight: weights[at] as number,
          wordBit: 1 << at,
        }));
        const deletedSet = memberSets[members.length];
        const combinedWords = words.toSorted((a, b) => b.weight - a.weight).slice(0, 6);
        const hasSufficientWords = (containedWords: typeof words) => {
          const mask = containedWords.reduce((sum, { wordBit }) => sum | wordBit, 0);
          return sufficientMasks.some((sufficientMask) => (mask & sufficientMask) === sufficientMask);
        };
        /**
         * Returns the total weight of a document's words, of which only the six heaviest query words count. Returns 0
         * if the document matches only because of its other words, and undefined if it does not match.
         */
        const expectedWeight = (at: number) => {
          const combinedMatches = combinedWords.filter(({ docIds }) => docIds.has(at));
          if (hasSufficientWords(combinedMatches)) return combinedMatches.reduce((sum, { weight }) => sum + weight, 0);
          return hasSufficientWords(words.filter(({ docIds }) => docIds.has(at))) ? 0 : undefined;
        };
        const levels = new WordCombinations(bitSets, words, sufficientMasks, deletedSet);
        const docIds = new Set<number>();
        for (let index = 0, level = levels.level(0); level !== undefined; index += 1, level = levels.level(index)) {
          const { excludedSets } = level;
          for (const docId of listDocIds(level.sets, deletedSet))
            if (!excludedSets.some((set) => bitSets.has(set, docId))) docIds.add(docId);
        }
        const allDocIds = new Set(docIdSets.slice(0, members.length).flatMap((set) => [...set]));
        const isExpected = (at: number) =>
          expectedWeight(at) !== undefined && docIdSets[members.length]?.has(at) !== true;
        assert.deepEqual(sortAscending(docIds), sortAscending(allDocIds).filter(isExpected));
        const weightsInOrder = [...docIds].map((at) => expectedWeight(at) as number);
        assert.deepEqual(
          weightsInOrder,
          weightsInOrder.toSorted((a, b) => b - a),
        );
      });
    }),
    { numRuns: rounds },
  );
});

test("memory of released sets is reused", () => {
  const acquireSets = () => Array.from({ length: 20 }, () => bitSets.acquire(1_000_000));
  for (const set of acquireSets()) bitSets.release(set);
  const { byteLength } = bitSets;
  for (let times = 0; times < 20; times += 1) for (const set of acquireSets()) bitSets.release(set);
  assert.equal(bitSets.byteLength, byteLength);
});
