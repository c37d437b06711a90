/** Returns a clock of days in a time zone, "2026-11-27". @param timezone an IANA name */
export function dayIn(timezone: string, now: () => number): () => string {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone: timezone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  return () => format.format(now());
}
