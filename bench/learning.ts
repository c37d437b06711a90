// Measures how much click data improves the order of results, and how much a bot can influence it. Shoppers are
// simulated (test/support/simulated-shoppers.ts). Counting, estimation and search use the code of the server.
//   node bench/learning.ts [--seeds 20]
import { parseArgs } from "node:util";
import { type SimulationOptions, simulate } from "../test/support/simulated-shoppers.ts";

const { values } = parseArgs({ options: { seeds: { type: "string", default: "20" } } });
const seeds = Array.from({ length: Number(values.seeds) }, (_, seed) => seed + 1);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const SHOWN_DAYS = [0, 1, 3, 7, 14, 30, 60];

for (const extraWords of [0, 3]) {
  process.stdout.write(`\nTitles of ${extraWords === 0 ? "the query alone" : `up to ${extraWords} words more`}\n`);
  for (const shoppers of [20, 100, 400])
    for (const correctsPosition of [true, false]) {
      const runs: (readonly number[])[] = [];
      for (const seed of seeds)
        runs.push(await simulateShoppers({ seed, correctsPosition, moreWords: extraWords }, shoppers));
      const cells = SHOWN_DAYS.map((day) => `day ${day} ${mean(runs.map((daily) => daily[day] ?? 0)).toFixed(3)}`);
      const correctionName = correctsPosition ? "by its place" : "as any other";
      process.stdout.write(
        `${shoppers} shoppers a day, a choice counts ${correctionName}: nDCG@10 ${cells.join(", ")}\n`,
      );
    }
}

process.stdout.write("\nAfter 30 days with 100 shoppers each, and beside them each day\n");
const bots: readonly [string, number, number][] = [
  ["nobody", 0, 1],
  ["a visitor, or a network with so many, 1,000 times", 1_000, 1],
  ["5 networks, 20 times", 20, 5],
  ["20 networks, once each", 20, 20],
  ["60 networks, once each", 60, 60],
];
for (const extraWords of [0, 3])
  for (const [botName, times, networks] of bots) {
    const outcomes: (readonly [number, number])[] = [];
    for (const seed of seeds)
      outcomes.push(await simulateBot({ seed, correctsPosition: true, moreWords: extraWords }, times, networks));
    const [meanRank, ndcg] = [0, 1].map((index) => mean(outcomes.map((outcome) => outcome[index] ?? 0)));
    process.stdout.write(
      `titles of up to ${extraWords} words more, ${botName}: the product that shoppers like least is at place ${meanRank?.toFixed(1)} of 30, nDCG@10 ${ndcg?.toFixed(3)}\n`,
    );
  }

/** Simulates days of searches and clicks.  @returns nDCG@10 before the first day and after each day */
async function simulateShoppers(options: SimulationOptions, shoppers: number): Promise<readonly number[]> {
  const simulation = await simulate(options);
  const ndcgByDay = [simulation.ndcg()];
  while (ndcgByDay.length <= (SHOWN_DAYS.at(-1) ?? 0)) {
    await simulation.shop(shoppers);
    await simulation.endDay();
    ndcgByDay.push(simulation.ndcg());
  }
  await simulation.close();
  return ndcgByDay;
}

/** Simulates a bot that clicks one product.  @returns the rank of the product, and nDCG@10 */
async function simulateBot(
  options: SimulationOptions,
  times: number,
  networks: number,
): Promise<readonly [number, number]> {
  const simulation = await simulate(options);
  for (let day = 0; day < 30; day += 1) {
    await simulation.shop(100);
    if (times > 0) await simulation.push(simulation.leastLiked, times, networks);
    await simulation.endDay();
  }
  const outcome = [simulation.shown().indexOf(simulation.leastLiked) + 1, simulation.ndcg()] as const;
  await simulation.close();
  return outcome;
}
