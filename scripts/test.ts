// Runs every test file on SQLite, and those that depend on the database also on PostgreSQL. Usage: `npm test`, or `npm run test:all -- <part of a path>`
// to run some of them.
import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";
import { bundleServer } from "../test/support/bundle-server.ts";
import { bundleVariable, cacheFolder } from "../test/support/cache-folder.ts";
import { createMemoryFolder } from "../test/support/memory-folder.ts";
import { copyPrograms, startPostgres } from "../test/support/postgres-server.ts";
import { makeSchema, makeTemplate, schemaVariable, serverVariable } from "../test/support/test-database.ts";

/**
 * Number of files per process. A larger group shares more loaded code, a smaller one leaves fewer cores idle at the
 * end.
 */
const FILES_OF_GROUP = 16;
/** Number of processes. It exceeds the cores of a small machine, because many tests wait. */
const PROCESSES = 6;

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
  "test/spec/04-1-predictive-search.",
  "test/spec/04-1-search-",
  "test/spec/04-8-",
  "test/spec/04-9-",
  "test/spec/05-compat-forms.",
  "test/spec/05-csrf-codes.",
  "test/spec/05-https.",
  "test/spec/07-1-",
  "test/spec/08-limits.",
  "test/checkout/hooks.",
  "test/checkout/invoice-pdf.",
  "test/checkout/stripe.",
  "test/checkout/taxes.",
  "test/stock/sync-recipes.",
  "test/events/mails.",
];
/**
 * Tests that kill or overload processes, or take long. Each file has a separate process.
 */
const separateFiles = [
  "test/faults/",
  "test/package/",
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
/** Folder of tests that share one process, one browser and one shop. */
const browserFolder = "test/browser/";
const packageFolder = "test/package/";

/** Code in the file that runs a group. It keeps the shop and the browser open until the last test of the group. */
const holdDemo = `await (await import(${JSON.stringify(pathToFileURL("test/support/browser.ts").href)})).sharedDemo();`;

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
const entries = join(cacheFolder, "..", "vitrine-test-groups");
rmSync(entries, { recursive: true, force: true });
mkdirSync(entries, { recursive: true });
// Test processes share the compile cache.
process.env.NODE_COMPILE_CACHE = cacheFolder;
// Tests start hundreds of short-lived shops. A larger young generation of the heap saves a tenth of the processor time.
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ""} --max-semi-space-size=64`;
await makeSchema(entries);
process.env[schemaVariable] = entries;
const bundle = await bundleServer(join(cacheFolder, "server"));
process.env[bundleVariable] = bundle.main;
const browserFiles = files.filter((file) => file.startsWith(browserFolder));
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
if (postgres !== undefined) await makeTemplate(postgres.url);
const env = postgres === undefined ? {} : { [serverVariable]: postgres.url };
const separate = files.filter((file) => isOf(separateFiles, file));
const groups = [
  ...groupsOf(postgresqlFiles).map((group) => writeEntry(group, " on PostgreSQL", env)),
  ...groupsOf(files.filter((file) => !isOf([...separateFiles, browserFolder], file))).map((group) =>
    writeEntry(group, "", {}),
  ),
];
const results = run({
  files: [
    // The browser tests and the installation take longest, so they start first.
    ...(browserFiles.length === 0 ? [] : [writeEntry(browserFiles, "", {}, holdDemo)]),
    ...separate.filter((file) => file.startsWith(packageFolder)),
    ...mix(
      separate.filter((file) => !file.startsWith(packageFolder)),
      groups,
    ),
  ],
  concurrency: PROCESSES,
  execArgv: ["--import", pathToFileURL(bundle.useInThreads).href],
  // The timeout only ends a file that hangs. It is long, because a busy machine is many times slower than an idle one.
  // More rounds need more time.
  ...(process.env.VITRINE_ROUNDS === undefined ? { timeout: 20 * 60_000 } : {}),
});
results.on("test:summary", ({ success }) => {
  if (!success) process.exitCode = 1;
});
results.on("end", () => {
  if (memoryFolder !== undefined) rmSync(memoryFolder, { recursive: true, force: true });
  return postgres?.remove();
});
results.compose(spec).pipe(process.stdout);

/** Spreads both lists evenly: files with a separate process mostly wait, and groups mostly compute. */
function mix(waiting: readonly string[], computing: readonly string[]): readonly string[] {
  return [waiting, computing]
    .flatMap((paths) => paths.map((path, index) => ({ path, position: index / paths.length })))
    .sort((one, other) => one.position - other.position)
    .map(({ path }) => path);
}

function isOf(beginnings: readonly string[], file: string): boolean {
  return beginnings.some((beginning) => file.startsWith(beginning));
}

function groupsOf(testFiles: readonly string[]): readonly string[][] {
  const groupableFiles = testFiles.filter((file) => !isOf(separateFiles, file));
  const groups = Array.from({ length: Math.ceil(groupableFiles.length / FILES_OF_GROUP) }, (_, i) =>
    groupableFiles.slice(i * FILES_OF_GROUP, (i + 1) * FILES_OF_GROUP),
  );
  return [...testFiles.filter((file) => isOf(separateFiles, file)).map((file) => [file]), ...groups];
}

/** Writes the file that runs a group in a separate process.  @returns its path */
function writeEntry(
  group: readonly string[],
  nameSuffix: string,
  variables: Readonly<Record<string, string>>,
  prelude = "",
): string {
  const [firstFile = ""] = group;
  const name = `${firstFile.replace(/\.test\.ts$/, "")}${nameSuffix}`.replace(/[^\w-]/g, "-");
  const entry = join(entries, `${name}.mjs`);
  const text = [
    `import { runTogether } from ${JSON.stringify(pathToFileURL("test/support/run-together.ts").href)};`,
    `Object.assign(process.env, ${JSON.stringify(variables)});`,
    prelude,
    `await runTogether(${JSON.stringify(group)}, ${JSON.stringify(nameSuffix)});`,
  ];
  writeFileSync(entry, text.join("\n"));
  return entry;
}
