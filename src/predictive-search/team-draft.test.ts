import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assignTestGroup, GROUP_COUNT, interleave } from "./team-draft.ts";

const ranking = fc.uniqueArray(fc.nat(14), { maxLength: 10 });
const arm = fc.nat(GROUP_COUNT - 1);

/**
 * Reference implementation of the interleaving: searches each ranking from its start for a product that is not in the
 * list.
 */
function slowInterleave(
  live: readonly number[],
  draft: readonly number[],
  coins: number,
): ReturnType<typeof interleave> {
  const teams = { live: new Set<number>(), draft: new Set<number>() };
  const numbers: number[] = [];
  const next = (list: readonly number[]) => list.find((number) => !numbers.includes(number));
  while (numbers.length < Math.max(live.length, draft.length)) {
    const coin = Math.floor(coins / 2 ** (teams.live.size % 3)) % 2 === 1;
    const side =
      teams.draft.size < teams.live.size || (teams.draft.size === teams.live.size && coin) ? "draft" : "live";
    const other = side === "draft" ? "live" : "draft";
    const lists = { live, draft };
    const contributor = next(lists[side]) === undefined ? other : side;
    const number = next(lists[contributor]);
    if (number === undefined) break;
    teams[contributor].add(number);
    numbers.push(number);
  }
  return { numbers, draftProducts: teams.draft };
}

test("interleaving equals drafting in turns, and a shorter list is a prefix", () => {
  fc.assert(
    fc.property(ranking, ranking, arm, (live, draft, coins) => {
      const result = interleave(live, draft, coins);
      assert.deepEqual(result, slowInterleave(live, draft, coins));
      assert.equal(new Set(result.numbers).size, result.numbers.length);
      const shorter = interleave(live.slice(0, 4), draft.slice(0, 4), coins).numbers;
      if (live.length >= 4 && draft.length >= 4) assert.deepEqual(result.numbers.slice(0, 4), shorter);
    }),
  );
});

test("over all coin sequences, both sides are equal: exchanged rankings have exchanged sides", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(14), { minLength: 10, maxLength: 10 }),
      arm,
      fc.func(fc.nat()),
      (live, coins, key) => {
        const draft = live.toSorted((a, b) => key(a) - key(b));
        const [result, exchanged] = [interleave(live, draft, coins), interleave(draft, live, GROUP_COUNT - 1 - coins)];
        assert.deepEqual(exchanged.numbers, result.numbers);
        for (const number of result.numbers)
          assert.notEqual(result.draftProducts.has(number), exchanged.draftProducts.has(number));
      },
    ),
  );
});

test("a visitor has one sequence a day, and visitors are spread over all of them", () => {
  const now = Date.UTC(2026, 10, 25, 12);
  const visitors = Array.from({ length: 4_000 }, (_, n) => `visitor ${n}`);
  assert.ok(visitors.every((visitor) => assignTestGroup(visitor, now) === assignTestGroup(visitor, now + 3_600_000)));
  const counts = Map.groupBy(visitors, (visitor) => assignTestGroup(visitor, now));
  assert.equal(counts.size, GROUP_COUNT);
  for (const { length } of counts.values()) assert.ok(Math.abs(length - 500) < 120, `${length} of 500`);
  const changed = visitors.filter(
    (visitor) => assignTestGroup(visitor, now) !== assignTestGroup(visitor, now + 86_400_000),
  ).length;
  assert.ok(Math.abs(changed - 3_500) < 150, `${changed} of 3500 change`);
});
