import { isIsoDay, type LocalTimeFormat } from "../../../catalog/rows/zoned-dates.ts";

/**
 * Parses a date, with or without a time and a zone.
 * @param formatLocalTime format in the time zone of dates without a zone
 * @returns the date in that zone, such as "2026-07-01" or "2026-07-01 09:00", which can be compared as a text; undefined
 * for anything else
 */
export function parseLocalTime(text: string, formatLocalTime: LocalTimeFormat): string | undefined {
  // WooCommerce writes hours without a leading zero: "2026-07-01 0:00:00".
  const [, day = "", hours, minutes = "", zone] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d?)((?::\d\d){1,2})(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(text.trim()) ?? [];
  if (!isIsoDay(day)) return undefined;
  if (hours === undefined) return day;
  const time = `${hours.padStart(2, "0")}${minutes}`;
  if (zone === undefined) return `${day} ${time}`;
  const milliseconds = Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(milliseconds) ? undefined : formatLocalTime(milliseconds);
}

/**
 * Returns whether the current time is in a period, which includes its last day, minute, or second.
 * @param from local time; undefined without a start
 * @param to local time; undefined without an end
 */
export function isInPeriod(
  from: string | undefined,
  to: string | undefined,
  { now, formatLocalTime }: { readonly now: number; readonly formatLocalTime: LocalTimeFormat },
): boolean {
  const localTime = formatLocalTime(now);
  return (from === undefined || localTime >= from) && (to === undefined || localTime.slice(0, to.length) <= to);
}
