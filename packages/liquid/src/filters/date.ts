import { taking } from "../compile/filter.ts";
import { formatDate } from "../dates/format-date.ts";
import { parseDate } from "../dates/parse-date.ts";
import { plainValue } from "../values/drop.ts";
import { textOf } from "../values/text.ts";

export const dateFilters = taking(1, 1, {
  /** Formats a date: `date: '%Y-%m-%d'`. Values that are not dates stay unchanged. */
  date(value, format) {
    const pattern = textOf(format);
    const { now, timeZone = "UTC", locale = "en" } = this.options;
    const shown = plainValue(value);
    const date = typeof shown === "string" ? shown.toLowerCase() : shown;
    const time = parseDate(date, now, timeZone);
    if (pattern === "" || time === undefined) return value;
    for (const [, width] of pattern.matchAll(/%[-_0^#:]*(\d+)/g)) this.reserve(Number(width));
    return formatDate(time, pattern, locale, timeZone);
  },
});
