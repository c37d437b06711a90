import { createDayConverter, createLocalTimeFormat, isIsoDay } from "../catalog/rows/zoned-dates.ts";
import { UsageError } from "./arguments.ts";

/**
 * Returns the time of the option --since in milliseconds since 1970. Default: 0.
 * @param since a day in the time zone of the shop, or a time with a zone
 * @throws UsageError
 */
export function readStartTime(since: string | undefined, timeZone: string): number {
  if (since === undefined) return 0;
  const hasZone = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(since);
  const time = isIsoDay(since) || hasZone ? Date.parse(createDayConverter(timeZone)(since)) : Number.NaN;
  if (Number.isNaN(time)) throw new UsageError(`"${since}" is not a date: use the format 2026-11-01.`);
  return time;
}

/** Formats a time as "2026-11-01 09:00". */
export type MinuteFormat = (milliseconds: number) => string;

/** Returns a format in the time zone of the shop. */
export function createMinuteFormat(timeZone: string): MinuteFormat {
  const formatLocalTime = createLocalTimeFormat(timeZone);
  return (milliseconds) => formatLocalTime(milliseconds).slice(0, "2026-11-01 09:00".length);
}
