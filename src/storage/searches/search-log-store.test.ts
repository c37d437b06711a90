import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createLimits } from "../../runtime/limits.ts";
import type { Database } from "../database.ts";
import { migrate } from "../migrate.ts";
import { openSqlite } from "../sqlite/sqlite.ts";
import { createSearchLog, popularTerms, type StoredSearchLog, sweepSearches } from "./search-log-store.ts";
import { countableTerm } from "./search-term.ts";

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
const digest = (text: string): string => createHmac("sha256", "key").update(text).digest("base64url");
const newRows = { take: () => true, giveBack: () => undefined };
const options = { newSalt, digest, newRows };

/** Searches of as many networks, from the first on. */
function searchAll(log: StoredSearchLog, term: string, networks: number, now: number, locale = "en"): Promise<void> {
  for (let network = 0; network < networks; network += 1) log.record(term, locale, `198.51.${network}`, now);
  return log.flush();
}

/** What is shown in a language, with how many networks were counted. */
async function shown(now: number, locale = "en"): Promise<readonly (readonly [string, number])[]> {
  const terms = (await popularTerms(database, now)).filter((term) => term.locale === locale);
  return terms.map(({ text, visitors }) => [text, visitors] as const);
}

test("a term is shown once more than twenty networks searched it, from the day after on", async () => {
  const log = createSearchLog(database, options);
  await searchAll(log, "Rain  COAT", 45, NOW);
  await searchAll(log, "rain coat", 45, NOW + 1_000);
  await searchAll(log, "rain hat", 19, NOW);
  await searchAll(log, "rain coat", 1, NOW, "fr");
  assert.deepEqual(await shown(NOW + 1_000), []);
  assert.deepEqual(await shown(NOW + DAY), [["rain coat", 45]]);
  await searchAll(log, "rain coat", 3, NOW + DAY);
  assert.deepEqual(await shown(NOW + DAY + 1_000), [["rain coat", 45]], "its rank does not move within a day either");
  assert.deepEqual(await shown(NOW + 2 * DAY), [["rain coat", 48]]);
});

test("how many networks it takes is another number for each term, never fewer than twenty", async () => {
  const log = createSearchLog(database, options);
  const terms = Array.from({ length: 30 }, (_, n) => `noise ${n}`);
  const seen = [];
  for (const networks of [20, 22, 26, 36, 60]) {
    for (const term of terms) await searchAll(log, term, networks, NOW, "noise");
    seen.push((await shown(NOW + DAY, "noise")).length);
  }
  const [at20 = 0, at22 = 0, at26 = 0, at36 = 0, at60 = 0] = seen;
  assert.ok(at20 <= 3 && at22 <= 8 && at26 > 4 && at26 < 28 && at36 > 24 && at60 === 30, seen.join());
});

test("one network makes no term popular, though it searches it every day", async () => {
  const log = createSearchLog(database, options);
  for (let day = 0; day < 60; day += 1) await searchAll(log, "my own name", 1, NOW + day * DAY, "daily");
  const [row] = await database.read("SELECT visitors FROM search_terms WHERE locale = 'daily'");
  assert.equal(row?.visitors, 60);
  assert.deepEqual(await shown(NOW + 61 * DAY, "daily"), []);
});

test("new terms are few from one network and few in all; known ones are counted on", async () => {
  const limits = createLimits({ row: { burst: 3, everyMs: DAY, total: { burst: 5, everyMs: DAY } } });
  const log = createSearchLog(database, {
    ...options,
    newRows: {
      take: (network, now) => limits.consume("row", network, now),
      giveBack: (network, now) => limits.refund("row", network, now),
    },
  });
  const kept = async (): Promise<number> =>
    (await database.read("SELECT 1 AS one FROM search_terms WHERE locale = 'flood'")).length;
  for (let n = 0; n < 400; n += 1) log.record(`term ${Math.floor(n / 10)}`, "flood", "203.0.113", NOW);
  await log.flush();
  assert.equal(await kept(), 3);
  for (let n = 0; n < 10; n += 1) log.record("term 1", "flood", `198.51.${n}`, NOW);
  await log.flush();
  for (let n = 10; n < 20; n += 1) log.record(`term ${n}`, "flood", `198.51.${n}`, NOW);
  log.record("term 2", "flood", "203.0.113", NOW);
  await log.flush();
  assert.equal(await kept(), 5);
  const [row] = await database.read("SELECT visitors FROM search_terms WHERE locale = 'flood' AND term = 'term 1'");
  assert.equal(row?.visitors, 11);
  const visits = await database.read("SELECT DISTINCT term FROM search_visits WHERE locale = 'flood'");
  assert.equal(visits.length, 5, "what is not kept leaves no visit");
});

test("visits are forgotten when the day is over, and no address is ever written", async () => {
  const log = createSearchLog(database, options);
  const day = NOW + 100 * DAY;
  log.record("lantern", "en", "203.0.113", day);
  await log.flush();
  assert.equal(
    (await database.read("SELECT 1 AS one FROM search_salts")).length,
    1,
    "nobody can tell who yesterday's visitors were",
  );
  await sweepSearches(database, day);
  const visits = await database.read("SELECT day, visitor FROM search_visits");
  assert.deepEqual(
    visits.map((row) => row.day),
    [day / DAY],
  );
  assert.doesNotMatch(JSON.stringify(visits), /203\.0/);
  await sweepSearches(database, day + DAY);
  assert.equal((await database.read("SELECT 1 AS one FROM search_visits")).length, 0);
  assert.equal((await shown(day + DAY)).length, 1);
});

test("a database that is away is told once and stops nothing", async () => {
  const away = await openSqlite(join(dir, "away.db"));
  await away.close();
  const warnings: string[] = [];
  const log = createSearchLog(away, { ...options, log: { warn: (_, message) => warnings.push(message) } });
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
    "do you have this in my size",
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
