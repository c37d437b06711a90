import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { mostHeld } from "./most-held.ts";
import { addPlaces, giveBack, isIn, type Places, takeSet } from "./place-set.ts";
import { fillPlaces } from "./place-words.ts";

const size = 40_000;
// Neighbours and places far apart, so that words, blocks and chunks are met full, empty and in between.
const place = fc.oneof(fc.nat({ max: 70 }), fc.nat({ max: size - 1 }), fc.integer({ min: 32_700, max: 32_850 }));
const member = fc.uniqueArray(place, { maxLength: 60 });
const union = fc.array(member, { minLength: 1, maxLength: 2 });

function setOf(places: readonly number[]) {
  const set = takeSet(size);
  addPlaces(set, places, 0, places.length);
  return set;
}

function withSets<T>(unions: readonly (readonly number[][])[], use: (sets: Places[], all: Set<number>[]) => T): void {
  const sets = unions.map((members) => members.map(setOf));
  use(
    // Without word of what is filled they are read as the sets of an index are.
    sets.map((members, index) => (index % 2 === 0 ? members : members.map(({ bits }) => ({ bits, offset: 0 })))),
    unions.map((members) => new Set(members.flat())),
  );
  for (const set of sets.flat()) giveBack(set);
}

function ascending(places: Iterable<number>): number[] {
  return [...places].sort((one, other) => one - other);
}

test("places in all of some unions of sets are met in order, within a zone", () => {
  fc.assert(
    fc.property(
      fc.array(union, { minLength: 1, maxLength: 4 }),
      place,
      place,
      fc.constantFrom(1, 7, 500),
      (unions, one, other, room) => {
        withSets(unions, (sets, all) => {
          const zone = { from: Math.min(one, other), to: Math.max(one, other) };
          const [first = new Set<number>(), ...more] = all;
          const wanted = ascending(first).filter((at) => more.every((set) => set.has(at)));
          const found: number[] = [];
          const into = new Uint32Array(room);
          for (let from = zone.from; ; from = (found.at(-1) ?? 0) + 1) {
            const count = fillPlaces(sets, from, zone.to, into);
            found.push(...into.subarray(0, count));
            if (count < room) break;
          }
          assert.deepEqual(
            found,
            wanted.filter((at) => at >= zone.from && at < zone.to),
          );
          for (const at of ascending(first)) assert.equal(isIn(sets[0] ?? [], at), true);
        });
      },
    ),
  );
});

test("what most sets hold is what counting each place finds", () => {
  const many = fc.array(union, { minLength: 1, maxLength: 16 });
  // Told to be small a set is looked at place by place, told to be large 32 places at a time.
  const told = fc.array(fc.constantFrom(1, size), { minLength: 16, maxLength: 16 });
  fc.assert(
    fc.property(
      many,
      told,
      fc.integer({ min: 1, max: 18 }),
      fc.uniqueArray(place),
      fc.boolean(),
      (unions, sizes, below, gone, hasLess) => {
        withSets(unions, (sets, all) => {
          const dead = new Uint8Array(size);
          for (const at of gone) dead[at] = 1;
          const counts = new Map<number, number>();
          for (const set of all) for (const at of set) counts.set(at, (counts.get(at) ?? 0) + 1);
          const held = [...counts].filter(([at, count]) => dead[at] === 0 && count < below);
          const count = Math.max(0, ...held.map(([, times]) => times));
          const places = takeSet(size);
          const less = takeSet(size);
          const found = { most: places, ...(hasLess && { less }) };
          assert.equal(mostHeld({ unions: sets, sizes, size, below, dead }, found), count);
          const into = new Uint32Array(size);
          const counted = (set: Places) =>
            [...into.subarray(0, fillPlaces([set], 0, size, into))].filter((at) => dead[at] === 0);
          const holding = (words: number) => ascending(held.filter(([, times]) => times === words).map(([at]) => at));
          assert.deepEqual(counted([found.most]), holding(count));
          if (found.less !== undefined && count > 1) assert.deepEqual(counted([found.less]), holding(count - 1));
          for (const set of [places, less]) giveBack(set);
        });
      },
    ),
    { numRuns: 300 },
  );
});
