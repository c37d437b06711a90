import { defineFilters } from "../compile/filter.ts";
import { formatDate } from "../dates/format-date.ts";
import { parseDate } from "../dates/parse-date.ts";
import { toPlainValue } from "../values/drop.ts";
import { textOf } from "../values/text.ts";

export const dateFilters = defineFilters(1, 1, {
  /** Formats a date: `date: '%Y-%m-%d'`. Values that are not dates stay unchanged. */
  date(value, format) {
    const pattern = textOf(format);
    const { now = Date.now(), timeZone = "UTC", locale = "en" } = this.options;
    const plainDate = toPlainValue(value);
    const date = typeof plainDate === "string" ? plainDate.toLowerCase() : plainDate;
    const time = parseDate(date, now, timeZone);
    if (pattern === "" || time === undefined) return value;
    for (const [, width] of pattern.matchAll(/%[-_0^#:]*(\d+)/g)) this.checkLength(Number(width));
    return formatDate(time, pattern, locale, timeZone);
  },
});
