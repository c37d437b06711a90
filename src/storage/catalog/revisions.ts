import type { Database, Statement } from "../database.ts";

/** Number of revisions with stored names; saved indexes are never that far behind. */
const MAX_REMEMBERED = 10_000;

/**
 * Gives a revision a name that is unique to its content: after a restored backup, revision numbers repeat.
 * @param token random
 */
export function nameRevision(revision: number, token: string): readonly Statement[] {
  return [
    {
      sql: "INSERT INTO catalog_revisions (revision, token) VALUES ($1, $2) ON CONFLICT (revision) DO NOTHING",
      params: [revision, token],
    },
    { sql: "DELETE FROM catalog_revisions WHERE revision <= $1", params: [revision - MAX_REMEMBERED] },
  ];
}

export const revisionTokenSql = "SELECT token FROM catalog_revisions WHERE revision = $1";

/** @returns undefined for a revision that was never published, or is too old */
export async function revisionToken(database: Database, revision: number): Promise<string | undefined> {
  const [row] = await database.read(revisionTokenSql, [revision]);
  return row === undefined ? undefined : String(row.token);
}
