import type { Cart } from "../cart/cart.ts";
import type { CartStore, StoredCart } from "../cart/cart-store.ts";
import { findAppliedWrite, recordAppliedWrite } from "./applied-writes.ts";
import { checksumOf, isAsWritten } from "./cart-checksum.ts";
import { type Database, DatabaseUnavailable, type SqlRow, type Statement, WriteConflict } from "./database.ts";

/** How long first writes of one visitor share a cart. */
const CLAIM_MS = 10_000;
const DAY_MS = 86_400_000;
/** Rows deleted at once: a few milliseconds of the database's time. */
const SWEEP_BATCH = 200;

/** Carts as rows with a revision. @see CartStore */
export function createCartStore(database: Database): CartStore {
  return {
    find: async (id) => toCart(await database.read(`${select} WHERE id = $1`, [id])),
    findByCheckout: async (checkoutId) => toCart(await database.read(`${select} WHERE checkout_id = $1`, [checkoutId])),
    save: (cart, now, applied) =>
      holds(database, [
        cart.revision === 0 ? insert(cart, now) : update(cart, now),
        ...(applied === undefined ? [] : recordAppliedWrite(applied, now)),
      ]),
    renew: async (id, now) => void (await database.write([renew(id, now)])),
    keepApplied: (cart, now, applied) =>
      holds(database, [...(cart.revision === 0 ? [] : [confirm(cart, now)]), ...recordAppliedWrite(applied, now)]),
    findApplied: (key, cart, now) => findAppliedWrite(database, key, cart, now),
    async claimFirst(tokenHash, newId, now) {
      const [[row] = []] = await database.write([claim(tokenHash, newId, now)]);
      return String(row?.cart_id);
    },
  };
}

/** Deletes carts that nobody has written to for so many days and a day more, in small batches between which others write.
 *  @returns how many were deleted */
export async function sweepCarts(database: Database, cookieDays: number, now: number): Promise<number> {
  // A cart may look a day older than its cookie: see `renew`.
  const oldest = now - (cookieDays + 1) * DAY_MS;
  let swept = 0;
  for (;;) {
    const [rows = []] = await database.write([
      // The age is asked again outside, for a cart that is written to meanwhile.
      {
        sql: `DELETE FROM carts WHERE updated_at < $1
          AND id IN (SELECT id FROM carts WHERE updated_at < $1 ORDER BY updated_at LIMIT ${SWEEP_BATCH}) RETURNING id`,
        params: [oldest],
      },
      {
        sql: `DELETE FROM first_carts WHERE claimed_at < $1
          AND token_hash IN (SELECT token_hash FROM first_carts WHERE claimed_at < $1 LIMIT ${5 * SWEEP_BATCH})`,
        params: [now - 6 * CLAIM_MS],
      },
    ]);
    swept += rows.length;
    if (rows.length < SWEEP_BATCH) return swept;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Writes all or nothing. @returns whether the conditions held */
async function holds(database: Database, statements: readonly Statement[]): Promise<boolean> {
  try {
    await database.write(statements);
    return true;
  } catch (error) {
    if (error instanceof WriteConflict) return false;
    throw error;
  }
}

const select = "SELECT id, checkout_id, revision, data, checksum, updated_at FROM carts";

/** What a cart's row holds as JSON. */
type CartData = Pick<Cart, "lines" | "note" | "discountCodes" | "giftCards">;

function toCart([row]: readonly SqlRow[]): StoredCart | undefined {
  if (row === undefined) return undefined;
  const ids = { id: String(row.id), checkoutId: String(row.checkout_id), revision: Number(row.revision) };
  const data = isAsWritten(row.checksum ?? null, ids, String(row.data)) ? parseData(String(row.data)) : undefined;
  if (data === undefined)
    throw new DatabaseUnavailable(
      "the row of a cart is not as it was written, so the disk or the memory may be failing: have them checked and restore " +
        `a backup. To give up this cart alone: DELETE FROM carts WHERE updated_at = ${Number(row.updated_at)}`,
    );
  return { ...ids, ...data };
}

function parseData(text: string): CartData | undefined {
  try {
    return JSON.parse(text) as CartData;
  } catch {
    return undefined;
  }
}

function toData({ lines, note, discountCodes, giftCards }: Cart): string {
  return JSON.stringify({ lines, note, discountCodes, giftCards });
}

function insert(cart: StoredCart, now: number): Statement {
  const data = toData(cart);
  return {
    sql: `INSERT INTO carts (id, checkout_id, revision, data, checksum, updated_at) VALUES ($1, $2, 1, $3, $4, $5)
      ON CONFLICT DO NOTHING`,
    params: [cart.id, cart.checkoutId, data, checksumOf({ ...cart, revision: 1 }, data), now],
    requireRow: true,
  };
}

function update(cart: StoredCart, now: number): Statement {
  const data = toData(cart);
  const checksum = checksumOf({ ...cart, revision: cart.revision + 1 }, data);
  return {
    sql: "UPDATE carts SET revision = revision + 1, data = $1, checksum = $2, updated_at = $3 WHERE id = $4 AND revision = $5",
    params: [data, checksum, now, cart.id, cart.revision],
    requireRow: true,
  };
}

function renew(id: string, now: number): Statement {
  return {
    sql: "UPDATE carts SET updated_at = $1 WHERE id = $2 AND updated_at < $3",
    params: [now, id, now - DAY_MS],
  };
}

/** Holds where the cart is still at this revision; the shopper is there, so it is not abandoned. */
function confirm(cart: StoredCart, now: number): Statement {
  return {
    sql: "UPDATE carts SET updated_at = $1 WHERE id = $2 AND revision = $3",
    params: [now, cart.id, cart.revision],
    requireRow: true,
  };
}

/** One statement, so that of several nodes one claims and all learn whose it is. A clock that jumps back does not make a claim last. */
function claim(tokenHash: string, newId: string, now: number): Statement {
  const isFresh = "first_carts.claimed_at BETWEEN $4 AND $5";
  return {
    sql: `INSERT INTO first_carts (token_hash, cart_id, claimed_at) VALUES ($1, $2, $3)
      ON CONFLICT (token_hash) DO UPDATE SET
        cart_id = CASE WHEN ${isFresh} THEN first_carts.cart_id ELSE excluded.cart_id END,
        claimed_at = CASE WHEN ${isFresh} THEN first_carts.claimed_at ELSE excluded.claimed_at END
      RETURNING cart_id`,
    params: [tokenHash, newId, now, now - CLAIM_MS, now + CLAIM_MS],
  };
}
