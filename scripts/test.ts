// Runs every test file on SQLite, and those that depend on the database also on PostgreSQL. Usage: `npm test`, or `npm run test:all -- <part of a path>`
// to run some of them.
import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";
import { bundleForTests } from "../test/support/bundle-for-tests.ts";
import { bundleVariable, cacheFolder } from "../test/support/cache-folder.ts";
import { createMemoryFolder } from "../test/support/memory-folder.ts";
import { copyPrograms, startPostgres } from "../test/support/postgres-server.ts";
import type { QueuedFile } from "../test/support/run-queue.ts";
import { makeSchema, makeTemplate, schemaVariable, sharedServerVariable } from "../test/support/test-database.ts";

/**
 * Number of processes that run test files, the browser tests included. It exceeds the cores of a small machine, because
 * many tests wait. More processes evict each other's data from the caches of the processor.
 */
const PROCESSES = 5;

/** Folders and files whose tests depend on the behavior of the database. */
const databaseTests = [
  "test/spec/",
  "test/stock/",
  "test/checkout/",
  "test/events/",
  "test/storage/",
  "test/agents/carts.",
  "test/agents/race.",
  "test/signals/boosts.",
  "test/operations/metrics.",
  "test/console/",
  "test/faults/interrupted-import.",
  "test/faults/one-order.",
  "test/faults/payments.",
  "test/faults/last-release.",
  "test/simulation/postgres-",
  // In the soak tests only: their rounds take longer than the other tests.
  ...(process.env.VITRINE_ROUNDS === undefined ? [] : ["test/faults/kill."]),
];
/**
 * Exceptions that do not depend on the database: tests that render, compute, search, reject before a write, or call
 * other systems.
 */
const sqliteOnlyTests = [
  "test/spec/01-",
  "test/spec/02-1-",
  "test/spec/02-2-",
  "test/spec/02-3-cart-in-sections.",
  "test/spec/02-3-cart-money.",
  "test/spec/02-3-discounts.",
  "test/spec/04-1-field-queries.",
  "test/spec/04-1-predictive-search.",
  "test/spec/04-1-search-",
  "test/spec/04-3-nested-lines.",
  "test/spec/04-3-properties.",
  "test/spec/04-3-unsupported-fields.",
  "test/spec/04-4-change-properties.",
  "test/spec/04-8-",
  "test/spec/04-9-",
  "test/spec/05-compat-forms.",
  "test/spec/05-csrf-codes.",
  "test/spec/05-https.",
  "test/spec/06-",
  "test/spec/07-1-",
  "test/spec/07-2-cart-errors.",
  "test/spec/08-limits.",
  "test/checkout/bank-transfer.",
  "test/checkout/hook-discounts.",
  "test/checkout/hooks.",
  "test/checkout/invoice-pdf.",
  "test/checkout/line-properties.",
  "test/checkout/order-form.",
  "test/checkout/stripe.",
  "test/checkout/taxes.",
  "test/console/languages.",
  "test/stock/sync-recipes.",
  "test/events/mails.",
  "test/events/order-mails.",
  "test/events/test-email.",
];
/**
 * Tests that mostly wait, for other processes or for time, those with the longest waits first. They run next to tests
 * that compute.
 */
const waitingTests = [
  "test/faults/",
  "test/events/",
  "test/checkout/hooks.",
  "test/stock/cart-events.",
  "test/stock/catalog-endpoint.",
  "test/cli/command-line.",
  "test/console/console.",
  "test/dev/",
  "test/signals/boosts.",
  "src/snapshot/",
  "packages/client/test/",
  "packages/liquid/test/",
  "packages/search/test/",
];
/** Folder of tests that share a browser and a shop. */
const browserFolder = "test/browser/";
/** Tests that take longest, so they start first. */
const longestTests = "test/package/";

/**
 * Code that keeps the shop and the browser open until `leave()`. A hook would not: hooks outside of tests run after the
 * first file.
 */
const holdDemo = `const { leave } = await (await import(${JSON.stringify(pathToFileURL("test/support/browser.ts").href)})).takeDemo();`;

const filters = process.argv.slice(2);
const files = globSync(["{src,test,bench}/**/*.test.ts", "packages/*/{src,test,bench,examples}/**/*.test.ts"])
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => filters.length === 0 || filters.some((part) => file.includes(part)))
  .sort();
if (files.length === 0) {
  process.stderr.write(`No test file's path holds ${filters.join(" or ")}.\n`);
  process.exit(1);
}
const postgresqlFiles = files.filter((file) => isOf(databaseTests, file) && !isOf(sqliteOnlyTests, file));
const entries = join(cacheFolder, "..", "vitrine-test-entries");
rmSync(entries, { recursive: true, force: true });
mkdirSync(entries, { recursive: true });
// Test processes share the compile cache.
process.env.NODE_COMPILE_CACHE = cacheFolder;
// Tests start hundreds of short-lived shops. A larger young generation of the heap saves a tenth of the processor time.
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ""} --max-semi-space-size=64`;
await makeSchema(entries);
process.env[schemaVariable] = entries;
const bundle = await bundleForTests(join(cacheFolder, "server"));
process.env[bundleVariable] = bundle.main;
// Test processes that start at the same time must not unpack the browser into the same file. The package changes the
// environment, so it is loaded in a separate process.
const unpackBrowser = `await (await import(${JSON.stringify(pathToFileURL("test/support/chromium.ts").href)})).browserPath();`;
execFileSync(process.execPath, ["--input-type=module", "--eval", unpackBrowser], { stdio: "inherit" });
process.stdout.write(`${files.length} test files on SQLite, ${postgresqlFiles.length} of them on PostgreSQL, too\n`);
// The programs of PostgreSQL stay on the disk for later runs. Temporary files of the tests, and the databases of the
// PostgreSQL server, are in memory.
if (postgresqlFiles.length > 0) copyPrograms();
const memoryFolder = createMemoryFolder(postgresqlFiles.length);
if (memoryFolder !== undefined) process.env.TMPDIR = memoryFolder;
const postgres = postgresqlFiles.length === 0 ? undefined : await startPostgres();
if (postgres !== undefined) {
  await makeTemplate(postgres.url);
  process.env[sharedServerVariable] = postgres.url;
}
const browserFiles = files.filter((file) => file.startsWith(browserFolder)).map((file) => ({ file }));
const queuedFiles: readonly QueuedFile[] = [
  ...postgresqlFiles.map((file) => ({ file, databaseUrl: postgres?.url })),
  ...files.filter((file) => !file.startsWith(browserFolder)).map((file) => ({ file })),
];
const longest = queuedFiles.filter(({ file }) => file.startsWith(longestTests));
const waiting = waitingTests.flatMap((beginning) => queuedFiles.filter(({ file }) => file.startsWith(beginning)));
const computing = queuedFiles.filter((test) => !longest.includes(test) && !waiting.includes(test));
const tests = writeQueue("tests", [...longest, ...waiting, ...computing]);
const browserTests = writeQueue("browser", browserFiles);
const otherProcesses = Math.min(PROCESSES - Math.min(1, browserFiles.length), queuedFiles.length);
const results = run({
  files: [
    // After the browser tests, their process runs others.
    ...(browserFiles.length === 0
      ? []
      : [writeEntry("browser", holdDemo, runQueue(browserTests, "first"), "await leave();", runQueue(tests, "last"))]),
    ...Array.from({ length: otherProcesses }, (_, index) =>
      writeEntry(`tests-${index + 1}`, runQueue(tests, index % 2 === 0 ? "first" : "last")),
    ),
  ],
  concurrency: PROCESSES,
  // The limit only ends a process that hangs outside of a test file, or in a loop. More rounds need more time.
  ...(process.env.VITRINE_ROUNDS === undefined ? { timeout: 60 * 60_000 } : {}),
  execArgv: [bundle.useInThreads, "test/support/follow-tests.ts"].flatMap((file) => [
    "--import",
    pathToFileURL(file).href,
  ]),
});
results.on("test:summary", ({ success }) => {
  if (!success) process.exitCode = 1;
});
results.on("end", () => {
  if (memoryFolder !== undefined) rmSync(memoryFolder, { recursive: true, force: true });
  return postgres?.remove();
});
results.compose(spec).pipe(process.stdout);

function isOf(beginnings: readonly string[], file: string): boolean {
  return beginnings.some((beginning) => file.startsWith(beginning));
}

/** Writes a queue of test files.  @returns its folder */
function writeQueue(name: string, queue: readonly QueuedFile[]): string {
  const folder = join(entries, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "queue.json"), JSON.stringify(queue));
  return folder;
}

/** Returns code that runs the files of a queue.  @param start end of the queue from which it takes files */
function runQueue(folder: string, start: "first" | "last"): string {
  return `await runQueue(${JSON.stringify(folder)}, "${start}");`;
}

/** Writes the entry of a process.  @returns its path */
function writeEntry(name: string, ...code: readonly string[]): string {
  const entry = join(entries, `${name}.mjs`);
  const imports = `import { runQueue } from ${JSON.stringify(pathToFileURL("test/support/run-queue.ts").href)};`;
  writeFileSync(entry, [imports, ...code].join("\n"));
  return entry;
}
