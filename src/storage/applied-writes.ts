import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { AppliedWrite, IdempotencyRecord, WriteKey } from "../cart/writer/applied-write.ts";
import { DAY_MS } from "../runtime/durations.ts";
import { type Database, formatPlaceholders, type Statement } from "./database.ts";
import { purgeRows } from "./purging.ts";

/**
 * Reads the stored writes of the last day that have one of these idempotency keys.  @see CartStore.findAppliedWrites
 */
export async function findAppliedWrites(
  database: Database,
  keys: readonly WriteKey[],
  cartId: string | undefined,
  now: number,
): Promise<readonly IdempotencyRecord[]> {
  const scopes = new Set([...keys.map(({ visitor }) => visitor), ...(cartId === undefined ? [] : [cartId])]);
  const writeKeys = new Set(keys.map(({ key }) => key));
  const rows = await database.read(
    `SELECT scope, write_key, fingerprint, cart_id, answer FROM applied_writes
      WHERE applied_at BETWEEN $1 AND $2 AND write_key IN (${formatPlaceholders(writeKeys.size, 3)})
        AND scope IN (${formatPlaceholders(scopes.size, 3 + writeKeys.size)})`,
    [now - KEY_LIFETIME_MS, now + KEY_LIFETIME_MS, ...writeKeys, ...scopes],
  );
  return rows.map((row) => ({
    key: String(row.write_key),
    fingerprint: String(row.fingerprint),
    scopes: [String(row.scope)],
    ...(row.cart_id === "" ? {} : { cartId: String(row.cart_id) }),
    ...(row.answer === "" ? {} : { response: decompressResponse(String(row.answer)) }),
  }));
}

/**
 * Returns statements that store writes by idempotency key. The transaction fails if another write used a key in the
 * meantime. A key expires after a day, even if the clock jumps back. If the responses of a cart or visitor exceed
 * `MAX_RESPONSE_BYTES`, the oldest responses are deleted, but their keys stay valid.
 * @param appliedWrites applied writes; each key occurs only once for a cart or visitor
 */
export function insertAppliedWrites(appliedWrites: readonly AppliedWrite[], now: number): readonly Statement[] {
  const rows = appliedWrites.flatMap(({ key, fingerprint, scopes, cartId, response }) => {
    const compressedResponse = response === "" ? "" : compressResponse(response);
    return scopes.map((scope) => [scope, key, fingerprint, cartId ?? "", compressedResponse]);
  });
  if (rows.length === 0) return [];
  const newestKeyByScope = new Map(appliedWrites.flatMap(({ key, scopes }) => scopes.map((scope) => [scope, key])));
  const values = rows.map((row, index) => `(${formatPlaceholders(row.length, 4 + index * row.length)}, $1)`);
  return [
    {
      sql: `INSERT INTO applied_writes (scope, write_key, fingerprint, cart_id, answer, applied_at)
        VALUES ${values.join(", ")}
        ON CONFLICT (scope, write_key) DO UPDATE SET
          fingerprint = excluded.fingerprint, cart_id = excluded.cart_id,
          answer = excluded.answer, applied_at = excluded.applied_at
        WHERE applied_writes.applied_at NOT BETWEEN $2 AND $3`,
      params: [now, now - KEY_LIFETIME_MS, now + KEY_LIFETIME_MS, ...rows.flat()],
      requireRows: rows.length,
    },
    ...[...newestKeyByScope].map(([scope, key]) => deleteOldestResponses(scope, key)),
  ];
}

/**
 * Deletes the oldest responses of a cart or visitor if their size exceeds `MAX_RESPONSE_BYTES`.
 * @param key key of the write whose response must stay stored
 */
function deleteOldestResponses(scope: string, key: string): Statement {
  return {
    sql: `UPDATE applied_writes SET answer = '' WHERE scope = $1 AND write_key IN (
      SELECT write_key FROM (
        SELECT write_key, SUM(OCTET_LENGTH(answer)) OVER (ORDER BY applied_at DESC, write_key) AS bytes
          FROM applied_writes WHERE scope = $1 AND answer <> '') AS kept
        WHERE bytes > $2 AND write_key <> $3)`,
    params: [scope, MAX_RESPONSE_BYTES, key],
  };
}

/** Deletes the records of expired idempotency keys.  @returns the number of deleted records */
export function purgeAppliedWrites(database: Database, now: number): Promise<number> {
  const keyColumns = ["scope", "write_key"];
  return purgeRows(database, {
    table: "applied_writes",
    keyColumns,
    conditionSql: "applied_at < $1",
    boundValue: now - KEY_LIFETIME_MS,
  });
}

/** Milliseconds until an idempotency key expires: one day. */
const KEY_LIFETIME_MS = DAY_MS;
/** Maximum bytes of the compressed responses of one cart or visitor: about a thousand responses of a small cart. */
const MAX_RESPONSE_BYTES = 1_024 * 1_024;

/** Compresses a response. The result has about a tenth of the size, because the lines of a cart are similar. */
function compressResponse(response: string): string {
  return deflateRawSync(response, { level: 3 }).toString("base64");
}

function decompressResponse(compressedResponse: string): string {
  return inflateRawSync(Buffer.from(compressedResponse, "base64")).toString();
}
