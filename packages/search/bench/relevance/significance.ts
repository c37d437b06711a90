import { createRandom } from "../../../../bench/random.ts";

const draws = 2_000;

/** A mean with its 95% confidence interval over samples of queries. */
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** Estimates the mean of figures by query, with a confidence interval of the percentile bootstrap. */
export function estimate(values: readonly number[]): Estimate {
  if (values.length === 0) return { mean: Number.NaN, low: Number.NaN, high: Number.NaN };
  const random = createRandom(31);
  const means = Array.from({ length: draws }, () => {
    let sum = 0;
    for (let at = 0; at < values.length; at += 1) sum += values[random.below(values.length)] ?? 0;
    return sum / values.length;
  }).sort((one, other) => one - other);
  return {
    mean: mean(values),
    low: means[Math.floor(draws * 0.025)] ?? 0,
    high: means[Math.floor(draws * 0.975)] ?? 0,
  };
}

/**
 * Returns the p-value of the paired two-sided randomization test: the probability that chance makes the means of two
 * engines on the same queries differ as much.
 * @param differences values of one engine minus values of the other, by query
 */
export function randomisationP(differences: readonly number[]): number {
  const random = createRandom(32);
  const seen = Math.abs(sumOf(differences)) - 1e-12;
  let asLarge = 0;
  for (let draw = 0; draw < draws; draw += 1) {
    let sum = 0;
    for (const difference of differences) sum += random.below(2) === 0 ? difference : -difference;
    if (Math.abs(sum) >= seen) asLarge += 1;
  }
  return (asLarge + 1) / (draws + 1);
}

export function mean(values: readonly number[]): number {
  return sumOf(values) / values.length;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
