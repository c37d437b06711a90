import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { addIntersection, addPlaces, eachPlace, giveBack, isIn, mostHeld, type Places, takeSet } from "./place-set.ts";

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
  giveBack(sets.flat());
}

function ascending(places: Iterable<number>): number[] {
  return [...places].sort((one, other) => one - other);
}

test("places in all of some unions of sets are met in order, within a zone", () => {
  fc.assert(
    fc.property(fc.array(union, { minLength: 1, maxLength: 4 }), place, place, (unions, one, other) => {
      withSets(unions, (sets, all) => {
        const zone = { from: Math.min(one, other), to: Math.max(one, other) };
        const [first = new Set<number>(), ...more] = all;
        const wanted = ascending(first).filter((at) => more.every((set) => set.has(at)));
        const found: number[] = [];
        eachPlace(sets[0] ?? [], sets.slice(1), zone, (at) => {
          found.push(at);
          return false;
        });
        assert.deepEqual(
          found,
          wanted.filter((at) => at >= zone.from && at < zone.to),
        );
        const both = takeSet(size);
        addIntersection(both, sets, size);
        for (const at of ascending(first)) assert.equal(isIn([both], at), wanted.includes(at));
        giveBack([both]);
      });
    }),
  );
});

test("what most sets hold is what counting each place finds", () => {
  const many = fc.array(union, { minLength: 1, maxLength: 17 });
  fc.assert(
    fc.property(many, fc.integer({ min: 1, max: 18 }), fc.uniqueArray(place), (unions, below, gone) => {
      withSets(unions, (sets, all) => {
        const dead = new Uint8Array(size);
        for (const at of gone) dead[at] = 1;
        const counts = new Map<number, number>();
        for (const set of all) for (const at of set) counts.set(at, (counts.get(at) ?? 0) + 1);
        const held = [...counts].filter(([at, count]) => dead[at] === 0 && count < below);
        const count = Math.max(0, ...held.map(([, times]) => times));
        const places = ascending(held.filter(([, times]) => times === count).map(([at]) => at));
        assert.deepEqual(mostHeld(sets, size, below, dead), { count, places });
      });
    }),
  );
});
