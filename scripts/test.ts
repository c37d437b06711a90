// Runs every test file on SQLite, then those of the specification, of stock, checkouts and events, the console and the storage contract on a real PostgreSQL:
// `npm test`, or `npm run test:all -- <part of a path>` for some of them.
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { keptFolder } from "../test/support/kept-between-runs.ts";
import { startPostgres } from "../test/support/postgres-server.ts";
import { serverVariable } from "../test/support/test-database.ts";

const wanted = process.argv.slice(2);
const files = globSync(["src/**/*.test.ts", "test/**/*.test.ts", "bench/**/*.test.ts"])
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort((a, b) => Number(isSlow(b)) - Number(isSlow(a)) || a.localeCompare(b));
if (files.length === 0) {
  process.stderr.write(`No test file's path holds ${wanted.join(" or ")}.\n`);
  process.exit(1);
}
if (files.some((file) => file.startsWith("test/browser/"))) runNode(["test/support/chromium.ts"], {});
const onSqlite = runTests("SQLite", files, {});
const onPostgres = await runOnPostgres(files.filter(isForBoth));
process.exit(onSqlite || onPostgres);

async function runOnPostgres(some: readonly string[]): Promise<number> {
  if (some.length === 0) return 0;
  const server = await startPostgres();
  try {
    return runTests("PostgreSQL", some, { [serverVariable]: server.url });
  } finally {
    await server.remove();
  }
}

function runTests(database: string, some: readonly string[], env: Readonly<Record<string, string>>): number {
  process.stdout.write(`\n${some.length} test files on ${database}\n`);
  return runNode(["--test", "--test-concurrency=3", "--test-timeout=120000", ...some], env);
}

/** @returns its exit code */
function runNode(args: readonly string[], env: Readonly<Record<string, string>>): number {
  // Each file runs in a process of its own: what one of them compiled is kept for the others.
  const kept = { NODE_COMPILE_CACHE: keptFolder, ...env };
  return spawnSync(process.execPath, args, { stdio: "inherit", env: { ...process.env, ...kept } }).status ?? 1;
}

/** What must hold on either database. */
function isForBoth(file: string): boolean {
  const others = [
    "test/storage-contract.test.ts",
    "test/metrics.test.ts",
    "test/api-tokens.test.ts",
    "test/console.test.ts",
    "test/faults/interrupted-import.test.ts",
    "test/faults/payments.test.ts",
  ];
  return /^test\/(spec|stock|checkout|events)\//.test(file) || others.includes(file);
}

/** Slow ones start first, so that none is left running alone at the end. */
function isSlow(file: string): boolean {
  return /^test\/(browser|faults|package)\/|sqlite\.test\.ts$/.test(file);
}
