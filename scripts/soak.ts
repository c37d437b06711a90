// Runs the tests with random inputs, faults and timings for hours: `npm run test:soak`, or `npm run test:soak -- <part of a path>`.
import { spawnSync } from "node:child_process";

/** Test files with their number of rounds. */
const soaks: readonly (readonly [file: string, rounds: number])[] = [
  ["packages/search/src/search.test.ts", 10_000],
  ["packages/search/src/quantities.test.ts", 10_000],
  ["packages/search/src/analysis/tokenizer.test.ts", 100_000],
  ["packages/search/src/docset/bit-set.test.ts", 10_000],
  ["src/catalog/facets/facets.test.ts", 3_000],
  ["src/catalog/packed/pack-delta.test.ts", 2_000],
  ["test/abuse/routes.test.ts", 100_000],
  ["test/property/presenters.test.ts", 2_000],
  ["test/property/money.test.ts", 20_000],
  ["test/property/cdn-tags.test.ts", 10_000],
  ["test/search/filters.test.ts", 500],
  ["test/checkout/taxes.test.ts", 200],
  ["test/checkout/one-order.test.ts", 200],
  ["test/simulation/storage-simulation.test.ts", 1_000_000],
  ["test/simulation/postgres-simulation.test.ts", 2_000],
  ["test/faults/one-order.test.ts", 200],
  ["test/faults/index-file.test.ts", 1_000],
  ["test/faults/lost-commit.test.ts", 2_000],
  ["test/faults/kill.test.ts", 1_000],
  ["test/faults/power-cuts.test.ts", 1_000],
  ["test/faults/events.test.ts", 20],
  ["test/faults/payments.test.ts", 1_000],
  ["test/faults/rolling-upgrade.test.ts", 4],
];

const filters = process.argv.slice(2);
const selectedSoaks = soaks.filter(([file]) => filters.length === 0 || filters.some((part) => file.includes(part)));
const codes = selectedSoaks.map(([file, rounds]) => {
  const env = { ...process.env, VITRINE_ROUNDS: String(rounds) };
  return spawnSync(process.execPath, ["scripts/test.ts", file], { stdio: "inherit", env }).status;
});
if (selectedSoaks.length === 0) process.stderr.write(`No soak test's path holds ${filters.join(" or ")}.\n`);
process.exit(selectedSoaks.length > 0 && codes.every((code) => code === 0) ? 0 : 1);
