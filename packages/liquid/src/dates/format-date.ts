import { createZonedClock, type ZonedTime } from "./zoned-time.ts";

/**
 * Formats a time in the Gregorian calendar.
 * @param time milliseconds since 1970
 * @param format options of `Intl.DateTimeFormat`, or a pattern of Ruby's `strftime` ("%d %B %Y"). Flags: `-` (no
 * padding), `_` and `0` (padding character), `^` (upper case), `#` (swapped case), `:` (colon in %z). A width may
 * follow the flags. Unknown directives stay unchanged.
 * @param locale BCP 47 tag, for the names of months and days
 * @param timeZone IANA name, such as "Europe/Berlin"
 * @throws RangeError if the locale or the time zone is unknown
 */
export function formatDate(
  time: number,
  format: string | Intl.DateTimeFormatOptions,
  locale: string,
  timeZone: string,
): string {
  const at = createZonedClock(locale, timeZone).read(time);
  if (typeof format === "object") return at.name(format);
  const expand = (text: string): string =>
    text.replace(/%([-_0^#:]*)(\d*)([A-Za-z%+])/g, (whole, flags: string, width: string, letter: string) => {
      const compound = compounds.get(letter);
      if (compound !== undefined) return filled(expand(compound), flags, Number(width), " ");
      const conversion = conversions.get(letter);
      if (conversion === undefined) return whole;
      const { value, digits = 0, fill = "0" } = conversion(at, flags, Number(width));
      const isNumber = digits > 0;
      return filled(value, flags, Number(width) || digits, isNumber ? fill : " ");
    });
  return expand(format);
}

function filled(value: string, flags: string, width: number, fill: string): string {
  const marks = [...flags];
  const cased = marks.includes("^") ? value.toUpperCase() : marks.includes("#") ? swapped(value) : value;
  if (marks.includes("-")) return cased;
  const last = marks.findLast((mark) => mark === "_" || mark === "0");
  return cased.padStart(width, last === undefined ? fill : last === "_" ? " " : "0");
}

function swapped(value: string): string {
  return value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase();
}

interface Converted {
  readonly value: string;
  /** Minimum number of digits; undefined for text. */
  readonly digits?: number;
  readonly fill?: "0" | " ";
}

type Conversion = (at: ZonedTime, flags: string, width: number) => Converted;

const number = (digits: number, read: (at: ZonedTime) => number, fill: "0" | " " = "0"): Conversion => {
  return (at) => ({ value: String(read(at)), digits, fill });
};
const text = (read: (at: ZonedTime, flags: string) => string): Conversion => {
  return (at, flags) => ({ value: read(at, flags) });
};

/** Directives that stand for a sequence of other directives. */
const compounds: ReadonlyMap<string, string> = new Map([
  ["c", "%a %b %e %H:%M:%S %Y"],
  ["D", "%m/%d/%y"],
  ["x", "%m/%d/%y"],
  ["X", "%H:%M:%S"],
  ["F", "%Y-%m-%d"],
  ["R", "%H:%M"],
  ["T", "%H:%M:%S"],
  ["r", "%I:%M:%S %p"],
  ["v", "%e-%^b-%Y"],
  ["+", "%a %b %e %H:%M:%S %Z %Y"],
]);

const conversions: ReadonlyMap<string, Conversion> = new Map<string, Conversion>([
  ["a", text((at) => at.name({ weekday: "short" }))],
  ["A", text((at) => at.name({ weekday: "long" }))],
  ["b", text((at) => at.name({ month: "short" }))],
  ["h", text((at) => at.name({ month: "short" }))],
  ["B", text((at) => at.name({ month: "long" }))],
  ["C", number(2, (at) => Math.floor(at.year / 100))],
  ["d", number(2, (at) => at.day)],
  ["e", number(2, (at) => at.day, " ")],
  ["g", number(2, (at) => isoWeek(at).year % 100)],
  ["G", number(4, (at) => isoWeek(at).year)],
  ["H", number(2, (at) => at.hour)],
  ["I", number(2, (at) => at.hour % 12 || 12)],
  ["j", number(3, dayOfYear)],
  ["k", number(2, (at) => at.hour, " ")],
  ["l", number(2, (at) => at.hour % 12 || 12, " ")],
  ["L", (at, _, width) => ({ value: fraction(at, width || 3) })],
  ["m", number(2, (at) => at.month)],
  ["M", number(2, (at) => at.minute)],
  ["N", (at, _, width) => ({ value: fraction(at, width || 9) })],
  ["n", text(() => "\n")],
  ["p", text((at) => (at.hour < 12 ? "AM" : "PM"))],
  ["P", text((at) => (at.hour < 12 ? "am" : "pm"))],
  ["q", text((at) => ordinal(at.day))],
  ["s", number(1, (at) => Math.floor(at.time / 1_000))],
  ["S", number(2, (at) => at.second)],
  ["t", text(() => "\t")],
  ["u", number(1, (at) => at.weekday || 7)],
  ["U", number(2, (at) => Math.floor((dayOfYear(at) + 6 - at.weekday) / 7))],
  ["V", number(2, (at) => isoWeek(at).week)],
  ["w", number(1, (at) => at.weekday)],
  ["W", number(2, (at) => Math.floor((dayOfYear(at) + 6 - ((at.weekday + 6) % 7)) / 7))],
  ["y", number(2, (at) => ((at.year % 100) + 100) % 100)],
  ["Y", number(4, (at) => at.year)],
  ["z", text((at, flags) => offset(at.offset, flags.includes(":")))],
  ["Z", text((at) => at.zoneName())],
  ["%", text(() => "%")],
]);

function fraction({ millisecond }: ZonedTime, digits: number): string {
  return String(millisecond).padStart(3, "0").padEnd(digits, "0").slice(0, digits);
}

function offset(minutes: number, hasColon: boolean): string {
  const part = (value: number): string => String(Math.floor(Math.abs(value))).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${part(minutes / 60)}${hasColon ? ":" : ""}${part(minutes % 60)}`;
}

const dayMs = 86_400_000;

/** Returns the number of days since 1970. */
function daysTo(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day) / dayMs;
}

/** Returns the day of the year, starting at 1. */
function dayOfYear({ year, month, day }: ZonedTime): number {
  return daysTo(year, month, day) - daysTo(year, 1, 1) + 1;
}

/** Returns the ISO 8601 week. Weeks start on Monday, and the first week contains the year's first Thursday. */
function isoWeek({ year, month, day, weekday }: ZonedTime): { readonly year: number; readonly week: number } {
  const thursday = daysTo(year, month, day) + 4 - (weekday || 7);
  const yearOfWeek = new Date(thursday * dayMs).getUTCFullYear();
  return { year: yearOfWeek, week: Math.floor((thursday - daysTo(yearOfWeek, 1, 1)) / 7) + 1 };
}

/** Returns the English ordinal suffix of a day ("st", "nd"), in every language. */
function ordinal(day: number): string {
  const teen = day % 100 >= 11 && day % 100 <= 13;
  return teen ? "th" : (["th", "st", "nd", "rd"][day % 10] ?? "th");
}
