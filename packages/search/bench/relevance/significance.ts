import { createRandom } from "../../../../bench/random.ts";

const sampleCount = 2_000;

/** A mean and its 95% confidence interval. */
export interface Estimate {
  readonly mean: number;
  readonly lowerBound: number;
  readonly upperBound: number;
}

/** Estimates the mean of a metric over queries. The confidence interval is that of the percentile bootstrap. */
export function estimate(values: readonly number[]): Estimate {
  if (values.length === 0) return { mean: Number.NaN, lowerBound: Number.NaN, upperBound: Number.NaN };
  const random = createRandom(31);
  const means = Array.from({ length: sampleCount }, () => {
    let sum = 0;
    for (let at = 0; at < values.length; at += 1) sum += values[random.below(values.length)] ?? 0;
    return sum / values.length;
  }).sort((one, other) => one - other);
  return {
    mean: mean(values),
    lowerBound: means[Math.floor(sampleCount * 0.025)] ?? 0,
    upperBound: means[Math.floor(sampleCount * 0.975)] ?? 0,
  };
}

/**
 * Returns the p-value of the paired two-sided randomization test: the probability of such a large difference between
 * two engines if both are equally good.
 * @param differences for each query, the value of one engine minus the value of the other
 */
export function randomisationP(differences: readonly number[]): number {
  const random = createRandom(32);
  const observedSum = Math.abs(sumOf(differences)) - 1e-12;
  let largerCount = 0;
  for (let sampleNumber = 0; sampleNumber < sampleCount; sampleNumber += 1) {
    let sum = 0;
    for (const difference of differences) sum += random.below(2) === 0 ? difference : -difference;
    if (Math.abs(sum) >= observedSum) largerCount += 1;
  }
  return (largerCount + 1) / (sampleCount + 1);
}

export function mean(values: readonly number[]): number {
  return sumOf(values) / values.length;
}

/** Formats a share from 0 to 1, such as "12.3 %". */
export function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
