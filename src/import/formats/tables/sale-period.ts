import { isIsoDay } from "../../../catalog/rows/zoned-dates.ts";

/**
 * Parses a date, with or without a time and a zone.
 * @param timezone time zone of the shop, in which dates without a zone are
 * @returns the date in that zone, such as "2026-07-01" or "2026-07-01 09:00", which can be compared as a text; undefined
 * for anything else
 */
export function parseLocalTime(text: string, timezone: string): string | undefined {
  // WooCommerce writes hours without a leading zero: "2026-07-01 0:00:00".
  const [, day = "", hours, minutes = "", zone] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d?)((?::\d\d){1,2})(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(text.trim()) ?? [];
  if (!isIsoDay(day)) return undefined;
  if (hours === undefined) return day;
  const time = `${hours.padStart(2, "0")}${minutes}`;
  if (zone === undefined) return `${day} ${time}`;
  const milliseconds = Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(milliseconds) ? undefined : formatLocalTime(milliseconds, timezone);
}

/**
 * Returns whether the current time is in a period, which includes its last day, minute, or second.
 * @param from local time; undefined without a start
 * @param to local time; undefined without an end
 */
export function isInPeriod(
  from: string | undefined,
  to: string | undefined,
  { now, timezone }: { readonly now: number; readonly timezone: string },
): boolean {
  const localTime = formatLocalTime(now, timezone);
  return (from === undefined || localTime >= from) && (to === undefined || localTime.slice(0, to.length) <= to);
}

function formatLocalTime(milliseconds: number, timezone: string): string {
  // Swedish writes dates and times in the order of ISO 8601.
  return new Intl.DateTimeFormat("sv", { timeZone: timezone, dateStyle: "short", timeStyle: "medium" }).format(
    milliseconds,
  );
}
