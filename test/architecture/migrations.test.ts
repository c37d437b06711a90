import assert from "node:assert/strict";
import { test } from "node:test";
import { LATEST_VERSION, type Migration, migrations, OLDEST_SCHEMA_VERSION } from "../../src/storage/schema-version.ts";
import { lastReleaseVersion, readReleasedFile } from "../support/last-release.ts";
import { production, read } from "./sources.ts";

/** The last release and its schema version. Change both in the commit after a release. */
const released = { version: "0.1.0", schemaVersion: 29 };

/** Statements that the last release tolerates on its tables. */
const allowed: readonly RegExp[] = [
  /^CREATE TABLE \w+ \(/,
  /^CREATE INDEX IF NOT EXISTS \w+ ON \w+ /,
  // Without a default, the inserts of the last release would fail.
  /^ALTER TABLE \w+ ADD COLUMN \w+ (?:TEXT|BIGINT|DOUBLE PRECISION)(?: NOT NULL DEFAULT (?:\d+|'[^']*')| DEFAULT (?:\d+|'[^']*'))?$/,
  /^INSERT INTO sequences \(name, last\) VALUES \('\w+', \d+\)$/,
];
/** Statements that remove what only releases before the last one use. */
const removals = /^DROP (?:TABLE|INDEX) \w+$|^ALTER TABLE \w+ DROP COLUMN \w+$/;

/** Returns why servers of the last release may not run during or after a migration. */
function problemsOf(migration: Migration): readonly string[] {
  const { compatibleFrom } = migration;
  const statements = migration.statements.map((sql) => sql.replaceAll(/\s+/g, " ").trim());
  const created = statements.flatMap((sql) => /^CREATE TABLE (\w+)/.exec(sql)?.[1] ?? []);
  const isOfNewTable = (sql: string): boolean => {
    const table = /^(?:CREATE (?:UNIQUE )?INDEX \w+ ON|INSERT INTO) (\w+) /.exec(sql)?.[1];
    return table !== undefined && created.includes(table);
  };
  const changed = statements.flatMap((sql) => /^ALTER TABLE (\w+)/.exec(sql)?.[1] ?? []);
  const problems = statements.flatMap((sql) => {
    if (isOfNewTable(sql) || allowed.some((pattern) => pattern.test(sql))) return [];
    if (!removals.test(sql)) return [`not allowed: ${sql}`];
    return compatibleFrom === released.schemaVersion ? [] : [`needs compatibleFrom ${released.schemaVersion}: ${sql}`];
  });
  if (compatibleFrom > released.schemaVersion) problems.push(`excludes the last release: ${compatibleFrom}`);
  if (new Set(changed).size > 1) problems.push(`locks several tables: ${changed.join(", ")}`);
  if (statements.length > 1 && statements.some((sql) => sql.startsWith("CREATE INDEX IF NOT EXISTS")))
    problems.push("creates an index with other statements");
  return problems;
}

test("servers of the last release run during and after each migration that it lacks", () => {
  assert.equal(released.version, lastReleaseVersion());
  for (let version = released.schemaVersion + 1; version <= LATEST_VERSION; version += 1)
    assert.deepEqual(
      problemsOf(migrations[version - OLDEST_SCHEMA_VERSION - 1] as Migration),
      [],
      `migration ${version}`,
    );
});

test("the schema of the last release does not change", (context) => {
  const schema = readReleasedFile("src/storage/schema.sql");
  if (schema === undefined) return context.skip(`this clone lacks Vitrine ${released.version}`);
  const withoutComments = (sql: string): string => sql.replaceAll(/--.*$/gm, "").replaceAll(/\s+/g, " ");
  assert.equal(withoutComments(read("src/storage/schema.sql")), withoutComments(schema));
});

test("statements that insert rows name their columns, because the next release may add some", () => {
  assert.deepEqual(
    production.filter((file) => file.startsWith("src/") && /INSERT INTO \w+\s+(?:VALUES|SELECT)\b/.test(read(file))),
    [],
  );
});

test("the changes of a release do not change in the changelog", (context) => {
  const text = readReleasedFile("CHANGELOG.md");
  if (text === undefined) return context.skip(`this clone lacks Vitrine ${released.version}`);
  const ofRelease = (changelog: string): string => changelog.slice(changelog.indexOf(`## ${released.version} (`));
  assert.equal(ofRelease(read("CHANGELOG.md")), ofRelease(text), 'new changes belong under "## Unreleased"');
});

const [last, before] = [released.schemaVersion, released.schemaVersion - 1];
const examples: readonly (readonly [
  statements: readonly string[],
  compatibleFrom: number,
  problem: RegExp | undefined,
])[] = [
  [["CREATE TABLE tips (id TEXT PRIMARY KEY)", "CREATE UNIQUE INDEX tips_id ON tips (id)"], before, undefined],
  [
    ["ALTER TABLE orders ADD COLUMN tip BIGINT", "ALTER TABLE orders ADD COLUMN kind TEXT DEFAULT ''"],
    before,
    undefined,
  ],
  [["ALTER TABLE orders ADD COLUMN tip BIGINT NOT NULL DEFAULT 0"], before, undefined],
  [["CREATE INDEX IF NOT EXISTS orders_by_state ON orders (state)"], before, undefined],
  [["DROP TABLE contacts"], last, undefined],
  [["DROP TABLE contacts"], before, /needs compatibleFrom/],
  [["ALTER TABLE orders DROP COLUMN notes"], before, /needs compatibleFrom/],
  [["CREATE TABLE tips (id TEXT PRIMARY KEY)"], last + 1, /excludes the last release/],
  [["ALTER TABLE orders ADD COLUMN tip BIGINT NOT NULL"], last, /not allowed/],
  [["ALTER TABLE orders ADD COLUMN tip BIGINT UNIQUE"], last, /not allowed/],
  [["ALTER TABLE orders RENAME COLUMN notes TO remarks"], last, /not allowed/],
  [["ALTER TABLE orders RENAME TO sales"], last, /not allowed/],
  [["ALTER TABLE orders ALTER COLUMN notes TYPE BIGINT"], last, /not allowed/],
  [["CREATE UNIQUE INDEX orders_by_reference ON orders (reference)"], last, /not allowed/],
  [["CREATE INDEX orders_by_state ON orders (state)"], last, /not allowed/],
  [["UPDATE orders SET notes = ''"], last, /not allowed/],
  [["DELETE FROM contacts"], last, /not allowed/],
  [["ALTER TABLE orders ADD COLUMN a TEXT", "ALTER TABLE carts ADD COLUMN a TEXT"], last, /several tables/],
];
test("statements that the last release does not tolerate are found", () => {
  for (const [statements, compatibleFrom, problem] of examples) {
    const problems = problemsOf({ statements, compatibleFrom }).join("; ");
    if (problem === undefined) assert.equal(problems, "", statements.join("; "));
    else assert.match(problems, problem, statements.join("; "));
  }
});
