import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { AppliedWrite, KeptWrite, WriteKey } from "../cart/applied-write.ts";
import type { KeyedCart } from "../cart/cart-store.ts";
import type { Database, Statement } from "./database.ts";

/** @see CartStore.findApplied */
export async function findAppliedWrite(
  database: Database,
  { key, visitor }: WriteKey,
  cart: KeyedCart | undefined,
  now: number,
): Promise<KeptWrite | undefined> {
  const rows = await database.read(
    `SELECT scope, fingerprint, cart_id, answer FROM applied_writes
      WHERE write_key = $1 AND scope IN ($2, $3) AND applied_at BETWEEN $4 AND $5`,
    [key, visitor, cart?.id ?? visitor, now - KEY_LIFE_MS, now + KEY_LIFE_MS],
  );
  const row = rows.find(({ cart_id }) => cart?.isKnown !== true || cart_id === "" || cart_id === cart.id);
  if (row === undefined) return undefined;
  return {
    key,
    fingerprint: String(row.fingerprint),
    scopes: [String(row.scope)],
    ...(row.cart_id === "" ? {} : { cartId: String(row.cart_id) }),
    ...(row.answer === "" ? {} : { answer: unpack(String(row.answer)) }),
  };
}

/** Records an applied write in the transaction of that write, which fails where the key was used meanwhile.
 *  A clock that jumps back does not make a key last. Older answers of the same scope are dropped where there is no room for all;
 *  their keys still count. */
export function recordAppliedWrite(applied: AppliedWrite, now: number): readonly Statement[] {
  const answer = pack(applied.answer);
  return applied.scopes.flatMap((scope) => [insert(applied, scope, answer, now), dropOldest(applied, scope)]);
}

function insert(applied: AppliedWrite, scope: string, answer: string, now: number): Statement {
  return {
    sql: `INSERT INTO applied_writes (scope, write_key, fingerprint, cart_id, answer, applied_at)
      VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (scope, write_key) DO UPDATE SET
        fingerprint = excluded.fingerprint, cart_id = excluded.cart_id,
        answer = excluded.answer, applied_at = excluded.applied_at
      WHERE applied_writes.applied_at NOT BETWEEN $7 AND $8`,
    params: [
      scope,
      applied.key,
      applied.fingerprint,
      applied.cartId ?? "",
      answer,
      now,
      now - KEY_LIFE_MS,
      now + KEY_LIFE_MS,
    ],
    requireRow: true,
  };
}

function dropOldest({ key }: AppliedWrite, scope: string): Statement {
  return {
    sql: `UPDATE applied_writes SET answer = '' WHERE scope = $1 AND write_key IN (
      SELECT write_key FROM (
        SELECT write_key, SUM(OCTET_LENGTH(answer)) OVER (ORDER BY applied_at DESC, write_key) AS bytes
          FROM applied_writes WHERE scope = $1 AND answer <> '') AS kept
        WHERE bytes > $2 AND write_key <> $3)`,
    params: [scope, MAX_ANSWER_BYTES, key],
  };
}

/** Deletes the records of keys that count no more, in small batches between which others write. @returns how many were deleted */
export async function sweepAppliedWrites(database: Database, now: number): Promise<number> {
  let swept = 0;
  for (;;) {
    const [rows = []] = await database.write([
      {
        sql: `DELETE FROM applied_writes WHERE applied_at < $1 AND (scope, write_key) IN
          (SELECT scope, write_key FROM applied_writes WHERE applied_at < $1 ORDER BY applied_at LIMIT ${SWEEP_BATCH})
          RETURNING write_key`,
        params: [now - KEY_LIFE_MS],
      },
    ]);
    swept += rows.length;
    if (rows.length < SWEEP_BATCH) return swept;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** How long a key counts: a day. */
const KEY_LIFE_MS = 86_400_000;
/** Bytes of the answers that are kept of one cart or visitor, as packed: a thousand answers of a small cart. */
const MAX_ANSWER_BYTES = 1_024 * 1_024;
/** Rows deleted at once: a few milliseconds of the database's time. */
const SWEEP_BATCH = 200;

/** A cart's lines are alike: deflated, an answer is a tenth of its size. */
function pack(answer: string): string {
  return deflateRawSync(answer, { level: 3 }).toString("base64");
}

function unpack(packed: string): string {
  return inflateRawSync(Buffer.from(packed, "base64")).toString();
}
