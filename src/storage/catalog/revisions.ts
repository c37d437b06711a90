import type { Database, Statement } from "../database.ts";

/** Revisions whose names are remembered: what is kept beside the database is never so far behind. */
const MAX_REMEMBERED = 10_000;

/** Gives a revision a name that no other content ever has: numbers come again where a backup was restored.
 *  @param token random */
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

/** @returns undefined for a revision that was never published, or long ago */
export async function revisionToken(database: Database, revision: number): Promise<string | undefined> {
  const [row] = await database.read(revisionTokenSql, [revision]);
  return row === undefined ? undefined : String(row.token);
}
