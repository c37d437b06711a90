/** A moment as clocks and calendars of a time zone show it, in the Gregorian calendar. */
export interface ZonedTime {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  /** 0 for Sunday. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
  /** Minutes that the zone's clocks are ahead of UTC. */
  readonly offset: number;
  /** What a format of `Intl` says of it, in the clock's language. */
  name(format: Intl.DateTimeFormatOptions): string;
  /** "CEST", "UTC", "GMT+2" */
  zoneName(): string;
}

export interface ZonedClock {
  read(time: number): ZonedTime;
}

/** @param locale of names  @param timeZone an IANA name, as "Europe/Berlin" */
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

/** The moment at which clocks of a zone show a date: where they show it twice, or never, in a night when they are put back or on, the one that
 *  the offset before it gives.
 *  @param shown milliseconds since 1970 as if the zone were UTC */
export function momentOf(shown: number, timeZone: string): number {
  const first = shown - offsetAt(shown, timeZone);
  return shown - offsetAt(first, timeZone);
}

/** Milliseconds that a zone's clocks are ahead of UTC. */
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

/** Days and years are those of the Gregorian calendar in every language: what counts them otherwise beside numbers of a pattern would be wrong. */
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
