import type { RuleDrafts, RuleState, RulesTest, StoredRules } from "../console/console.ts";
import { DAY_MS } from "../runtime/durations.ts";
import { type Database, type Statement, tryWrite } from "./database.ts";
import { readPreferences } from "./signals/preferences.ts";

/** Reads the search rules that were published in the console. */
export function readLiveRules(database: Database): Promise<StoredRules> {
  return readRules(database, "live");
}

/**
 * Reads the revisions of the published search rules and of the rules being tested, joined with a space. Cheaper than
 * reading the rules.
 */
export async function readRuleRevisions(database: Database): Promise<string> {
  const rows = await database.read(
    "SELECT name, last FROM sequences WHERE name IN ('console_rules_live', 'console_rules_test') ORDER BY name",
  );
  return rows.map(({ last }) => String(last)).join(" ");
}

/**
 * Reads the test of search rules, even if its maximum duration is over. Returns undefined if no test was started or the
 * merchant has ended it.
 */
export async function readRulesTest(database: Database): Promise<RulesTest | undefined> {
  const { revision: id, hasDraft: isRunning, texts } = await readRules(database, "test");
  if (!isRunning) return undefined;
  const [row] = await database.read("SELECT content FROM console_rules WHERE state = 'test' AND name = 'started_at'");
  const startedAt = Number(row?.content ?? 0);
  return { id, startedAt, endsAt: startedAt + MAX_TEST_DURATION_MS, texts };
}

/** Maximum duration of a test, after which the counts of its first days are deleted. */
const MAX_TEST_DURATION_MS = 28 * DAY_MS;

/** Creates the storage of the console's search rules.  @param now returns milliseconds since 1970 */
export function createRuleDraftStore(database: Database, now: () => number): RuleDrafts {
  return {
    getRunningTest: () => readRulesTest(database),
    readPreferences: (testId) => readPreferences(database, testId),
    startTest: (revision) =>
      writeChanges(database, revision, [
        draftCheckStatement,
        deleteRules("test"),
        {
          sql: "INSERT INTO console_rules (state, name, content) SELECT 'test', name, content FROM console_rules WHERE state = 'draft'",
          params: [],
        },
        {
          sql: "INSERT INTO console_rules (state, name, content) VALUES ('test', 'started_at', $1)",
          params: [String(now())],
        },
        {
          sql: "INSERT INTO sequences (name, last) VALUES ('console_rules_test', 1) ON CONFLICT (name) DO UPDATE SET last = sequences.last + 1",
          params: [],
          topic: "rules",
        },
      ]),
    endTest: (testId, outcome) =>
      writeIfUnchanged(database, "test", testId, [
        ...(outcome === "publish"
          ? [
              deleteRules("live"),
              {
                sql: "UPDATE console_rules SET state = 'live' WHERE state = 'test' AND name <> 'started_at'",
                params: [],
              },
              incrementRevision("live"),
            ]
          : []),
        ...(outcome === "stop" ? [] : [deleteRules("draft"), incrementRevision("draft")]),
        deleteRules("test"),
      ]),
    readPublishedRules: () => readRules(database, "live"),
    async readDraftRules() {
      const rules = await readRules(database, "draft");
      return rules.hasDraft
        ? rules
        : { ...(await readRules(database, "live")), revision: rules.revision, hasDraft: false };
    },
    save: (texts, revision) => writeChanges(database, revision, [deleteRules("draft"), ...insertRules("draft", texts)]),
    discard: (revision) => writeChanges(database, revision, [deleteRules("draft")]),
    publish: (revision) =>
      writeChanges(database, revision, [
        draftCheckStatement,
        deleteRules("live"),
        { sql: "UPDATE console_rules SET state = 'live' WHERE state = 'draft'", params: [] },
        incrementRevision("live"),
      ]),
    async replace(texts) {
      await database.write([
        deleteRules("draft"),
        deleteRules("live"),
        ...insertRules("live", texts),
        incrementRevision("draft"),
        incrementRevision("live"),
      ]);
    },
  };
}

/** Fails the transaction if there is no draft. */
const draftCheckStatement: Statement = {
  sql: "UPDATE console_rules SET state = state WHERE state = 'draft' RETURNING name",
  params: [],
  requireRows: 1,
};

async function readRules(database: Database, state: RuleState): Promise<StoredRules> {
  const rows = await database.read(
    `SELECT s.last, r.name, r.content FROM sequences s LEFT JOIN console_rules r ON r.state = $2 WHERE s.name = $1`,
    [`console_rules_${state}`, state],
  );
  const textsByName = new Map(rows.map(({ name, content }) => [String(name), String(content)]));
  const textOf = (name: string): string => textsByName.get(name) ?? "";
  return {
    revision: Number(rows[0]?.last ?? 0),
    hasDraft: rows.some(({ name }) => name !== null),
    texts: {
      synonyms: textOf("synonyms"),
      pins: textOf("pins"),
      boosts: textOf("boosts"),
      ranking: textOf("ranking"),
      hides: textOf("hides"),
      redirects: textOf("redirects"),
    },
  };
}

/**
 * Writes changes of the rules.
 * @param revision revision of the draft that the page displayed
 * @returns false if someone else has changed the draft since
 */
function writeChanges(database: Database, revision: number, statements: readonly Statement[]): Promise<boolean> {
  return writeIfUnchanged(database, "draft", revision, statements);
}

/** Writes changes if the revision of the draft, or of the test, is current.  @returns false otherwise */
async function writeIfUnchanged(
  database: Database,
  state: RuleState,
  revision: number,
  statements: readonly Statement[],
): Promise<boolean> {
  const revisionCheckStatement: Statement = {
    sql: "UPDATE sequences SET last = last + 1 WHERE name = $2 AND last = $1",
    params: [revision, `console_rules_${state}`],
    requireRows: 1,
    topic: "rules",
  };
  return (await tryWrite(database, [revisionCheckStatement, ...statements])) !== undefined;
}

function insertRules(state: RuleState, texts: StoredRules["texts"]): readonly Statement[] {
  return Object.entries(texts).map(([name, content]) => ({
    sql: "INSERT INTO console_rules (state, name, content) VALUES ($1, $2, $3)",
    params: [state, name, content],
  }));
}

function deleteRules(state: RuleState): Statement {
  return { sql: "DELETE FROM console_rules WHERE state = $1", params: [state] };
}

function incrementRevision(state: RuleState): Statement {
  return {
    sql: "UPDATE sequences SET last = last + 1 WHERE name = $1",
    params: [`console_rules_${state}`],
    topic: "rules",
  };
}
