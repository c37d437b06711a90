/** A time in a time zone, as year, month, day and time of day in the Gregorian calendar. */
export interface ZonedTime {
  /** Time in milliseconds since 1970. */
  readonly time: number;
  readonly year: number;
  /** Month, 1 to 12. */
  readonly month: number;
  readonly day: number;
  /** Day of the week, 0 (Sunday) to 6. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
  /** Offset from UTC in minutes: 120 for UTC+2. */
  readonly offset: number;
  /** Formats the time with `Intl` in the given language. */
  format(format: Intl.DateTimeFormatOptions): string;
  /** Returns the abbreviation of the time zone: "CEST", "UTC", "GMT+2". */
  getZoneName(): string;
}

/**
 * Converts a time to a time zone.
 * @param time milliseconds since 1970
 * @param locale language of names
 * @param timeZone IANA name, such as "Europe/Berlin"
 */
export function toZonedTime(time: number, locale: string, timeZone: string): ZonedTime {
  const timeZoneOffsetMs = getUtcOffset(time, timeZone);
  const localDate = new Date(time + timeZoneOffsetMs);
  return {
    time,
    year: localDate.getUTCFullYear(),
    month: localDate.getUTCMonth() + 1,
    day: localDate.getUTCDate(),
    weekday: localDate.getUTCDay(),
    hour: localDate.getUTCHours(),
    minute: localDate.getUTCMinutes(),
    second: localDate.getUTCSeconds(),
    millisecond: localDate.getUTCMilliseconds(),
    offset: Math.round(timeZoneOffsetMs / 60_000),
    format: (format) => getFormatter(locale, timeZone, format).format(time),
    getZoneName: () => {
      const parts = getFormatter("en", timeZone, { timeZoneName: "short" }).formatToParts(time);
      return parts.find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
    },
  };
}

/**
 * Converts a local date and time in a time zone to milliseconds since 1970. A local time that is missing or occurs
 * twice because of daylight saving time is converted with one of the two offsets.
 * @param localTime local date and time, as milliseconds since 1970 in UTC
 */
export function convertToUtc(localTime: number, timeZone: string): number {
  const estimatedTime = localTime - getUtcOffset(localTime, timeZone);
  return localTime - getUtcOffset(estimatedTime, timeZone);
}

/** Returns the offset of a time zone at a time, in milliseconds ahead of UTC. */
function getUtcOffset(time: number, timeZone: string): number {
  if (timeZone === "UTC") return 0;
  const wholeSecondMs = Math.floor(time / 1_000) * 1_000;
  const fields = new Map(
    getFormatter("en", timeZone, dateTimeFields)
      .formatToParts(wholeSecondMs)
      .map(({ type, value }) => [type, value]),
  );
  const readFieldValue = (type: Intl.DateTimeFormatPartTypes): number => Number(fields.get(type));
  const year = fields.get("era") === "BC" ? 1 - readFieldValue("year") : readFieldValue("year");
  const localDate = new Date(0);
  localDate.setUTCFullYear(year, readFieldValue("month") - 1, readFieldValue("day"));
  return (
    localDate.setUTCHours(readFieldValue("hour"), readFieldValue("minute"), readFieldValue("second")) - wholeSecondMs
  );
}

const dateTimeFields: Intl.DateTimeFormatOptions = {
  era: "short",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
  hourCycle: "h23",
};

/** Returns a cached formatter. The calendar is always Gregorian, to match the numeric year, month, and day. */
function getFormatter(locale: string, timeZone: string, format: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${JSON.stringify(format)}`;
  let cachedFormatter = formatters.get(key);
  if (cachedFormatter === undefined) {
    cachedFormatter = new Intl.DateTimeFormat(locale, { ...format, timeZone, calendar: "gregory" });
    formatters.set(key, cachedFormatter);
  }
  return cachedFormatter;
}

const formatters = new Map<string, Intl.DateTimeFormat>();
