import { DAY_MS } from "../../runtime/durations.ts";
import type { Row } from "../catalog.ts";

/**
 * Returns a function that replaces dates without a time in a row, such as "2026-07-01", by the start of that day in a
 * time zone.
 * @param timeZone IANA name, such as "America/New_York"
 */
export function createDateConverter(timeZone: string): (row: Row) => Row {
  const toZonedDay = createDayConverter(timeZone);
  return (row) => {
    const convertedFields = dateFields.flatMap((name) => {
      const date = name in row ? (row as Partial<Record<typeof name, string>>)[name] : undefined;
      return date === undefined || toZonedDay(date) === date ? [] : [[name, toZonedDay(date)]];
    });
    return convertedFields.length === 0 ? row : { ...row, ...Object.fromEntries(convertedFields) };
  };
}

const dateFields = ["createdAt", "publishedAt", "updatedAt", "startsAt", "endsAt"] as const;

/**
 * Returns a function that converts a day to its start in a zone: "2026-07-01" becomes "2026-07-01T00:00:00-04:00".
 * Other texts stay unchanged.
 */
export function createDayConverter(timeZone: string): (date: string) => string {
  // `Date.parse` already reads days as UTC.
  if (timeZone === "UTC") return (date) => date;
  const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  const formatOffset = (time: number): string =>
    /[+-]\d\d:\d\d/.exec(format.formatToParts(time).find(({ type }) => type === "timeZoneName")?.value ?? "")?.[0] ??
    "Z";
  return (date) => {
    if (!isIsoDay(date)) return date;
    const midnight = `${date}T00:00:00`;
    // The offset is computed twice, because it may change between midnight in UTC and midnight in the zone.
    return midnight + formatOffset(Date.parse(midnight + formatOffset(Date.parse(date))));
  };
}

/** Returns whether a text is a day that exists in the calendar, such as "2026-07-01". */
export function isIsoDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  // `Date.parse` reads "2026-02-31" as March 3.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Adds a number of days to a day, such as "2026-07-01". A negative number subtracts days. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
}

/** Formats a time in milliseconds since 1970 as "2026-07-01 09:00:00" in a time zone. */
export type LocalTimeFormat = (milliseconds: number) => string;

/** Creates a format for many times, because creating one takes 87 µs.  @param timeZone time zone of the shop */
export function createLocalTimeFormat(timeZone: string): LocalTimeFormat {
  // In Swedish, the order of dates and times is that of ISO 8601.
  return new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short", timeStyle: "medium" }).format;
}
