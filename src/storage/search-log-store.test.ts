import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import { createSearchLog, popularTerms, sweepSearches } from "./search-log-store.ts";
import { countableTerm } from "./search-term.ts";
import { openSqlite } from "./sqlite.ts";

const NOW = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
let dir: string;
let database: Database;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), "vitrine-searches-"));
  database = await openSqlite(join(dir, "vitrine.db"));
  await migrate(database);
});
after(async () => {
  await database.close();
  await rm(dir, { recursive: true, force: true });
});

let salts = 0;
const newSalt = () => {
  salts += 1;
  return `salt-${salts}`;
};

test("a term is shown once twenty visitors searched it, each counted once a day", async () => {
  const log = createSearchLog(database, { newSalt });
  for (let visitor = 0; visitor < 19; visitor += 1) {
    log.record("Rain  COAT", "en", `visitor ${visitor}`, NOW);
    log.record("rain coat", "en", `visitor ${visitor}`, NOW);
  }
  await log.flush();
  log.record("rain coat", "en", "visitor 3", NOW + 1_000);
  log.record("rain coat", "fr", "visitor 77", NOW);
  await log.flush();
  assert.deepEqual(await popularTerms(database), []);
  log.record("rain coat", "en", "visitor 19", NOW);
  await log.close();
  assert.deepEqual(await popularTerms(database), [{ locale: "en", text: "rain coat", visitors: 20 }]);
});

test("visits are forgotten when the day is over, and no address is ever written", async () => {
  const log = createSearchLog(database, { newSalt });
  log.record("lantern", "en", "203.0.113.9 Browser", NOW + DAY);
  await log.flush();
  const visits = await database.read("SELECT day, visitor FROM search_visits");
  assert.deepEqual(
    visits.map((row) => row.day),
    [(NOW + DAY) / DAY],
  );
  assert.doesNotMatch(JSON.stringify(visits), /203\.0|Browser/);
  assert.equal((await database.read("SELECT 1 FROM search_salts")).length, 1);
  await sweepSearches(database, NOW + 2 * DAY);
  assert.equal((await database.read("SELECT 1 FROM search_visits")).length, 0);
  assert.equal((await popularTerms(database)).length, 1);
});

test("a database that is away is told once and stops nothing", async () => {
  const away = await openSqlite(join(dir, "away.db"));
  await away.close();
  const warnings: string[] = [];
  const log = createSearchLog(away, { newSalt, log: { warn: (_, message) => warnings.push(message) } });
  log.record("rope", "en", "v", NOW);
  await log.flush();
  log.record("rope", "en", "v", NOW);
  await log.close();
  assert.equal(warnings.length, 1);
});

test("what looks personal is never counted", () => {
  const personal = [
    "mate@example.test",
    "mate at example dot test",
    "4111 1111 1111 1111",
    "4111-1111-1111-1111",
    "+44 20 7946 0958",
    "(030) 1234567",
    "٠١٢٣٤٥٦٧٨٩",
    "a".repeat(41),
    "x".repeat(100_000),
    "",
    " \n ",
    "\ud800",
  ];
  for (const text of personal) assert.equal(countableTerm(text), undefined, text.slice(0, 50));
  assert.equal(countableTerm("  Ｒain\tCoat "), "rain coat");
  assert.equal(countableTerm("usb 3.0 cable 200 cm"), "usb 3.0 cable 200 cm");
  assert.equal(countableTerm("雨衣"), "雨衣");
});
