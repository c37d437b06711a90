import { DAY_MS } from "../runtime/durations.ts";

/**
 * Number of days in which a search, click or sale loses half of its weight, so that products of a past season lose
 * their boosts.
 */
const HALF_LIFE_DAYS = 30;
/**
 * Reference day of stored totals, 1 January 2026. Stored totals are scaled as if all signals were counted on this day
 * (forward decay: Cormode et al., ICDE 2009), so that no row changes as time passes. The scale fits in a double until
 * the year 2110.
 */
const REFERENCE_DAY = 20_454;

/**
 * Returns the factor by which the weight of a signal is multiplied before it is added to a stored total. To read a
 * stored total, divide it by the factor of the current day.
 * @param day day of the signal, in days since 1970
 */
export function getDecayFactor(day: number): number {
  return 2 ** ((day - REFERENCE_DAY) / HALF_LIFE_DAYS);
}

/** Returns the number of days since 1970 (UTC).  @param now milliseconds since 1970 */
export function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}
