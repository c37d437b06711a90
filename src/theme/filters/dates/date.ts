import { toValue } from "liquidjs";
import { strftime } from "../../../liquid/dates/strftime.ts";
import { createZonedClock, momentOf } from "../../../liquid/dates/zoned-time.ts";
import { attribute, escapeHtml, SafeHtml } from "../../liquid/safe-html.ts";
import { stateOf } from "../../render-state.ts";
import { type FilterCall, type FilterFamily, splitArguments, textOf } from "../filter.ts";

export const dateFilters: FilterFamily = {
  /** `date: '%Y-%m-%d'`, or `date: format: 'abbreviated_date'` (or a name in the locale's `date_formats`); in the
   *  render's language, in the shop's time zone, in the Gregorian calendar. */
  date(value, ...args) {
    return formatDate(this, value, args);
  },
  time_tag(value, ...args) {
    const time = timeOf(this, value);
    if (time === undefined) return "";
    const { named } = splitArguments(args);
    const shown = textOf(formatDate(this, value, args));
    const iso = new Date(time).toISOString().replace(".000", "");
    const datetime = named.has("datetime") ? patterned(this, time, textOf(named.get("datetime"))) : iso;
    return new SafeHtml(`<time${attribute("datetime", datetime)}>${escapeHtml(shown)}</time>`, shown);
  },
};

function formatDate(call: FilterCall, value: unknown, args: readonly unknown[]): unknown {
  const time = timeOf(call, value);
  if (time === undefined) return value;
  const { positional, named } = splitArguments(args);
  const pattern = positional[0];
  if (pattern !== undefined && pattern !== null) return patterned(call, time, textOf(pattern));
  const name = textOf(named.get("format"));
  const own = name === "" ? undefined : stateOf(call.context).view.translate(`date_formats.${name}`);
  if (own !== undefined) return patterned(call, time, own.text);
  const style = styles.get(name) ?? dateStyle;
  return createZonedClock(localeOf(call), zoneOf(call)).read(time).name(style);
}

function patterned(call: FilterCall, time: number, pattern: string): string {
  for (const [, width] of pattern.matchAll(/%[-_0^#:]*(\d+)/g)) call.context.memoryLimit.use(Number(width));
  return strftime(time, pattern, localeOf(call), zoneOf(call));
}

/** Milliseconds since 1970 of a date as templates write them; undefined where it is none. */
function timeOf(call: FilterCall, value: unknown): number | undefined {
  const date: unknown = toValue(value);
  if (date === "now" || date === "today") return stateOf(call.context).view.request.now;
  if (typeof date === "number" || (typeof date === "string" && /^\d{1,15}$/.test(date)))
    return valid(Number(date) * 1000);
  return typeof date === "string" && date.length < 100 ? valid(parsed(date.trim(), zoneOf(call))) : undefined;
}

/** A date without a zone is the shop's own, wherever the machine stands. */
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

function localeOf(call: FilterCall): string {
  return stateOf(call.context).view.request.locale;
}

function zoneOf(call: FilterCall): string {
  return stateOf(call.context).view.config.timezone;
}

const dateStyle: Intl.DateTimeFormatOptions = { dateStyle: "long" };
const styles: ReadonlyMap<string, Intl.DateTimeFormatOptions> = new Map([
  ["abbreviated_date", { dateStyle: "medium" }],
  ["basic", { dateStyle: "short" }],
  ["date", dateStyle],
  ["default", { dateStyle: "full", timeStyle: "short" }],
  ["date_at_time", { dateStyle: "long", timeStyle: "short" }],
  ["on_date", { dateStyle: "medium" }],
]);
