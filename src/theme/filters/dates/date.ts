import type { Context } from "@vitrine/liquid";
import { formatDate, parseDate } from "@vitrine/liquid";
import { escapeHtml } from "../../../runtime/escape-html.ts";
import { renderAttribute, SafeHtml } from "../../liquid/safe-html.ts";
import { stateOf } from "../../render-state.ts";
import { isFromShopify } from "../../view.ts";
import { type FilterFamily, splitArguments, textOf } from "../filter.ts";

export const dateFilters: FilterFamily = {
  /**
   * Formats a date: `date: '%Y-%m-%d'`, or `date: format: 'abbreviated_date'`. The translations can define named
   * formats under `date_formats`. Dates use the page's language, the shop's time zone and the Gregorian calendar. A
   * theme made for Shopify compares the names that a pattern prints, as in `'now' | date: '%a'`, so they are English.
   */
  date(value, ...args) {
    return formatTime(this, value, args, isFromShopify(stateOf(this).view) ? "en" : localeOf(this));
  },
  time_tag(value, ...args) {
    const time = parseTime(this, value);
    if (time === undefined) return "";
    const { namedArgs } = splitArguments(args);
    const text = textOf(formatTime(this, value, args, localeOf(this)));
    const isoTime = new Date(time).toISOString().replace(".000", "");
    const datetime = namedArgs.has("datetime")
      ? formatByPattern(this, time, textOf(namedArgs.get("datetime")), localeOf(this))
      : isoTime;
    return new SafeHtml(`<time${renderAttribute("datetime", datetime)}>${escapeHtml(text)}</time>`, text);
  },
};

/** @param patternLocale language of the names that a pattern without a `format` name prints */
function formatTime(call: Context, value: unknown, args: readonly unknown[], patternLocale: string): unknown {
  const time = parseTime(call, value);
  if (time === undefined) return value;
  const { positionalArgs, namedArgs } = splitArguments(args);
  const pattern = positionalArgs[0];
  if (pattern !== undefined && pattern !== null) return formatByPattern(call, time, textOf(pattern), patternLocale);
  const name = textOf(namedArgs.get("format"));
  const themeDateFormat = name === "" ? undefined : stateOf(call).view.translate(`date_formats.${name}`);
  if (themeDateFormat !== undefined) return formatByPattern(call, time, themeDateFormat.text, localeOf(call));
  const timeFormat = timeFormats.get(name) ?? defaultTimeFormat;
  return formatDate(time, timeFormat, localeOf(call), getTimeZone(call));
}

function formatByPattern(call: Context, time: number, pattern: string, locale: string): string {
  for (const [, width] of pattern.matchAll(/%[-_0^#:]*(\d+)/g)) call.checkLength(Number(width));
  return formatDate(time, pattern, locale, getTimeZone(call));
}

function parseTime(call: Context, value: unknown): number | undefined {
  return parseDate(value, stateOf(call).view.request.now, getTimeZone(call));
}

function localeOf(call: Context): string {
  return stateOf(call).view.request.locale;
}

function getTimeZone(call: Context): string {
  return stateOf(call).view.config.timezone;
}

const defaultTimeFormat: Intl.DateTimeFormatOptions = { dateStyle: "long" };
const timeFormats: ReadonlyMap<string, Intl.DateTimeFormatOptions> = new Map([
  ["abbreviated_date", { dateStyle: "medium" }],
  ["basic", { dateStyle: "short" }],
  ["date", defaultTimeFormat],
  ["default", { dateStyle: "full", timeStyle: "short" }],
  ["date_at_time", { dateStyle: "long", timeStyle: "short" }],
  ["on_date", { dateStyle: "medium" }],
]);
