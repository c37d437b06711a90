import { momentOf } from "./zoned-time.ts";

/**
 * Parses a date in a template: "now", seconds since 1970, or a readable date.
 * @param now undefined if the current time is unknown
 * @param timeZone of dates without a time zone
 * @returns milliseconds since 1970; undefined if it is not a date
 */
export function momentOfDate(date: unknown, now: number | undefined, timeZone: string): number | undefined {
  if (typeof date === "number") return valid(date * 1000);
  if (typeof date !== "string" || date.length > 100) return undefined;
  if (date === "now" || date === "today") return now;
  if (/^\d{1,15}$/.test(date)) return valid(Number(date) * 1000);
  return valid(parsed(date.trim(), timeZone));
}

/** A date without a time zone is in `timeZone`, independent of the machine's zone. */
function parsed(date: string, timeZone: string): number {
  if (/\d:\d\d[^a-z+-]*(?:[ap]m)?\s*(?:z|ut|utc|gmt|[ecmp][sd]t|[+-]\d\d:?\d\d)/i.test(date)) return Date.parse(date);
  const shown = valid(Date.parse(`${date}Z`)) ?? valid(Date.parse(`${date} UTC`));
  return shown === undefined ? Number.NaN : momentOf(shown, timeZone);
}

/** Maximum of JavaScript dates, minus a day so that every zone can show it. */
const furthest = 8.64e15 - 86_400_000;

function valid(time: number): number | undefined {
  return Math.abs(time) <= furthest ? time : undefined;
}
