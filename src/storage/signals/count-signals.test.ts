import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { DAY_MS } from "../../runtime/durations.ts";
import { createLimits } from "../../runtime/limits.ts";
import type { CountedSignal } from "../../signals/signals.ts";
import { openTestDatabase } from "../test-database.fixture.ts";
import { createSignalCounter, type SignalCounter } from "./count-signals.ts";
import { forgetSearches, purgeSignals, REPORT_DAYS } from "./forget-signals.ts";
import { readTotals } from "./read-totals.ts";
import { counterOptions } from "./signals.fixture.ts";

const NOW = Date.UTC(2026, 5, 1, 12);
const { database, close } = await openTestDatabase();
after(close);

let counter: SignalCounter;
beforeEach(async () => {
  const tables = ["signal_counts", "signal_visits", "signal_salts"];
  await database.write(tables.map((table) => ({ sql: `DELETE FROM ${table}`, params: [] })));
  counter = createSignalCounter(database, counterOptions);
});

const searchSignal: CountedSignal = { kind: "found", term: "rain coat", locale: "en" };
const clickSignal: CountedSignal = { ...searchSignal, kind: "chosen", product: "7", action: "clicked" };

/** Records the same signal for a number of IP networks. */
function recordSignals(networks: number, now: number, signal: CountedSignal): Promise<void> {
  for (let n = 0; n < networks; n += 1) counter.record(signal, `198.${n >> 8}.${n & 255}`, now);
  return counter.flush();
}

/** Returns the totals of signals from enough IP networks, such as "rain coat 45" and "rain coat 7 45.0". */
async function readVisibleTotals(now: number): Promise<readonly string[]> {
  const { popularSearches, clicks } = await readTotals(database, now, { clicks: true, sales: true });
  return [
    ...popularSearches.map(({ text, visitors }) => `${text} ${visitors}`),
    ...clicks.map(({ text, id, weight }) => `${text} ${id} ${weight.toFixed(1)}`),
  ];
}

test("a total is visible to shoppers once more than twenty networks count in it, from the day after on, and halves in thirty days", async () => {
  await recordSignals(60, NOW, searchSignal);
  await recordSignals(60, NOW + 1_000, { ...searchSignal, term: "Rain  COAT" });
  await recordSignals(19, NOW, { ...searchSignal, term: "rain hat" });
  await recordSignals(60, NOW, clickSignal);
  await recordSignals(19, NOW, { ...clickSignal, product: "8" });
  assert.deepEqual(await readVisibleTotals(NOW + 2_000), []);
  assert.deepEqual(await readVisibleTotals(NOW + DAY_MS), ["rain coat 59", "rain coat 7 58.6"]);
  assert.deepEqual(await readVisibleTotals(NOW + 30 * DAY_MS), ["rain coat 30", "rain coat 7 30.0"]);
  await recordSignals(60, NOW + 30 * DAY_MS, clickSignal);
  assert.deepEqual(
    await readVisibleTotals(NOW + 30 * DAY_MS),
    ["rain coat 30", "rain coat 7 30.0"],
    "it changes as a day starts",
  );
  assert.deepEqual(await readVisibleTotals(NOW + 60 * DAY_MS), ["rain coat 15", "rain coat 7 45.0"]);
});

test("the required number of networks differs by row, and is never below twenty", async () => {
  const visibleCounts = [];
  for (const networks of [20, 22, 26, 36, 60]) {
    for (let n = 0; n < 30; n += 1) await recordSignals(networks, NOW, { ...searchSignal, term: `noise ${n}` });
    visibleCounts.push((await readVisibleTotals(NOW + DAY_MS)).length);
  }
  const [at20 = 0, at22 = 0, at26 = 0, at36 = 0, at60 = 0] = visibleCounts;
  assert.ok(at20 <= 3 && at22 <= 8 && at26 > 4 && at26 < 28 && at36 > 24 && at60 === 30, visibleCounts.join());
});

test("a network counts once per row, action and day, by the weight of the action", async () => {
  for (const action of ["clicked", "clicked", "added", "added"] as const)
    await recordSignals(60, NOW, { ...clickSignal, action, weight: action === "added" ? 3 : 1 });
  assert.deepEqual(await readVisibleTotals(NOW + 30 * DAY_MS), ["rain coat 7 120.0"]);
});

test("one network makes nothing visible, even with a thousand signals a day for a month", async () => {
  for (let day = 0; day < 30; day += 1) {
    for (let n = 0; n < 1_000; n += 1) {
      counter.record(searchSignal, "203.0.113", NOW + day * DAY_MS);
      counter.record(clickSignal, "203.0.113", NOW + day * DAY_MS);
    }
    await counter.flush();
  }
  const days = await database.read("SELECT weight FROM signal_counts");
  assert.deepEqual([days.length, days.every(({ weight }) => weight === 1)], [60, true]);
  assert.deepEqual(await readVisibleTotals(NOW + 31 * DAY_MS), []);
});

test("a network that returns every day weighs no more than six others, if others clicked too", async () => {
  const weightAt = async (now: number): Promise<number> =>
    (await readTotals(database, now, { clicks: true, sales: false })).clicks[0]?.weight ?? 0;
  await recordSignals(30, NOW, clickSignal);
  const weightBefore = await weightAt(NOW + DAY_MS);
  for (let day = 0; day < 60; day += 1) {
    for (const action of ["clicked", "added"] as const)
      counter.record({ ...clickSignal, action, weight: 12 }, "203.0.113", NOW + day * DAY_MS);
    await counter.flush();
  }
  const weight = await weightAt(NOW + 60 * DAY_MS);
  assert.ok(weight > weightBefore && weight < 8 * weightBefore, String(weight));
});

test("new rows are limited per network and in total; known ones continue to count", async () => {
  const limits = createLimits({
    row: { burst: 3, refillIntervalMs: 100 * DAY_MS, total: { burst: 5, refillIntervalMs: 100 * DAY_MS } },
  });
  const newRows = {
    take: (key: string, now: number) => limits.consume("row", key, now),
    refund: (key: string, now: number) => limits.refund("row", key, now),
  };
  counter = createSignalCounter(database, { ...counterOptions, newRows });
  const countRows = async (): Promise<number> => (await database.read("SELECT 1 AS one FROM signal_counts")).length;
  for (let n = 0; n < 400; n += 1)
    counter.record({ ...searchSignal, term: `term ${Math.floor(n / 10)}` }, "203.0.113", NOW);
  await counter.flush();
  assert.equal(await countRows(), 3);
  for (let n = 0; n < 10; n += 1) counter.record({ ...searchSignal, term: "term 1" }, `198.51.${n}`, NOW);
  await counter.flush();
  for (let n = 10; n < 20; n += 1) counter.record({ ...searchSignal, term: `term ${n}` }, `198.51.${n}`, NOW);
  counter.record({ ...searchSignal, term: "term 2" }, "203.0.113", NOW);
  await counter.flush();
  assert.equal(await countRows(), 5);
  const [row] = await database.read("SELECT weight FROM signal_counts WHERE term = 'term 1'");
  assert.equal(row?.weight, 11);
  assert.equal(
    (await database.read("SELECT 1 AS one FROM signal_visits")).length,
    15,
    "a signal that is not stored leaves no hash",
  );
  await readVisibleTotals(NOW + DAY_MS);
  counter.record({ ...searchSignal, term: "term 1" }, "203.0.113", NOW + DAY_MS);
  counter.record({ ...searchSignal, term: "term 99" }, "203.0.113", NOW + DAY_MS);
  await counter.flush();
  assert.equal(await countRows(), 6, "a term with a total is not new on the next day");
});

test("hashes expire with their day, totals as they decay, and no IP address is stored", async () => {
  await recordSignals(2, NOW, clickSignal);
  await recordSignals(1, NOW, { ...clickSignal, product: "8" });
  await recordSignals(1, NOW, { ...searchSignal, kind: "searched" });
  const tables = ["signal_counts", "signal_visits"];
  const storedRows = await Promise.all(tables.map((table) => database.read(`SELECT * FROM ${table}`)));
  assert.doesNotMatch(JSON.stringify(storedRows), /198\.0/);
  const rows = async () =>
    (await database.read("SELECT kind, product FROM signal_counts ORDER BY kind, product")).map(
      ({ kind, product }) => `${kind} ${product}`,
    );
  await readVisibleTotals(NOW + DAY_MS);
  await purgeSignals(database, NOW);
  assert.equal((await database.read("SELECT 1 AS one FROM signal_salts")).length, 1);
  assert.equal((await database.read("SELECT 1 AS one FROM signal_visits")).length, 4);
  await purgeSignals(database, NOW + DAY_MS);
  assert.equal((await database.read("SELECT 1 AS one FROM signal_salts")).length, 0);
  assert.equal((await database.read("SELECT 1 AS one FROM signal_visits")).length, 0);
  await purgeSignals(database, NOW + (REPORT_DAYS - 1) * DAY_MS);
  assert.deepEqual(await rows(), ["chosen 7", "searched "]);
  await purgeSignals(database, NOW + REPORT_DAYS * DAY_MS);
  assert.deepEqual(await rows(), ["chosen 7"]);
  await purgeSignals(database, NOW + 61 * DAY_MS);
  assert.deepEqual(await rows(), []);
});

test("words are deleted with the clicks after them, or all at once; others stay", async () => {
  for (const term of ["Rain coat", "hat"])
    for (const kind of ["found", "searched"] as const) await recordSignals(300, NOW, { ...searchSignal, kind, term });
  await recordSignals(300, NOW, clickSignal);
  await recordSignals(1, NOW, { ...clickSignal, term: "hat" });
  await recordSignals(9, NOW, { ...searchSignal, term: "ada@example.test" });
  assert.deepEqual(await forgetSearches(database, "rain  COAT"), { terms: 1, clicks: 1 });
  const remainingTerms = await database.read("SELECT DISTINCT term FROM signal_counts");
  assert.deepEqual(remainingTerms, [{ term: "hat" }]);
  assert.deepEqual(await forgetSearches(database, "ada@example.test"), { terms: 0, clicks: 0 });
  assert.deepEqual(await forgetSearches(database), { terms: 1, clicks: 1 });
  assert.deepEqual(await database.read("SELECT * FROM signal_counts"), []);
});

test("a database that is unavailable is logged once and stops nothing", async () => {
  const closedStore = await openTestDatabase();
  await closedStore.close();
  const warnings: string[] = [];
  const log = { warn: (_: unknown, message: string) => warnings.push(message) };
  counter = createSignalCounter(closedStore.database, { ...counterOptions, log });
  for (let n = 0; n < 2; n += 1) {
    counter.record(searchSignal, "v", NOW);
    await counter.flush();
  }
  assert.equal(warnings.length, 1);
});
