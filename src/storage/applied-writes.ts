import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { AppliedWrite, IdempotencyRecord, WriteKey } from "../cart/writer/applied-write.ts";
import type { Database, Statement } from "./database.ts";
import { purgeRows } from "./purging.ts";

/** Reads the records of these keys from the last day.  @see CartStore.findApplied */
export async function findAppliedWrites(
  database: Database,
  keys: readonly WriteKey[],
  cartId: string | undefined,
  now: number,
): Promise<readonly IdempotencyRecord[]> {
  const scopes = new Set([...keys.map(({ visitor }) => visitor), ...(cartId === undefined ? [] : [cartId])]);
  const params = [now - KEY_LIFE_MS, now + KEY_LIFE_MS, ...new Set(keys.map(({ key }) => key)), ...scopes];
  const places = params.map((_, index) => `$${index + 1}`).slice(2);
  const rows = await database.read(
    `SELECT scope, write_key, fingerprint, cart_id, answer FROM applied_writes
      WHERE applied_at BETWEEN $1 AND $2 AND write_key IN (${places.slice(0, -scopes.size).join(", ")})
        AND scope IN (${places.slice(-scopes.size).join(", ")})`,
    params,
  );
  return rows.map((row) => ({
    key: String(row.write_key),
    fingerprint: String(row.fingerprint),
    scopes: [String(row.scope)],
    ...(row.cart_id === "" ? {} : { cartId: String(row.cart_id) }),
    ...(row.answer === "" ? {} : { answer: unpack(String(row.answer)) }),
  }));
}

/**
 * Returns statements that record applied writes. The transaction fails if a key was used in the meantime. A key expires
 * even if the clock jumps back. If the responses of a scope exceed their limit, the oldest are deleted, but their keys
 * stay valid.
 * @param applied applied writes, with different keys per scope
 */
export function recordAppliedWrites(applied: readonly AppliedWrite[], now: number): readonly Statement[] {
  const rows = applied.flatMap(({ key, fingerprint, scopes, cartId, answer }) => {
    const packed = answer === "" ? "" : pack(answer);
    return scopes.map((scope) => [scope, key, fingerprint, cartId ?? "", packed]);
  });
  if (rows.length === 0) return [];
  const newest = new Map(applied.flatMap(({ key, scopes }) => scopes.map((scope) => [scope, key])));
  const values = rows.map((row, index) => `(${row.map((_, at) => `$${4 + index * row.length + at}`).join(", ")}, $1)`);
  return [
    {
      sql: `INSERT INTO applied_writes (scope, write_key, fingerprint, cart_id, answer, applied_at)
        VALUES ${values.join(", ")}
        ON CONFLICT (scope, write_key) DO UPDATE SET
          fingerprint = excluded.fingerprint, cart_id = excluded.cart_id,
          answer = excluded.answer, applied_at = excluded.applied_at
        WHERE applied_writes.applied_at NOT BETWEEN $2 AND $3`,
      params: [now, now - KEY_LIFE_MS, now + KEY_LIFE_MS, ...rows.flat()],
      requireRows: rows.length,
    },
    ...[...newest].map(([scope, key]) => dropOldest(scope, key)),
  ];
}

/**
 * Deletes the oldest responses of a scope that exceed the limit.
 * @param key key of the write whose response must stay stored
 */
function dropOldest(scope: string, key: string): Statement {
  return {
    sql: `UPDATE applied_writes SET answer = '' WHERE scope = $1 AND write_key IN (
      SELECT write_key FROM (
        SELECT write_key, SUM(OCTET_LENGTH(answer)) OVER (ORDER BY applied_at DESC, write_key) AS bytes
          FROM applied_writes WHERE scope = $1 AND answer <> '') AS kept
        WHERE bytes > $2 AND write_key <> $3)`,
    params: [scope, MAX_ANSWER_BYTES, key],
  };
}

/** Deletes the records of expired keys.  @returns the number of deleted records */
export function purgeAppliedWrites(database: Database, now: number): Promise<number> {
  const key = ["scope", "write_key"];
  return purgeRows(database, { table: "applied_writes", key, where: "applied_at < $1", bound: now - KEY_LIFE_MS });
}

/** Milliseconds until a key expires: one day. */
const KEY_LIFE_MS = 86_400_000;
/** Maximum bytes of the compressed responses of one cart or visitor: about a thousand responses of a small cart. */
const MAX_ANSWER_BYTES = 1_024 * 1_024;

/** Compresses a response. The lines of a cart are similar, so the result has about a tenth of the size. */
function pack(answer: string): string {
  return deflateRawSync(answer, { level: 3 }).toString("base64");
}

function unpack(packed: string): string {
  return inflateRawSync(Buffer.from(packed, "base64")).toString();
}
