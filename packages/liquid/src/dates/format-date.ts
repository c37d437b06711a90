import { toZonedTime, type ZonedTime } from "./zoned-time.ts";

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
  const zonedTime = toZonedTime(time, locale, timeZone);
  if (typeof format === "object") return zonedTime.format(format);
  const expandDirectives = (text: string): string =>
    text.replace(
      /%([-_0^#:]*)((?:[1-9]\d*)?)([A-Za-z%+])/g,
      (directive, flags: string, width: string, letter: string) => {
        const expandedPattern = compoundDirectives.get(letter);
        if (expandedPattern !== undefined)
          return padField(expandDirectives(expandedPattern), flags, Number(width), " ");
        const fieldConverter = convertersByLetter.get(letter);
        if (fieldConverter === undefined) return directive;
        const { value, digits = 0, paddingCharacter = "0" } = fieldConverter(zonedTime, flags, Number(width));
        const isNumber = digits > 0;
        return padField(value, flags, Number(width) || digits, isNumber ? paddingCharacter : " ");
      },
    );
  return expandDirectives(format);
}

function padField(value: string, flags: string, width: number, padding: string): string {
  const flagCharacters = [...flags];
  const recasedValue = flagCharacters.includes("^")
    ? value.toUpperCase()
    : flagCharacters.includes("#")
      ? swapCase(value)
      : value;
  if (flagCharacters.includes("-")) return recasedValue;
  const paddingFlag = flagCharacters.findLast((flag) => flag === "_" || flag === "0");
  return recasedValue.padStart(width, paddingFlag === undefined ? padding : paddingFlag === "_" ? " " : "0");
}

function swapCase(value: string): string {
  return value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase();
}

interface DateFieldValue {
  readonly value: string;
  /** Minimum number of digits; undefined for text. */
  readonly digits?: number;
  readonly paddingCharacter?: "0" | " ";
}

type FieldConverter = (dateTime: ZonedTime, flags: string, width: number) => DateFieldValue;

const createNumberField = (
  digits: number,
  readField: (dateTime: ZonedTime) => number,
  padding: "0" | " " = "0",
): FieldConverter => {
  return (dateTime) => ({ value: String(readField(dateTime)), digits, paddingCharacter: padding });
};
const createTextField = (readField: (dateTime: ZonedTime, flags: string) => string): FieldConverter => {
  return (dateTime, flags) => ({ value: readField(dateTime, flags) });
};

/** Directives that abbreviate a sequence of other directives. */
const compoundDirectives: ReadonlyMap<string, string> = new Map([
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

const convertersByLetter: ReadonlyMap<string, FieldConverter> = new Map<string, FieldConverter>([
  ["a", createTextField((dateTime) => dateTime.format({ weekday: "short" }))],
  ["A", createTextField((dateTime) => dateTime.format({ weekday: "long" }))],
  ["b", createTextField((dateTime) => dateTime.format({ month: "short" }))],
  ["h", createTextField((dateTime) => dateTime.format({ month: "short" }))],
  ["B", createTextField((dateTime) => dateTime.format({ month: "long" }))],
  ["C", createNumberField(2, (dateTime) => Math.floor(dateTime.year / 100))],
  ["d", createNumberField(2, (dateTime) => dateTime.day)],
  ["e", createNumberField(2, (dateTime) => dateTime.day, " ")],
  ["g", createNumberField(2, (dateTime) => computeIsoWeek(dateTime).year % 100)],
  ["G", createNumberField(4, (dateTime) => computeIsoWeek(dateTime).year)],
  ["H", createNumberField(2, (dateTime) => dateTime.hour)],
  ["I", createNumberField(2, (dateTime) => dateTime.hour % 12 || 12)],
  ["j", createNumberField(3, getDayOfYear)],
  ["k", createNumberField(2, (dateTime) => dateTime.hour, " ")],
  ["l", createNumberField(2, (dateTime) => dateTime.hour % 12 || 12, " ")],
  ["L", (dateTime, _, width) => ({ value: formatFraction(dateTime, width || 3) })],
  ["m", createNumberField(2, (dateTime) => dateTime.month)],
  ["M", createNumberField(2, (dateTime) => dateTime.minute)],
  ["N", (dateTime, _, width) => ({ value: formatFraction(dateTime, width || 9) })],
  ["n", createTextField(() => "\n")],
  ["p", createTextField((dateTime) => (dateTime.hour < 12 ? "AM" : "PM"))],
  ["P", createTextField((dateTime) => (dateTime.hour < 12 ? "am" : "pm"))],
  ["q", createTextField((dateTime) => getOrdinalSuffix(dateTime.day))],
  ["s", createNumberField(1, (dateTime) => Math.floor(dateTime.time / 1_000))],
  ["S", createNumberField(2, (dateTime) => dateTime.second)],
  ["t", createTextField(() => "\t")],
  ["u", createNumberField(1, (dateTime) => dateTime.weekday || 7)],
  ["U", createNumberField(2, (dateTime) => Math.floor((getDayOfYear(dateTime) + 6 - dateTime.weekday) / 7))],
  ["V", createNumberField(2, (dateTime) => computeIsoWeek(dateTime).week)],
  ["w", createNumberField(1, (dateTime) => dateTime.weekday)],
  [
    "W",
    createNumberField(2, (dateTime) => Math.floor((getDayOfYear(dateTime) + 6 - ((dateTime.weekday + 6) % 7)) / 7)),
  ],
  ["y", createNumberField(2, (dateTime) => ((dateTime.year % 100) + 100) % 100)],
  ["Y", createNumberField(4, (dateTime) => dateTime.year)],
  ["z", createTextField((dateTime, flags) => formatOffset(dateTime.offset, flags.includes(":")))],
  ["Z", createTextField((dateTime) => dateTime.getZoneName())],
  ["%", createTextField(() => "%")],
]);

function formatFraction({ millisecond }: ZonedTime, digits: number): string {
  return String(millisecond).padStart(3, "0").padEnd(digits, "0").slice(0, digits);
}

function formatOffset(minutes: number, hasColon: boolean): string {
  const padNumber = (value: number): string => String(Math.floor(Math.abs(value))).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${padNumber(minutes / 60)}${hasColon ? ":" : ""}${padNumber(minutes % 60)}`;
}

const msPerDay = 86_400_000;

/** Returns the number of days since 1970. */
function countEpochDays(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day) / msPerDay;
}

/** Returns the day of the year, starting at 1. */
function getDayOfYear({ year, month, day }: ZonedTime): number {
  return countEpochDays(year, month, day) - countEpochDays(year, 1, 1) + 1;
}

/** Returns the ISO 8601 week. Weeks start on Monday, and the first week contains the year's first Thursday. */
function computeIsoWeek({ year, month, day, weekday }: ZonedTime): { readonly year: number; readonly week: number } {
  const thursdayEpochDay = countEpochDays(year, month, day) + 4 - (weekday || 7);
  const yearOfWeek = new Date(thursdayEpochDay * msPerDay).getUTCFullYear();
  return { year: yearOfWeek, week: Math.floor((thursdayEpochDay - countEpochDays(yearOfWeek, 1, 1)) / 7) + 1 };
}

/** Returns the English ordinal suffix of a day of the month ("st", "nd"), in every locale. */
function getOrdinalSuffix(day: number): string {
  const isTeenNumber = day % 100 >= 11 && day % 100 <= 13;
  return isTeenNumber ? "th" : (["th", "st", "nd", "rd"][day % 10] ?? "th");
}
