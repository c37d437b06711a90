import assert from "node:assert/strict";
import { after, test } from "node:test";
import { DAY_MS } from "../../runtime/durations.ts";
import type { SearchReportOptions } from "../../signals/search-report.ts";
import type { SignalKind } from "../../signals/signals.ts";
import { readEvent } from "../events/event-rows.ts";
import { emitSearchesWithoutResults } from "../events/not-found.ts";
import { openTestDatabase } from "../test-database.fixture.ts";
import { createSignalCounter } from "./count-signals.ts";
import { forgetSearches } from "./forget-signals.ts";
import { readSearchReport } from "./report.ts";
import { counterOptions } from "./signals.fixture.ts";

const NOW = Date.UTC(2026, 0, 15, 12);
const { database, close } = await openTestDatabase();
after(close);

/** Records the same signal for a number of IP networks, on two servers. */
async function recordSearches(term: string, kind: SignalKind, networks: number, now: number): Promise<void> {
  for (const counter of [
    createSignalCounter(database, counterOptions),
    createSignalCounter(database, counterOptions),
  ]) {
    for (let network = 0; network < networks; network += 1)
      counter.record({ kind, term, locale: "en" }, `198.51.${network}`, now);
    await counter.flush();
  }
}

async function readTerms(sortBy: SearchReportOptions["sortBy"], days: number, now: number): Promise<string> {
  const { rows } = await readSearchReport(database, { days, sortBy, limit: 10 }, now);
  return rows
    .map((row) => [row.term, row.searchCount, row.notFoundCount, row.clickedCount, row.addedCount].join(" "))
    .join("; ");
}

test("searches are summed by day over servers, each network once, and shown from five networks on", async () => {
  for (const day of [0, 1]) {
    await recordSearches("Rain  COAT", "searched", 7, NOW - day * DAY_MS);
    await recordSearches("rain coat", "clicked", 3, NOW - day * DAY_MS);
    await recordSearches("rain coat", "added", 2 * day, NOW - day * DAY_MS);
    // Use the same four IP networks on both days.
    await recordSearches("of four", "searched", 4, NOW - day * DAY_MS);
    await recordSearches("kayak", "searched", 6 - day, NOW - day * DAY_MS);
    await recordSearches("kayak", "not_found", 6 - day, NOW - day * DAY_MS);
  }
  await recordSearches("me@home.test", "searched", 9, NOW);
  assert.equal(await readTerms("searched", 1, NOW), "rain coat 7 0 3 0; kayak 6 6 0 0");
  assert.equal(await readTerms("searched", 7, NOW), "rain coat 14 0 6 2; kayak 11 11 0 0");
  assert.equal(await readTerms("not_found", 7, NOW), "kayak 11 11 0 0");
  assert.equal(await readTerms("not_chosen", 7, NOW), "rain coat 14 0 6 2");
  assert.equal(await readTerms("added", 7, NOW), "rain coat 14 0 6 2");
  assert.equal(await readTerms("added", 1, NOW), "");
  const { days } = await readSearchReport(database, { days: 7, sortBy: "searched", limit: 1 }, NOW);
  assert.deepEqual(
    days.map(({ searchCount }) => searchCount),
    [16, 17],
  );
});

test("searches without results are reported once a day by one server, and not on days without any", async () => {
  let ids = 0;
  const newId = (): string => {
    ids += 1;
    return `id-${ids}`;
  };
  const events = async (): Promise<readonly string[]> => {
    const rows = await database.read("SELECT id FROM events WHERE type = 'search.not_found' ORDER BY position");
    return rows.map(({ id }) => String(id));
  };
  const emitReport = (now: number): Promise<unknown> =>
    Promise.all([
      emitSearchesWithoutResults(database, { now, newId }),
      emitSearchesWithoutResults(database, { now, newId }),
    ]);
  await emitReport(NOW);
  assert.deepEqual(await events(), [], "days before the first run are not reported");
  const midnight = Math.ceil(NOW / DAY_MS) * DAY_MS;
  await emitReport(midnight + 1_000);
  assert.deepEqual(await events(), [], "servers have a few minutes to write");
  await emitReport(midnight + 600_000);
  await emitReport(midnight + 700_000);
  const [id = "", ...otherEvents] = await events();
  assert.deepEqual(otherEvents, []);
  assert.deepEqual((await readEvent(database, id))?.payload, {
    day: "2026-01-15",
    days: 7,
    searches: [{ query: "kayak", locale: "en", visitors: 11 }],
  });
  await emitReport(NOW + 20 * DAY_MS);
  assert.equal((await events()).length, 1, "everything was found");
});

test("deleted words are not in the report", async () => {
  assert.deepEqual(await forgetSearches(database, "Kayak"), { terms: 1, clicks: 0 });
  assert.equal(await readTerms("searched", 7, NOW), "rain coat 14 0 6 2");
});
