/** Something that is counted loses half of its weight in so many days: what a season sells is forgotten within the next. */
const HALF_LIFE_DAYS = 30;
/** Weights are kept as if all were counted on this day, 1 January 2026 (forward decay: Cormode et al., ICDE 2009), so that no row has to be
 *  written because time passes. A double holds them until the year 2110. */
const LANDMARK_DAY = 20_454;

/** By how much a weight of a day is multiplied to be kept; what is kept is divided by that of today to be read.
 *  @param day in days since 1970 */
export function scaleOf(day: number): number {
  return 2 ** ((day - LANDMARK_DAY) / HALF_LIFE_DAYS);
}
