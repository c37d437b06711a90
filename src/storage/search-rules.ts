import type { RuleDrafts, RuleState, StoredRules } from "../console/console.ts";
import { type Database, type Statement, WriteConflict } from "./database.ts";

/** Reads the search rules that were published in the console. */
export function readLiveRules(database: Database): Promise<StoredRules> {
  return readRules(database, "live");
}

/** Reads only the revision of the published rules, which is cheap. */
export async function liveRulesRevision(database: Database): Promise<number> {
  const [row] = await database.read("SELECT last FROM sequences WHERE name = 'console_rules_live'");
  return Number(row?.last ?? 0);
}

/** Creates the storage of the console's search rules. */
export function createRuleDrafts(database: Database): RuleDrafts {
  return {
    readPublished: () => readRules(database, "live"),
    async readDraft() {
      const rules = await readRules(database, "draft");
      return rules.hasDraft
        ? rules
        : { ...(await readRules(database, "live")), revision: rules.revision, hasDraft: false };
    },
    save: (texts, revision) => writeChanges(database, revision, [deleteRules("draft"), ...insertRules("draft", texts)]),
    discard: (revision) => writeChanges(database, revision, [deleteRules("draft")]),
    publish: (revision) =>
      writeChanges(database, revision, [
        // Fails the transaction if there is no draft to publish.
        {
          sql: "UPDATE console_rules SET state = state WHERE state = 'draft' RETURNING name",
          params: [],
          requireRows: 1,
        },
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
async function writeChanges(database: Database, revision: number, statements: readonly Statement[]): Promise<boolean> {
  const requireRevisionStatement: Statement = {
    sql: "UPDATE sequences SET last = last + 1 WHERE name = 'console_rules_draft' AND last = $1",
    params: [revision],
    requireRows: 1,
  };
  try {
    await database.write([requireRevisionStatement, ...statements]);
    return true;
  } catch (error) {
    if (error instanceof WriteConflict) return false;
    throw error;
  }
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
  return { sql: "UPDATE sequences SET last = last + 1 WHERE name = $1", params: [`console_rules_${state}`] };
}
