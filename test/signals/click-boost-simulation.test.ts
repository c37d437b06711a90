import assert from "node:assert/strict";
import { test } from "node:test";
import { type Simulation, type SimulationOptions, simulate } from "../support/simulated-shoppers.ts";

const seeds = [1, 2, 3];

/** Simulates days with a constant number of shoppers.  @returns nDCG@10 after the last day */
async function learn(options: Omit<SimulationOptions, "moreWords">, days: number, shoppers: number): Promise<number> {
  const simulation = await simulate({ ...options, moreWords: 0 });
  await pass(simulation, days, shoppers);
  const ndcg = simulation.ndcg();
  await simulation.close();
  return ndcg;
}

async function pass(
  simulation: Simulation,
  days: number,
  shoppers: number,
  push: () => Promise<void> = async () => undefined,
): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    await simulation.shop(shoppers);
    await push();
    await simulation.endDay();
  }
}

const mean = (some: readonly number[]): number => some.reduce((sum, one) => sum + one, 0) / some.length;

test("the ranking converges to the preferences of shoppers, faster with position-weighted clicks", async () => {
  const before: number[] = [];
  const byPlace: number[] = [];
  const alike: number[] = [];
  for (const seed of seeds) {
    before.push(await learn({ seed, correctsPosition: true }, 0, 0));
    byPlace.push(await learn({ seed, correctsPosition: true }, 8, 200));
    alike.push(await learn({ seed, correctsPosition: false }, 8, 200));
  }
  const figures = [before, alike, byPlace].map(mean);
  const [first = 1, without = 1, learned = 0] = figures;
  assert.ok(first < 0.5 && learned > 0.9 && learned > without + 0.02, figures.join());
});

test("a bot in one network boosts nothing, and one in sixty networks is limited by text relevance", async () => {
  for (const seed of seeds) {
    const simulation = await simulate({ seed, correctsPosition: true, moreWords: 0 });
    const { leastLiked } = simulation;
    const place = simulation.shown().indexOf(leastLiked);
    for (let day = 0; day < 3; day += 1) {
      await simulation.push(leastLiked, 1_000, 1);
      await simulation.push(leastLiked, 1_000, 5);
      await simulation.endDay();
    }
    assert.equal(simulation.shown().indexOf(leastLiked), place);
    await simulation.push(leastLiked, 60, 60);
    await simulation.endDay();
    assert.equal(simulation.shown()[0], leastLiked, "among what answers alike it takes sixty networks");
    await simulation.close();
    const other = await simulate({ seed, correctsPosition: true, moreWords: 3 });
    const [best, ...rest] = other.shown();
    const last = rest.at(-1) ?? "";
    for (let day = 0; day < 3; day += 1) {
      await other.push(last, 60, 60);
      await other.endDay();
    }
    assert.equal(other.shown()[0], best, "not over what says it all");
    await other.close();
  }
});
