import type { Comment } from "../catalog/content.ts";
import type { CommentStore } from "../inbox/inbox.ts";
import type { Database, SqlRow } from "./database.ts";

/**
 * Creates the store of comments that the merchant approved. The store caches comment counts for two seconds.
 * @param getTime returns a monotonic time in milliseconds
 */
export function createCommentStore(database: Database, getTime: () => number): CommentStore {
  let counts: ReadonlyMap<string, number> = new Map();
  let nextReadAt = Number.NEGATIVE_INFINITY;
  const loadCounts = async (): Promise<void> => {
    const rows = await database.read(
      "SELECT shown_on, COUNT(*) AS count FROM contacts WHERE shown_on IS NOT NULL GROUP BY shown_on",
    );
    counts = new Map(rows.map((row) => [String(row.shown_on), Number(row.count)]));
  };
  return {
    getCounts() {
      if (getTime() >= nextReadAt) {
        nextReadAt = getTime() + CACHE_LIFETIME_MS;
        // If the read fails, the previous counts are returned again.
        loadCounts().catch(() => undefined);
      }
      return counts;
    },
    async listComments(path) {
      const rows = await database.read(
        `SELECT id, email, fields, sent_at, approved_at FROM contacts WHERE shown_on = $1
          ORDER BY sent_at, id LIMIT ${MAX_COMMENTS}`,
        [path],
      );
      return rows.map(decodeComment);
    },
  };
}

/**
 * Approves comments, so that their articles show them.
 * @param ids IDs of submitted forms; forms that are not comments are ignored
 * @returns the number of approved comments
 */
export async function approveComments(database: Database, ids: readonly string[], now: number): Promise<number> {
  let count = 0;
  for (const id of ids) {
    const [row] = await database.read("SELECT page FROM contacts WHERE id = $1 AND kind = 'comment'", [id]);
    const [, path] = /(\/blogs\/[^/]+\/[^/]+)$/.exec(String(row?.page)) ?? [];
    if (path === undefined) continue;
    await database.write([
      { sql: "UPDATE contacts SET approved_at = $2, shown_on = $3 WHERE id = $1", params: [id, now, path] },
    ]);
    count += 1;
  }
  return count;
}

/** Milliseconds for which the counts are cached. */
const CACHE_LIFETIME_MS = 2_000;
/** Maximum number of comments shown with an article, oldest first. */
const MAX_COMMENTS = 1_000;

function decodeComment(row: SqlRow): Comment {
  const fields = JSON.parse(String(row.fields)) as Readonly<Record<string, string>>;
  return {
    id: String(row.id),
    author: fields.author ?? "",
    email: String(row.email),
    text: fields.body ?? "",
    sentAt: Number(row.sent_at),
    approvedAt: Number(row.approved_at),
  };
}
