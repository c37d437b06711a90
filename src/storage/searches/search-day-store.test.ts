import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Database } from "../database.ts";
import { readEvent } from "../events/event-rows.ts";
import { emitNotFound } from "../events/not-found.ts";
import { migrate } from "../migrate.ts";
import { openSqlite } from "../sqlite/sqlite.ts";
import { forgetSearches } from "./forget-searches.ts";
import {
  type CountedOutcome,
  createSearchDayLog,
  readSearchReport,
  searchDaysKept,
  sweepSearchDays,
} from "./search-day-store.ts";

const NOW = Date.UTC(2026, 0, 15, 12);
const DAY = 86_400_000;
let dir: string;
let database: Database;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), "vitrine-days-"));
  database = await openSqlite(join(dir, "vitrine.db"));
  await migrate(database);
});
after(async () => {
  await database.close();
  await rm(dir, { recursive: true, force: true });
});

let ids = 0;
const newId = (): string => {
  ids += 1;
  return `id-${ids}`;
};
const options = {
  newSalt: newId,
  digest: (text: string) => createHmac("sha256", "key").update(text).digest("base64url"),
  newRows: { take: () => true, giveBack: () => undefined },
};

/** As many networks do the same, from the first on; two servers count. */
async function record(term: string, outcome: CountedOutcome["outcome"], networks: number, now: number): Promise<void> {
  const logs = [createSearchDayLog(database, options), createSearchDayLog(database, options)];
  for (let network = 0; network < networks; network += 1)
    for (const log of logs) log.record({ term, locale: "en", outcome }, `198.51.${network}`, now);
  for (const log of logs) await log.close();
}

async function shown(
  by: "searched" | "not_found" | "not_chosen" | "added",
  days: number,
  now: number,
): Promise<string> {
  const { rows } = await readSearchReport(database, { days, by, limit: 10 }, now);
  return rows.map((row) => [row.term, row.searched, row.notFound, row.chosen, row.added].join(" ")).join("; ");
}

test("searches add up by the day over servers, each network once, and are shown from five networks on", async () => {
  for (const day of [0, 1]) {
    await record("Rain  COAT", "searched", 7, NOW - day * DAY);
    await record("rain coat", "chosen", 3, NOW - day * DAY);
    await record("rain coat", "added", 2 * day, NOW - day * DAY);
    // Four networks are four, however many days.
    await record("of four", "searched", 4, NOW - day * DAY);
    await record("kayak", "searched", 6 - day, NOW - day * DAY);
    await record("kayak", "not_found", 6 - day, NOW - day * DAY);
  }
  await record("me@home.test", "searched", 9, NOW);
  assert.equal(await shown("searched", 1, NOW), "rain coat 7 0 3 0; kayak 6 6 0 0");
  assert.equal(await shown("searched", 7, NOW), "rain coat 14 0 6 2; kayak 11 11 0 0");
  assert.equal(await shown("not_found", 7, NOW), "kayak 11 11 0 0");
  assert.equal(await shown("not_chosen", 7, NOW), "rain coat 14 0 6 2");
  assert.equal(await shown("added", 7, NOW), "rain coat 14 0 6 2");
  assert.equal(await shown("added", 1, NOW), "");
  const { days } = await readSearchReport(database, { days: 7, by: "searched", limit: 1 }, NOW);
  assert.deepEqual(
    days.map(({ searched }) => searched),
    [16, 17],
  );
});

test("what was searched in vain is told once a day, by whichever server, and nothing on other days", async () => {
  const told = async (): Promise<readonly string[]> => {
    const rows = await database.read("SELECT id FROM events WHERE type = 'search.not_found' ORDER BY position");
    return rows.map(({ id }) => String(id));
  };
  const look = (now: number): Promise<unknown> =>
    Promise.all([emitNotFound(database, { now, newId }), emitNotFound(database, { now, newId })]);
  await look(NOW);
  assert.deepEqual(await told(), [], "it is told from the first look on");
  const midnight = Math.ceil(NOW / DAY) * DAY;
  await look(midnight + 1_000);
  assert.deepEqual(await told(), [], "servers have a few minutes to write");
  await look(midnight + 600_000);
  await look(midnight + 700_000);
  const [id = "", ...others] = await told();
  assert.deepEqual(others, []);
  assert.deepEqual((await readEvent(database, id))?.payload, {
    day: "2026-01-15",
    days: 7,
    searches: [{ query: "kayak", locale: "en", visitors: 11 }],
  });
  await look(NOW + 20 * DAY);
  assert.equal((await told()).length, 1, "everything was found");
});

test("what is forgotten, or long ago, is gone", async () => {
  assert.equal((await forgetSearches(database, "Kayak")).terms, 0);
  assert.equal(await shown("searched", 7, NOW), "rain coat 14 0 6 2");
  await sweepSearchDays(database, NOW + (searchDaysKept - 1) * DAY);
  assert.equal(await shown("searched", 7, NOW), "rain coat 7 0 3 0");
  await sweepSearchDays(database, NOW + searchDaysKept * DAY);
  assert.deepEqual(await database.read("SELECT * FROM search_days"), []);
  assert.deepEqual(await database.read("SELECT * FROM search_day_visits"), []);
});
