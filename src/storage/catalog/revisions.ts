import type { Database, Statement } from "../database.ts";

/** Maximum number of stored revision names. Saved indexes are never that many revisions old. */
const MAX_REVISION_NAMES = 10_000;

/**
 * Stores a name that identifies the content of a revision. The revision number is not unique, because numbers repeat
 * after a backup is restored.
 * @param token random name
 */
export function saveRevisionToken(revision: number, token: string): readonly Statement[] {
  return [
    {
      sql: "INSERT INTO catalog_revisions (revision, token) VALUES ($1, $2) ON CONFLICT (revision) DO NOTHING",
      params: [revision, token],
    },
    { sql: "DELETE FROM catalog_revisions WHERE revision <= $1", params: [revision - MAX_REVISION_NAMES] },
  ];
}

export const revisionTokenSql = "SELECT token FROM catalog_revisions WHERE revision = $1";

/** Reads the name of a revision.  @returns undefined for a revision that was never published, or is too old */
export async function readRevisionToken(database: Database, revision: number): Promise<string | undefined> {
  const [row] = await database.read(revisionTokenSql, [revision]);
  return row === undefined ? undefined : String(row.token);
}
