import { momentOf } from "./zoned-time.ts";

/** Milliseconds since 1970 of a date as templates write them: "now", seconds since 1970, or a date as people write it; undefined where it
 *  is none. @param now undefined: nobody knows  @param timeZone of dates that name none */
export function momentOfDate(date: unknown, now: number | undefined, timeZone: string): number | undefined {
  if (typeof date === "number") return valid(date * 1000);
  if (typeof date !== "string" || date.length > 100) return undefined;
  if (date === "now" || date === "today") return now;
  if (/^\d{1,15}$/.test(date)) return valid(Number(date) * 1000);
  return valid(parsed(date.trim(), timeZone));
}

/** A date without a zone is that of `timeZone`, wherever the machine stands. */
function parsed(date: string, timeZone: string): number {
  if (/\d:\d\d[^a-z+-]*(?:[ap]m)?\s*(?:z|ut|utc|gmt|[ecmp][sd]t|[+-]\d\d:?\d\d)/i.test(date)) return Date.parse(date);
  const shown = valid(Date.parse(`${date}Z`)) ?? valid(Date.parse(`${date} UTC`));
  return shown === undefined ? Number.NaN : momentOf(shown, timeZone);
}

/** The last moment that dates of the language know, in every zone. */
const furthest = 8.64e15 - 86_400_000;

function valid(time: number): number | undefined {
  return Math.abs(time) <= furthest ? time : undefined;
}
