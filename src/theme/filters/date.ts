import { filters as builtIn, toValue } from "liquidjs";
import { stateOf } from "../render-state.ts";
import { attribute, escapeHtml, SafeHtml } from "../safe-html.ts";
import { type FilterCall, type FilterFamily, splitArguments, textOf } from "./filter.ts";

export const dateFilters: FilterFamily = {
  /** `date: '%Y-%m-%d'`, or `date: format: 'abbreviated_date'` (or a name in the locale's `date_formats`); in the
   *  render's language, in UTC. */
  date(value, ...args) {
    return formatDate(this, value, args);
  },
  time_tag(value, ...args) {
    const time = timeOf(this, value);
    if (time === undefined) return "";
    const { named } = splitArguments(args);
    const shown = textOf(formatDate(this, value, args));
    const iso = new Date(time).toISOString().replace(".000", "");
    const datetime = named.has("datetime") ? strftime(this, time, textOf(named.get("datetime"))) : iso;
    return new SafeHtml(`<time${attribute("datetime", datetime)}>${escapeHtml(shown)}</time>`, shown);
  },
};

function formatDate(call: FilterCall, value: unknown, args: readonly unknown[]): unknown {
  const time = timeOf(call, value);
  if (time === undefined) return value;
  const { positional, named } = splitArguments(args);
  const pattern = positional[0];
  if (pattern !== undefined && pattern !== null) return strftime(call, time, textOf(pattern));
  const name = textOf(named.get("format"));
  const own = name === "" ? undefined : stateOf(call.context).view.translate(`date_formats.${name}`);
  if (own !== undefined) return strftime(call, time, own.text);
  const style = styles.get(name) ?? styles.get("date");
  return new Intl.DateTimeFormat(localeOf(call), { ...style, timeZone: "UTC" }).format(time);
}

/** LiquidJS's own filter, in the render's language. */
function strftime(call: FilterCall, time: number, pattern: string): string {
  const context = {
    opts: { ...call.context.opts, locale: localeOf(call), timezoneOffset: 0 },
    memoryLimit: call.context.memoryLimit,
  };
  const format = builtIn.date as (this: unknown, value: unknown, pattern: string) => unknown;
  return textOf(format.call({ context }, new Date(time), pattern));
}

/** Milliseconds since 1970 of a date as templates write them; undefined where it is none. */
function timeOf(call: FilterCall, value: unknown): number | undefined {
  const date: unknown = toValue(value);
  if (date === "now" || date === "today") return stateOf(call.context).view.request.now;
  if (typeof date === "number" || (typeof date === "string" && /^\d{1,15}$/.test(date)))
    return valid(Number(date) * 1000);
  return typeof date === "string" && date.length < 100 ? valid(Date.parse(date)) : undefined;
}

function valid(time: number): number | undefined {
  return Math.abs(time) <= 8.64e15 ? time : undefined;
}

function localeOf(call: FilterCall): string {
  return stateOf(call.context).view.request.locale;
}

const styles: ReadonlyMap<string, Intl.DateTimeFormatOptions> = new Map([
  ["abbreviated_date", { dateStyle: "medium" }],
  ["basic", { dateStyle: "short" }],
  ["date", { dateStyle: "long" }],
  ["default", { dateStyle: "full", timeStyle: "short" }],
  ["date_at_time", { dateStyle: "long", timeStyle: "short" }],
  ["on_date", { dateStyle: "medium" }],
]);
