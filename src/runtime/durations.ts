/** One hour in milliseconds. */
export const HOUR_MS = 3_600_000;
/** One day in milliseconds. A calendar day may be an hour longer or shorter. */
export const DAY_MS = 24 * HOUR_MS;
