import assert from "node:assert/strict";
import { test } from "node:test";
import { assignTestGroup, interleave } from "../predictive-search/team-draft.ts";
import { combineVerdicts, judgeRulesTest, type TestVerdict } from "./verdict.ts";

/** Pseudorandom numbers from 0 to 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

const RUNS = 200;
const SHOPPERS = 500;
const RESULTS = 10;
const QUERIES = 20;
/** Share of the shoppers with a filled cart who place an order. */
const ORDER_SHARE = 0.3;

/** A query with the relevance of its products, from 0 to 1, and two rankings of them. */
interface SimulatedQuery {
  readonly relevance: readonly number[];
  readonly live: readonly number[];
  readonly draft: readonly number[];
}

/**
 * Ranks products by their relevance and noise.
 * @param noise noise of a ranking, relative to the differences of relevance
 */
function simulateQueries(
  random: () => number,
  noise: { readonly live: number; readonly draft: number },
): readonly SimulatedQuery[] {
  return Array.from({ length: QUERIES }, () => {
    const relevance = Array.from({ length: RESULTS }, () => random() ** 2);
    const rank = (amount: number): readonly number[] => {
      const estimates = relevance.map((value) => value + amount * (random() - 0.5));
      return relevance.map((_, product) => product).sort((a, b) => (estimates[b] as number) - (estimates[a] as number));
    };
    return { relevance, live: rank(noise.live), draft: rank(noise.draft) };
  });
}

type CreateQueries = (random: () => number) => readonly SimulatedQuery[];

/**
 * Simulates a test until its first verdict. Shoppers read the list from the top, and add the first product that suits
 * them to the cart. Some of them order it. The console is read after every shopper.
 */
function simulateTest(seed: number, createQueries: CreateQueries): string {
  const random = createRandom(seed);
  const queries = createQueries(random);
  const counts = { draft: 0, live: 0 };
  const orders = { draft: 0, live: 0 };
  for (let shopper = 0; shopper < SHOPPERS; shopper += 1) {
    const { relevance, live, draft } = queries[Math.floor(random() * queries.length)] as SimulatedQuery;
    const { numbers, draftProducts: draftNumbers } = interleave(live, draft, assignTestGroup(`${seed} ${shopper}`, 0));
    const chosen = numbers.find((product) => random() < 0.4 * (relevance[product] as number));
    if (chosen === undefined) continue;
    const side = draftNumbers.has(chosen) ? "draft" : "live";
    counts[side] += 1;
    if (random() < ORDER_SHARE) orders[side] += 1;
    const verdict = combineVerdicts([judgeRulesTest(counts), judgeRulesTest(orders)]);
    if (verdict !== undefined) return verdict;
  }
  return "none";
}

function countVerdicts(createQueries: CreateQueries): ReadonlyMap<string, number> {
  const verdicts = Array.from({ length: RUNS }, (_, seed) => simulateTest(seed + 1, createQueries));
  return new Map(
    Map.groupBy(verdicts, (verdict) => verdict)
      .entries()
      .map(([verdict, { length }]) => [verdict, length]),
  );
}

test("with equally good rules, at least 95% of simulated tests have no verdict, even if each shopper may end them", () => {
  // Each query has a twin with exchanged rankings, so that neither side is better.
  const verdicts = countVerdicts((random) =>
    simulateQueries(random, { live: 1, draft: 1 }).flatMap((query) => [
      query,
      { ...query, live: query.draft, draft: query.live },
    ]),
  );
  assert.ok((verdicts.get("none") ?? 0) >= 0.95 * RUNS, JSON.stringify([...verdicts]));
});

test("with better and with worse rules, at least 95% of simulated tests have the correct verdict", () => {
  for (const [noise, side] of [
    [{ live: 3, draft: 0.2 }, "draft"],
    [{ live: 0.2, draft: 3 }, "live"],
  ] as const) {
    const verdicts = countVerdicts((random) => simulateQueries(random, noise));
    assert.ok((verdicts.get(side) ?? 0) >= 0.95 * RUNS, JSON.stringify([side, ...verdicts]));
  }
});

test("the interval contains the true share at all times in at least 95% of runs", () => {
  for (const share of [0.1, 0.5, 0.62]) {
    let coveredRuns = 0;
    for (let seed = 1; seed <= 200; seed += 1) {
      const random = createRandom(seed);
      const counts = { draft: 0, live: 0 };
      let isCovered = true;
      for (let shopper = 0; shopper < 200 && isCovered; shopper += 1) {
        counts[random() < share ? "draft" : "live"] += 1;
        const { low, high } = judgeRulesTest(counts);
        isCovered = low <= share && share <= high;
      }
      if (isCovered) coveredRuns += 1;
    }
    // Three standard errors of 200 runs are 9 runs.
    assert.ok(coveredRuns >= 181, `${share}: ${coveredRuns} of 200`);
  }
});

test("the interval starts with all shares, narrows, and is symmetric", () => {
  assert.deepEqual(judgeRulesTest({ draft: 0, live: 0 }), { share: 0.5, low: 0, high: 1 });
  const few = judgeRulesTest({ draft: 3, live: 2 });
  assert.deepEqual([few.share, few.preferredVersion], [0.6, undefined]);
  const many = judgeRulesTest({ draft: 600, live: 400 });
  assert.ok(many.low > 0.54 && many.high < 0.66 && many.preferredVersion === "draft", JSON.stringify(many));
  const exchanged = judgeRulesTest({ draft: 400, live: 600 });
  assert.ok(Math.abs(exchanged.low - (1 - many.high)) < 1e-6 && exchanged.preferredVersion === "live");
  const onlyDraft = judgeRulesTest({ draft: 40, live: 0 });
  assert.ok(onlyDraft.high === 1 && onlyDraft.low > 0.5 && onlyDraft.preferredVersion === "draft");
});

test("carts and orders decide together, and no verdict follows if they disagree", () => {
  const [draft, live, none] = [
    { draft: 90, live: 10 },
    { draft: 10, live: 90 },
    { draft: 6, live: 5 },
  ].map(judgeRulesTest) as [TestVerdict, TestVerdict, TestVerdict];
  assert.deepEqual([[draft, none], [none, live], [draft, draft], [draft, live], [none]].map(combineVerdicts), [
    "draft",
    "live",
    "draft",
    undefined,
    undefined,
  ]);
});
