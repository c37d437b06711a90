import type { PreferenceCounts } from "./console.ts";

export interface TestVerdict {
  /** The preferred version of the rules; undefined if the difference is not significant. */
  readonly preferredVersion?: keyof PreferenceCounts;
  /** Share of the shoppers who preferred the draft, from 0 to 1, and its confidence interval. */
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Probability that the confidence interval ever excludes the true share. A test compares two measures, carts and
 * orders, so each gets half of the total probability of 5%.
 */
const SIGNIFICANCE_LEVEL = 0.025;
/**
 * Parameter of the prior beta distribution of the share. Its standard deviation of 0.11 suits the shares of 55% to 65%
 * that better rules reach.
 */
const PRIOR_STRENGTH = 10;

/**
 * Judges a test after any number of shoppers. Checking the result often, or stopping the test at the first verdict,
 * does not raise the probability of an error: the interval is a confidence sequence from a mixture of likelihood
 * ratios, whose value exceeds 1 / p with probability of at most p at any time (Ville's inequality). Sources: Robbins,
 * "Statistical methods related to the law of the iterated logarithm", Annals of Mathematical Statistics 1970; Johari,
 * Koomen, Pekelis and Walsh, "Always valid inference: continuous monitoring of A/B tests", Operations Research 2022.
 */
export function judgeRulesTest({ draft, live }: PreferenceCounts): TestVerdict {
  const count = draft + live;
  if (count === 0) return { share: 0.5, low: 0, high: 1 };
  const share = draft / count;
  const mixtureLikelihood =
    sumLogarithms(PRIOR_STRENGTH, draft) +
    sumLogarithms(PRIOR_STRENGTH, live) -
    sumLogarithms(2 * PRIOR_STRENGTH, count);
  const isInInterval = (candidate: number): boolean =>
    mixtureLikelihood - computeLogPower(candidate, draft) - computeLogPower(1 - candidate, live) <
    Math.log(1 / SIGNIFICANCE_LEVEL);
  const low = findIntervalEnd(share, 0, isInInterval);
  const high = findIntervalEnd(share, 1, isInInterval);
  const winner = low > 0.5 ? "draft" : high < 0.5 ? "live" : undefined;
  return { share, low, high, ...(winner === undefined ? {} : { preferredVersion: winner }) };
}

/**
 * Returns the version of the rules that shoppers prefer. If both versions are equally good, the probability of a
 * verdict is at most 5%.
 * @param verdicts verdicts on carts and on orders
 * @returns undefined if there is no significant difference, or if carts and orders prefer different versions
 */
export function combineVerdicts(verdicts: readonly TestVerdict[]): TestVerdict["preferredVersion"] {
  const winners = new Set(verdicts.flatMap(({ preferredVersion: winner }) => winner ?? []));
  return winners.size === 1 ? [...winners][0] : undefined;
}

/** Returns the logarithm of `start * (start + 1) * ...` with `count` factors. */
function sumLogarithms(start: number, count: number): number {
  let sum = 0;
  for (let index = 0; index < count; index += 1) sum += Math.log(start + index);
  return sum;
}

function computeLogPower(base: number, exponent: number): number {
  return exponent === 0 ? 0 : exponent * Math.log(base);
}

/** Finds an end of the confidence interval by bisection.  @param valueInInterval value in the interval  @param end 0 or 1 */
function findIntervalEnd(valueInInterval: number, end: number, isInInterval: (value: number) => boolean): number {
  if (isInInterval(end)) return end;
  let [insideBound, outsideBound] = [valueInInterval, end];
  for (let step = 0; step < 30; step += 1) {
    const midpoint = (insideBound + outsideBound) / 2;
    if (isInInterval(midpoint)) insideBound = midpoint;
    else outsideBound = midpoint;
  }
  return outsideBound;
}
