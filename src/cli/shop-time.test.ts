import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError } from "./arguments.ts";
import { createMinuteFormat, readStartTime } from "./shop-time.ts";

test("lists of commands show times in the time zone of the shop, in which --since reads days", () => {
  const startTime = readStartTime("2026-11-30", "Europe/Berlin");
  assert.equal(startTime, Date.parse("2026-11-29T23:00:00Z"));
  assert.equal(createMinuteFormat("Europe/Berlin")(startTime), "2026-11-30 00:00");
  assert.equal(createMinuteFormat("UTC")(startTime), "2026-11-29 23:00");
});

test("--since accepts days, and times with a zone, but no dates that could be read in two ways", () => {
  assert.equal(readStartTime(undefined, "UTC"), 0);
  assert.equal(readStartTime("2026-11-30T12:00:00Z", "Europe/Berlin"), Date.parse("2026-11-30T12:00:00Z"));
  for (const text of ["11/12/2026", "2026", "2026-11", "2026-11-30T12:00", "2026-02-30T99:00Z", "yesterday", ""])
    assert.throws(() => readStartTime(text, "UTC"), UsageError, text);
});
