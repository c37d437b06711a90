import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRow } from "./parse-row.ts";
import { createDateConverter, isIsoDay } from "./zoned-dates.ts";

function zonedStart(timeZone: string, startsAt: string): string | undefined {
  const value = { kind: "discount", title: "Sale", value_type: "percentage", value: 10, starts_at: startsAt };
  const row = parseRow(value, undefined, (field, message) => assert.fail(`${field}: ${message}`));
  const zonedRow = row && createDateConverter(timeZone)(row);
  return zonedRow?.kind === "discount" ? zonedRow.startsAt : undefined;
}

const examples: readonly (readonly [string, string, string])[] = [
  ["America/New_York", "2026-07-01", "2026-07-01T00:00:00-04:00"],
  ["America/New_York", "2026-12-01", "2026-12-01T00:00:00-05:00"],
  ["America/New_York", "2026-03-08", "2026-03-08T00:00:00-05:00"],
  ["America/New_York", "2026-03-09", "2026-03-09T00:00:00-04:00"],
  ["Asia/Kolkata", "2026-07-01", "2026-07-01T00:00:00+05:30"],
  ["Pacific/Auckland", "2026-04-05", "2026-04-05T00:00:00+13:00"],
  ["Europe/London", "2026-12-01", "2026-12-01T00:00:00+00:00"],
  ["UTC", "2026-07-01", "2026-07-01"],
  ["Asia/Tokyo", "2026-07-01T09:00:00Z", "2026-07-01T09:00:00Z"],
];
for (const [timeZone, date, expected] of examples)
  test(`in ${timeZone}, ${date} starts at ${expected}`, () => assert.equal(zonedStart(timeZone, date), expected));

test("a day must exist in the calendar", () => {
  const days = ["2026-02-28", "2026-02-29", "2028-02-29", "2026-02-31", "2026-13-01", "2026-2-1"];
  assert.deepEqual(days.filter(isIsoDay), ["2026-02-28", "2028-02-29"]);
});
