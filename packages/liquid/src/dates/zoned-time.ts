/** A time in a time zone, in fields of the Gregorian calendar. */
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
  /** Offset of the time zone in minutes ahead of UTC. */
  readonly offset: number;
  /** Formats the time with `Intl` in the language of the clock. */
  name(format: Intl.DateTimeFormatOptions): string;
  /** Returns the abbreviation of the time zone: "CEST", "UTC", "GMT+2". */
  zoneName(): string;
}

export interface ZonedClock {
  read(time: number): ZonedTime;
}

/**
 * Creates a clock of a time zone.
 * @param locale language of names
 * @param timeZone IANA name, such as "Europe/Berlin"
 */
export function createZonedClock(locale: string, timeZone: string): ZonedClock {
  return {
    read(time) {
      const ahead = offsetAt(time, timeZone);
      const shown = new Date(time + ahead);
      return {
        time,
        year: shown.getUTCFullYear(),
        month: shown.getUTCMonth() + 1,
        day: shown.getUTCDate(),
        weekday: shown.getUTCDay(),
        hour: shown.getUTCHours(),
        minute: shown.getUTCMinutes(),
        second: shown.getUTCSeconds(),
        millisecond: shown.getUTCMilliseconds(),
        offset: Math.round(ahead / 60_000),
        name: (format) => formatter(locale, timeZone, format).format(time),
        zoneName: () => {
          const parts = formatter("en", timeZone, { timeZoneName: "short" }).formatToParts(time);
          return parts.find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
        },
      };
    },
  };
}

/**
 * Converts a local date and time in a time zone to milliseconds since 1970. If a change of the offset makes the local
 * time ambiguous or invalid, the earlier offset applies.
 * @param shown local date and time, as milliseconds since 1970 in UTC
 */
export function momentOf(shown: number, timeZone: string): number {
  const first = shown - offsetAt(shown, timeZone);
  return shown - offsetAt(first, timeZone);
}

/** Returns the offset of a time zone at a time, in milliseconds ahead of UTC. */
function offsetAt(time: number, timeZone: string): number {
  if (timeZone === "UTC") return 0;
  const second = Math.floor(time / 1_000) * 1_000;
  const fields = new Map(
    formatter("en", timeZone, clockFields)
      .formatToParts(second)
      .map(({ type, value }) => [type, value]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes): number => Number(fields.get(type));
  const year = fields.get("era") === "BC" ? 1 - of("year") : of("year");
  const shown = new Date(0);
  shown.setUTCFullYear(year, of("month") - 1, of("day"));
  return shown.setUTCHours(of("hour"), of("minute"), of("second")) - second;
}

const clockFields: Intl.DateTimeFormatOptions = {
  era: "short",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
  hourCycle: "h23",
};

/**
 * Returns a cached formatter. It uses the Gregorian calendar, since other calendars would not match the numeric fields.
 */
function formatter(locale: string, timeZone: string, format: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${JSON.stringify(format)}`;
  let known = formatters.get(key);
  if (known === undefined) {
    known = new Intl.DateTimeFormat(locale, { ...format, timeZone, calendar: "gregory" });
    formatters.set(key, known);
  }
  return known;
}

const formatters = new Map<string, Intl.DateTimeFormat>();
