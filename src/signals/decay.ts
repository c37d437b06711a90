/** Days in which a signal loses half of its weight: one season's products are forgotten by the next. */
const HALF_LIFE_DAYS = 30;
/** Totals are stored as if all signals were counted on this day, 1 January 2026 (forward decay: Cormode et al., ICDE 2009), so that time
 *  passing changes no row. A double holds them until the year 2110. */
const LANDMARK_DAY = 20_454;
const DAY_MS = 86_400_000;

/** The factor from a weight of a day to its stored value; a stored total is divided by the factor of today.
 *  @param day in days since 1970 */
export function scaleOf(day: number): number {
  return 2 ** ((day - LANDMARK_DAY) / HALF_LIFE_DAYS);
}

/** Days since 1970 (UTC). @param now milliseconds since 1970 */
export function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}
