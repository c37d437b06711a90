import type { Row } from "../catalog.ts";

/**
 * Adds the offset of a zone to dates of rows without a time zone.
 * @param timeZone an IANA name, such as "America/New_York"
 */
export function createZonedDates(timeZone: string): (row: Row) => Row {
  const zoned = createZonedDay(timeZone);
  return (row) => {
    const changed = dateFields.flatMap((name) => {
      const date = name in row ? (row as Partial<Record<typeof name, string>>)[name] : undefined;
      return date === undefined || zoned(date) === date ? [] : [[name, zoned(date)]];
    });
    return changed.length === 0 ? row : { ...row, ...Object.fromEntries(changed) };
  };
}

const dateFields = ["createdAt", "publishedAt", "updatedAt", "startsAt", "endsAt"] as const;

/** Start of a day in a zone: "2026-07-01" is "2026-07-01T00:00:00-04:00"; other texts stay unchanged. */
export function createZonedDay(timeZone: string): (date: string) => string {
  // `Date.parse` reads days in UTC.
  if (timeZone === "UTC") return (date) => date;
  const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  const offsetAt = (time: number): string =>
    /[+-]\d\d:\d\d/.exec(format.formatToParts(time).find(({ type }) => type === "timeZoneName")?.value ?? "")?.[0] ??
    "Z";
  return (date) => {
    if (!/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(Date.parse(date))) return date;
    const midnight = `${date}T00:00:00`;
    // The offset may change between midnight in UTC and midnight in the zone.
    return midnight + offsetAt(Date.parse(midnight + offsetAt(Date.parse(date))));
  };
}
