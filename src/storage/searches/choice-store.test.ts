import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { createLimits } from "../../runtime/limits.ts";
import type { Database } from "../database.ts";
import { migrate } from "../migrate.ts";
import { openSqlite } from "../sqlite/sqlite.ts";
import { type Choice, createChoiceLog, learnedChoices, type StoredChoiceLog, sweepChoices } from "./choice-store.ts";
import { forgetSearches } from "./forget-searches.ts";
import { createSearchLog } from "./search-log-store.ts";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 5, 1, 12);
let dir: string;
let database: Database;
let log: StoredChoiceLog;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), "vitrine-choices-"));
  database = await openSqlite(join(dir, "vitrine.db"));
  await migrate(database);
});
after(async () => {
  await database.close();
  await rm(dir, { recursive: true, force: true });
});
beforeEach(async () => {
  await database.write(
    ["search_choices", "search_choice_visits"].map((table) => ({ sql: `DELETE FROM ${table}`, params: [] })),
  );
  log = createChoiceLog(database, options);
});

let salts = 0;
const options = {
  newSalt: () => {
    salts += 1;
    return `salt-${salts}`;
  },
  digest: (text: string): string => createHmac("sha256", "key").update(text).digest("base64url"),
  newRows: { take: () => true, giveBack: () => undefined },
};
const opened: Choice = { term: "rain coat", locale: "en", product: "7", step: "opened", weight: 1 };

/** A choice of as many networks, from the first on. */
function chooseAll(networks: number, now: number, choice: Partial<Choice> = {}): Promise<void> {
  for (let n = 0; n < networks; n += 1) log.record({ ...opened, ...choice }, `198.${n >> 8}.${n & 255}`, now);
  return log.flush();
}

/** What is learned: "rain coat 7: 45". */
async function learned(now: number): Promise<readonly string[]> {
  return (await learnedChoices(database, now)).map(({ text, id, weight }) => `${text} ${id}: ${weight.toFixed(1)}`);
}

test("what many networks chose is learned from the day after on, and fades to half in thirty days", async () => {
  await chooseAll(60, NOW);
  await chooseAll(60, NOW + 1_000, { term: "Rain  COAT" });
  await chooseAll(19, NOW, { product: "8" });
  assert.deepEqual(await learned(NOW + 2_000), []);
  assert.deepEqual(await learned(NOW + DAY), ["rain coat 7: 58.6"]);
  assert.deepEqual(await learned(NOW + 30 * DAY), ["rain coat 7: 30.0"]);
  await chooseAll(60, NOW + 30 * DAY);
  assert.deepEqual(await learned(NOW + 30 * DAY), ["rain coat 7: 30.0"], "a day's choices count when it is over");
  assert.deepEqual(await learned(NOW + 60 * DAY), ["rain coat 7: 45.0"]);
});

test("opening and taking count beside each other, once a day and network, by their weights", async () => {
  for (const step of ["opened", "opened", "added", "added"] as const)
    await chooseAll(60, NOW, { step, weight: step === "added" ? 3 : 1 });
  assert.deepEqual(await learned(NOW + 30 * DAY), ["rain coat 7: 120.0"]);
});

test("one network teaches nothing, though it chooses a thousand times a day for a month", async () => {
  for (let day = 0; day < 30; day += 1) {
    for (let n = 0; n < 1_000; n += 1) log.record(opened, "203.0.113", NOW + day * DAY);
    await log.flush();
  }
  assert.deepEqual(await learned(NOW + 31 * DAY), []);
  const [row] = await database.read("SELECT visitors FROM search_choices");
  assert.equal(row?.visitors, 30);
});

test("a network that comes back every day weighs no more than six others, where others chose too", async () => {
  await chooseAll(30, NOW);
  const [{ weight: honest = 0 } = {}] = await learnedChoices(database, NOW + DAY);
  for (let day = 0; day < 60; day += 1) {
    for (const step of ["opened", "added"] as const)
      log.record({ ...opened, step, weight: 12 }, "203.0.113", NOW + day * DAY);
    await log.flush();
  }
  const [{ weight = 0 } = {}] = await learnedChoices(database, NOW + 60 * DAY);
  assert.ok(weight > honest && weight < 8 * honest, String(weight));
});

test("new pairs are few from one network, and known ones are counted on", async () => {
  const limits = createLimits({ row: { burst: 3, everyMs: DAY } });
  const newRows = {
    take: (network: string, now: number) => limits.consume("row", network, now),
    giveBack: (network: string, now: number) => limits.refund("row", network, now),
  };
  log = createChoiceLog(database, { ...options, newRows });
  for (let n = 0; n < 300; n += 1) log.record({ ...opened, product: String(n % 30) }, "203.0.113", NOW);
  await log.flush();
  await chooseAll(5, NOW, { product: "0" });
  const rows = await database.read("SELECT product, visitors FROM search_choices ORDER BY product");
  assert.deepEqual(
    rows.map(({ product, visitors }) => [product, visitors]),
    [
      ["0", 6],
      ["1", 1],
      ["2", 1],
    ],
  );
  assert.equal(
    (await database.read("SELECT 1 AS one FROM search_choice_visits")).length,
    8,
    "what is not kept leaves no visit",
  );
});

test("visits go when the day is over, and what nobody chose again within its time; no address is ever written", async () => {
  await chooseAll(2, NOW);
  await chooseAll(1, NOW, { product: "8" });
  const written = JSON.stringify([
    await database.read("SELECT * FROM search_choices"),
    await database.read("SELECT * FROM search_choice_visits"),
  ]);
  assert.doesNotMatch(written, /198\.0/);
  const products = async () =>
    (await database.read("SELECT product FROM search_choices ORDER BY product")).map(({ product }) => product);
  await sweepChoices(database, NOW + DAY);
  assert.equal((await database.read("SELECT 1 AS one FROM search_choice_visits")).length, 0);
  assert.deepEqual(await products(), ["7", "8"]);
  await sweepChoices(database, NOW + 15 * DAY);
  assert.deepEqual(await products(), ["7"]);
  await sweepChoices(database, NOW + 91 * DAY);
  assert.deepEqual(await products(), []);
});

test("what looks personal is never learned from", async () => {
  await chooseAll(60, NOW, { term: "ada@example.test" });
  await chooseAll(60, NOW, { term: "4111 1111 1111 1111" });
  assert.equal((await database.read("SELECT 1 AS one FROM search_choices")).length, 0);
});

test("words are forgotten with what was chosen, or all at once; the rest stays", async () => {
  const searches = createSearchLog(database, options);
  for (let n = 0; n < 300; n += 1) {
    searches.record("Rain coat", "en", `198.51.${n}`, NOW);
    searches.record("hat", "en", `198.51.${n}`, NOW);
  }
  await searches.flush();
  await chooseAll(300, NOW);
  await chooseAll(1, NOW, { term: "hat" });
  assert.deepEqual(await forgetSearches(database, "rain  COAT"), { terms: 1, choices: 1 });
  const left = async () =>
    Promise.all(
      ["search_terms", "search_visits", "search_choices", "search_choice_visits"].map(async (table) => {
        const rows = await database.read(`SELECT DISTINCT term FROM ${table}`);
        return rows.map(({ term }) => term);
      }),
    );
  assert.deepEqual(await left(), [["hat"], ["hat"], ["hat"], ["hat"]]);
  assert.deepEqual(await forgetSearches(database, "ada@example.test"), { terms: 0, choices: 0 });
  assert.deepEqual(await forgetSearches(database), { terms: 1, choices: 1 });
  assert.deepEqual(await left(), [[], [], [], []]);
});
