import { toPlainValue } from "../values/drop.ts";
import { convertToUtc } from "./zoned-time.ts";

/**
 * Parses the input of the `date` filter: "now", "today", seconds since 1970, a readable date, or a drop with such a
 * value.
 * @param now current time in milliseconds since 1970; undefined if it is unknown
 * @param timeZone IANA name, for dates without a time zone
 * @returns milliseconds since 1970; undefined if the value is not a date
 */
export function parseDate(value: unknown, now: number | undefined, timeZone: string): number | undefined {
  const date = toPlainValue(value);
  if (typeof date === "number") return checkTime(date * 1000);
  if (typeof date !== "string" || date.length > 100) return undefined;
  if (date === "now" || date === "today") return now;
  if (/^\d{1,15}$/.test(date)) return checkTime(Number(date) * 1000);
  return checkTime(parseReadableDate(date.trim(), timeZone));
}

/**
 * Parses a readable date such as "July 4, 2026". A date without a time zone is in `timeZone`, not in the time zone of
 * the machine.
 */
function parseReadableDate(date: string, timeZone: string): number {
  if (/\d:\d\d[^a-z+-]*(?:[ap]m)?\s*(?:z|ut|utc|gmt|[ecmp][sd]t|[+-]\d\d:?\d\d)/i.test(date))
    // Words before the date are skipped, but only if it is not in the ISO format.
    return checkTime(Date.parse(date)) ?? Date.parse(date.replace(/(\d)T(\d)/i, "$1 $2"));
  const localTime = checkTime(Date.parse(`${date}Z`)) ?? checkTime(Date.parse(`${date} UTC`));
  return localTime === undefined ? Number.NaN : convertToUtc(localTime, timeZone);
}

/**
 * Latest supported time in milliseconds since 1970. It is a day before the limit of JavaScript dates, so that every
 * time zone can represent it.
 */
const maxTimestampMs = 8.64e15 - 86_400_000;

function checkTime(time: number): number | undefined {
  return Math.abs(time) <= maxTimestampMs ? time : undefined;
}
