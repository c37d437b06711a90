import assert from "node:assert/strict";
import { after, test } from "node:test";
import { DAY_MS } from "../../runtime/durations.ts";
import { preferenceKind } from "../../signals/signals.ts";
import { openTestDatabase } from "../test-database.fixture.ts";
import { createSignalCounter } from "./count-signals.ts";
import { purgeSignals } from "./forget-signals.ts";
import { readPreferences } from "./preferences.ts";
import { counterOptions } from "./signals.fixture.ts";

const NOW = Date.UTC(2026, 0, 15, 12);
const { database, close } = await openTestDatabase();
after(close);

type Side = "draft" | "live";

/** Counts the preferences of some IP networks in order, in one batch or in several. */
async function prefer(
  action: string,
  day: number,
  networks: readonly number[],
  ...sides: readonly Side[]
): Promise<void> {
  const counter = createSignalCounter(database, counterOptions);
  for (const [index, side] of sides.entries()) {
    for (const network of networks)
      counter.record(
        { kind: preferenceKind, locale: "", term: `${action} 7`, product: side },
        `198.51.${network}`,
        NOW + day * DAY_MS,
      );
    if (index % 2 === 0) await counter.flush();
  }
  await counter.flush();
}

const range = (from: number, to: number): readonly number[] => Array.from({ length: to - from }, (_, n) => from + n);

test("a network counts once a day for its first preference, and counts are hidden below five networks", async () => {
  await prefer("added", 0, range(0, 3), "live", "draft", "live");
  await prefer("added", 1, range(0, 3), "draft");
  assert.deepEqual(
    await readPreferences(database, 7),
    { added: undefined, ordered: undefined },
    "three networks on two days",
  );
  await prefer("added", 0, range(3, 10), "draft", "live");
  await prefer("ordered", 0, range(3, 10), "draft", "draft");
  assert.deepEqual(await readPreferences(database, 7), {
    added: { draft: 10, live: 3 },
    ordered: { draft: 7, live: 0 },
  });
  assert.deepEqual(await readPreferences(database, 8), { added: undefined, ordered: undefined });
  await purgeSignals(database, NOW + 40 * DAY_MS);
  assert.deepEqual(await database.read("SELECT term FROM signal_counts"), []);
});
