import assert from "node:assert/strict";
import { after, test } from "node:test";
import { DAY_MS } from "../../runtime/durations.ts";
import { openTestDatabase } from "../test-database.fixture.ts";
import { createSignalCounter } from "./count-signals.ts";
import { forgetSearches, purgeSignals } from "./forget-signals.ts";
import { readTotals } from "./read-totals.ts";
import { counterOptions } from "./signals.fixture.ts";
import { createSynonymStore } from "./synonym-suggestions.ts";

const NOW = Date.UTC(2026, 0, 15, 12);
const { database, close } = await openTestDatabase();
after(close);

async function reformulate(from: string, to: string, networks: number, now: number): Promise<void> {
  const counter = createSignalCounter(database, counterOptions);
  for (let network = 0; network < networks; network += 1)
    counter.record({ kind: "reformulated", locale: "en", term: from, product: to }, `198.51.${network}`, now);
  await counter.flush();
}

async function listed(now: number): Promise<readonly string[]> {
  const suggestions = await createSynonymStore(database, () => now).list(10);
  return suggestions.map(({ locale, from, to, shoppers }) => `${locale} ${from} -> ${to} ${shoppers}`);
}

test("pairs of five networks or more are suggested with their counts, which fade, until they are dismissed or forgotten", async () => {
  for (const day of [0, 1]) await reformulate("couch", "sofa", 8, NOW - day * DAY_MS);
  await reformulate("settee", "sofa", 6, NOW);
  await reformulate("divan", "sofa", 4, NOW);
  await reformulate("divan", "sofa", 4, NOW - DAY_MS);
  const suggestions = ["en couch -> sofa 16", "en settee -> sofa 6"];
  assert.deepEqual(await listed(NOW), suggestions);
  await readTotals(database, NOW, { clicks: false, sales: false });
  assert.deepEqual(await listed(NOW), suggestions, "totals of earlier days count");
  const later = NOW + 30 * DAY_MS;
  await readTotals(database, later, { clicks: false, sales: false });
  assert.deepEqual(await listed(later), ["en couch -> sofa 8", "en settee -> sofa 3"], "half after 30 days");

  const store = createSynonymStore(database, () => later);
  await store.dismiss({ locale: "en", from: "couch", to: "sofa" });
  await store.dismiss({ locale: "en", from: "couch", to: "sofa" });
  await store.dismiss({ locale: "en", from: "unknown", to: "pair" });
  await reformulate("couch", "sofa", 9, later);
  await purgeSignals(database, later);
  assert.deepEqual(await listed(later), ["en settee -> sofa 3"]);
  const dismissed = await database.read("SELECT term FROM signal_counts WHERE kind = 'dismissed'");
  assert.deepEqual(
    dismissed.map(({ term }) => term),
    ["couch"],
  );

  await forgetSearches(database, "Sofa");
  assert.deepEqual(await database.read("SELECT * FROM signal_counts"), []);
});
