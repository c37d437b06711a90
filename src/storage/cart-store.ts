import { crc32 } from "node:zlib";
import type { CartIds, CartStore, StoredCart } from "../cart/cart-store.ts";
import { DAY_MS, HOUR_MS } from "../runtime/durations.ts";
import { findAppliedWrites, insertAppliedWrites } from "./applied-writes.ts";
import {
  type Database,
  DatabaseUnavailableError,
  formatPlaceholders,
  readInBatches,
  type SqlRow,
  type SqlValue,
  type Statement,
} from "./database.ts";
import { purgeRows } from "./purging.ts";
import { writeWithRetry } from "./write-with-retry.ts";

/** If a visitor without a cart sends several writes within this time, in milliseconds, they share one new cart. */
const CLAIM_LIFETIME_MS = 10_000;
/** Maximum milliseconds by which the stored time of a cart's last write may lag behind the actual time. */
const MAX_WRITE_TIME_LAG_MS = HOUR_MS;

/** Cart store with an additional method for other stores of the same database. */
export interface StoredCarts extends CartStore<Statement> {
  /** Reads the cart from the database, never from a cache. */
  findStoredCart(id: string): Promise<StoredCart | undefined>;
  /**
   * Returns the database of a cart if it is not the main database, so that no transaction can contain both the cart and
   * its order. Default: all carts are in the main database.
   */
  getSeparateDatabase?(id: string): Database | undefined;
}

/**
 * Stores carts as rows with a revision.
 * @param serverId distinguishes the saves of this server from those of other servers
 * @see CartStore
 */
export function createCartStore(database: Database, serverId: string): StoredCarts {
  /** Stored times of the last write, for carts that were read or saved through this store. */
  const saveTimesByCart = new WeakMap<StoredCart, number>();
  const readCart = async (column: string, id: string): Promise<StoredCart | undefined> => {
    const [row] = await database.read(`${selectSql} WHERE ${column} = $1`, [id]);
    if (row === undefined) return undefined;
    const cart = toCart(row);
    saveTimesByCart.set(cart, Number(row.updated_at));
    return cart;
  };
  const find = (id: string): Promise<StoredCart | undefined> => readCart("id", id);
  return {
    find,
    findStoredCart: find,
    getRevisions: (ids) => readRevisions(database, ids),
    findByCheckout: (checkoutId) => readCart("checkout_id", checkoutId),
    save(oldCart, newCart, { now, appliedWrites = [], startDeadline, visitorTokenHash, additionalStatements = [] }) {
      // Saves with additional statements do not wait for queued edits, so they may overtake an edit whose response was
      // lost. They therefore count as a separate writer.
      const writerId = additionalStatements.length > 0 ? `${serverId}+` : serverId;
      const isSaved = async (): Promise<boolean> => {
        // A write without a new revision stores only idempotency records. It counts as unsaved, so the caller tries
        // again and finds the records.
        if (newCart.revision === oldCart.revision) return false;
        const storedCart = await find(oldCart.id);
        // A new visitor's cart counts as saved if it exists. Other requests learn its ID only after the commit, and may
        // have changed the cart since.
        return visitorTokenHash === undefined
          ? storedCart?.savedBy?.[writerId] === newCart.revision
          : storedCart !== undefined;
      };
      const lastWrittenAt = saveTimesByCart.get(oldCart);
      const isRecentlyWritten = lastWrittenAt !== undefined && Math.abs(now - lastWrittenAt) < MAX_WRITE_TIME_LAG_MS;
      if (newCart.revision > oldCart.revision) saveTimesByCart.set(newCart, isRecentlyWritten ? lastWrittenAt : now);
      const cart =
        newCart.revision > oldCart.revision
          ? [updateCart(oldCart, newCart, isRecentlyWritten ? undefined : now, writerId)]
          : renewCart(oldCart, now, appliedWrites.length > 0);
      const claimStatements =
        visitorTokenHash === undefined ? [] : [createUniqueCartClaim(visitorTokenHash, oldCart.id, now)];
      const statements = [
        ...claimStatements,
        ...cart,
        ...insertAppliedWrites(appliedWrites, now),
        ...additionalStatements,
      ];
      return writeWithRetry(database, statements, { startDeadline, isSaved });
    },
    findAppliedWrites: (keys, cartId, now) => findAppliedWrites(database, keys, cartId, now),
    async claimFirstCart(tokenHash, newId, now) {
      const [[row] = []] = await database.write([createCartClaim(tokenHash, newId, now)]);
      return String(row?.cart_id);
    },
  };
}

/**
 * Deletes carts that were not written for `cookieDays` plus one day. Skips the deletion if no cart was written in the
 * middle of this period, because then the clock may be wrong, or the shop was closed.
 * @param onWarning receives the reason why no cart is deleted
 * @param otherDatabases databases with other carts of the shop, whose writes count too
 * @returns the number of deleted carts
 */
export async function purgeCarts(
  database: Database,
  cookieDays: number,
  now: number,
  onWarning: (message: string) => void,
  otherDatabases: readonly Database[] = [],
): Promise<number> {
  await purgeRows(database, {
    table: "first_carts",
    keyColumns: ["token_hash"],
    conditionSql: "claimed_at < $1",
    boundValue: now - 6 * CLAIM_LIFETIME_MS,
  });
  // The stored time of a cart may be about a day before its last use: see `renewCart` and `MAX_WRITE_TIME_LAG_MS`.
  const lifetimeMs = (cookieDays + 1) * DAY_MS;
  const oldCarts = {
    table: "carts",
    keyColumns: ["id"],
    conditionSql: "updated_at < $1",
    boundValue: now - lifetimeMs,
  };
  const [oldestRow] = await database.read("SELECT MIN(updated_at) AS at FROM carts");
  if (oldestRow?.at == null || Number(oldestRow.at) >= oldCarts.boundValue) return 0;
  const [from, to] = [now - lifetimeMs / 2, now - lifetimeMs / 4];
  for (const cartDatabase of [database, ...otherDatabases]) {
    const recentCarts = await cartDatabase.read(
      "SELECT 1 AS one FROM carts WHERE updated_at BETWEEN $1 AND $2 LIMIT 1",
      [Math.floor(from), Math.ceil(to)],
    );
    if (recentCarts.length > 0) return purgeRows(database, oldCarts);
  }
  const [firstDay, lastDay] = [from, to].map((time) => new Date(time).toISOString().slice(0, 10));
  onWarning(
    `carts older than ${cookieDays} days are not deleted: no cart was written from ${firstDay} to ${lastDay}, so either the shop was ` +
      `closed or the clock (${new Date(now).toISOString()}) is wrong. If the clock is wrong, correct it.`,
  );
  return 0;
}

async function readRevisions(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await readInBatches(database, ids, (batch) => [
    `SELECT id, revision FROM carts WHERE id IN (${formatPlaceholders(batch.length)})`,
    batch,
  ]);
  return new Map(rows.map(({ id, revision }) => [String(id), Number(revision)]));
}

const selectSql = "SELECT id, checkout_id, revision, data, checksum, updated_at FROM carts";

/** Content of the JSON column of a cart's row. */
type CartData = Pick<StoredCart, "lines" | "note" | "discountCodes" | "giftCards" | "savedBy">;

function toCart(row: SqlRow): StoredCart {
  const ids = { id: String(row.id), checkoutId: String(row.checkout_id), revision: Number(row.revision) };
  const data = isRowIntact(row.checksum ?? null, ids, String(row.data)) ? parseCartData(String(row.data)) : undefined;
  if (data === undefined)
    throw new DatabaseUnavailableError(
      "the row of a cart is damaged, so the disk or the memory may be failing: check them and restore " +
        `a backup. To delete only this cart: DELETE FROM carts WHERE updated_at = ${Number(row.updated_at)}`,
    );
  const { lines, note, discountCodes, giftCards, savedBy, ...laterFields } = data;
  const hasLaterFields = Object.keys(laterFields).length > 0;
  return { ...ids, ...data, ...(hasLaterFields ? { laterFields } : {}) };
}

function parseCartData(text: string): CartData | undefined {
  try {
    return JSON.parse(text) as CartData;
  } catch {
    return undefined;
  }
}

/**
 * Maximum number of writers whose last save is stored with a cart. Few servers write to the same cart at the same time.
 */
const MAX_RECORDED_WRITERS = 8;

function toCartData(oldCart: StoredCart, newCart: StoredCart, writerId: string): string {
  const { lines, note, discountCodes, giftCards, revision } = newCart;
  const savedBy = { [writerId]: revision, ...selectOtherWriters(oldCart, writerId) };
  return JSON.stringify({ lines, note, discountCodes, giftCards, savedBy, ...oldCart.laterFields });
}

/** Returns the last revision that each other writer saved, by writer ID. */
function selectOtherWriters({ savedBy = {} }: StoredCart, writerId: string): StoredCart["savedBy"] {
  const ids = Object.keys(savedBy);
  if (ids.length === 0 || (ids.length === 1 && ids[0] === writerId)) return undefined;
  const otherWriters = Object.entries(savedBy).filter(([id]) => id !== writerId);
  return Object.fromEntries(otherWriters.sort((a, b) => b[1] - a[1]).slice(0, MAX_RECORDED_WRITERS - 1));
}

/**
 * Updates a cart. The transaction fails if the cart changed since it was read.
 * @param now time of the write; if undefined, the stored time of the last write stays unchanged
 */
function updateCart(oldCart: StoredCart, newCart: StoredCart, now: number | undefined, writerId: string): Statement {
  const { id, checkoutId } = oldCart;
  const { revision } = newCart;
  const data = toCartData(oldCart, newCart, writerId);
  const checksum = computeCartChecksum({ id, checkoutId, revision }, data);
  const rowParams = [id, oldCart.revision];
  if (now === undefined) return { sql: updateSql, params: [revision, data, checksum, ...rowParams], requireRows: 1 };
  if (oldCart.revision > 0)
    return { sql: updateAndRenewSql, params: [revision, data, checksum, ...rowParams, now], requireRows: 1 };
  return { sql: insertSql, params: [id, checkoutId, revision, data, checksum, now], requireRows: 1 };
}

const insertSql = `INSERT INTO carts (id, checkout_id, revision, data, checksum, updated_at) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT DO NOTHING`;
const [updateSql, updateAndRenewSql] = ["", ", updated_at = $6"].map(
  (renewalSql) =>
    `UPDATE carts SET revision = $1, data = $2, checksum = $3${renewalSql} WHERE id = $4 AND revision = $5`,
) as [string, string];

/** Returns the statement that deletes the cart of a checkout. Only for carts whose ID was not given to a visitor. */
export function deleteCheckoutCart(checkoutId: string): Statement {
  return { sql: "DELETE FROM carts WHERE id = (SELECT cart_id FROM checkouts WHERE id = $1)", params: [checkoutId] };
}

/**
 * Updates a cart's time of last use, at most once a day.
 * @param requiresRevision whether the transaction fails if the cart changed since it was read
 */
function renewCart({ id, revision }: StoredCart, now: number, requiresRevision: boolean): readonly Statement[] {
  if (revision === 0) return [];
  return requiresRevision
    ? [{ sql: `${renewSql} AND revision = $3`, params: [now, id, revision], requireRows: 1 }]
    : [{ sql: `${renewSql} AND updated_at < $3`, params: [now, id, now - DAY_MS] }];
}

const renewSql = "UPDATE carts SET updated_at = $1 WHERE id = $2";

const insertFirstCartSql = `INSERT INTO first_carts (token_hash, cart_id, claimed_at) VALUES ($1, $2, $3)
  ON CONFLICT (token_hash) DO UPDATE SET`;
/**
 * SQL condition that is true until a visitor's claim to a cart ID expires. The upper limit makes a claim expire even if
 * the clock was set back.
 */
const unexpiredClaimSql = "first_carts.claimed_at BETWEEN $4 AND $5";

function toClaimParams(tokenHash: string, cartId: string, now: number): Statement["params"] {
  return [tokenHash, cartId, now, now - CLAIM_LIFETIME_MS, now + CLAIM_LIFETIME_MS];
}

/**
 * Claims a cart ID for a visitor, or returns the ID that the visitor already claimed. A single statement, so that
 * simultaneous requests to several servers get the same ID.
 */
function createCartClaim(tokenHash: string, newId: string, now: number): Statement {
  return {
    sql: `${insertFirstCartSql}
        cart_id = CASE WHEN ${unexpiredClaimSql} THEN first_carts.cart_id ELSE excluded.cart_id END,
        claimed_at = CASE WHEN ${unexpiredClaimSql} THEN first_carts.claimed_at ELSE excluded.claimed_at END
      RETURNING cart_id`,
    params: toClaimParams(tokenHash, newId, now),
  };
}

/** Claims a cart ID for a visitor. The transaction fails if the visitor has another valid claim. */
function createUniqueCartClaim(tokenHash: string, cartId: string, now: number): Statement {
  return {
    sql: `${insertFirstCartSql} cart_id = excluded.cart_id, claimed_at = excluded.claimed_at WHERE NOT (${unexpiredClaimSql})`,
    params: toClaimParams(tokenHash, cartId, now),
    requireRows: 1,
  };
}

/** IDs and expected revision of a cart's row. */
type RowIds = CartIds & { readonly revision: number };

/** Returns a checksum that detects damaged rows, in the form "revision:checksum".  @param data the stored JSON */
function computeCartChecksum({ id, checkoutId, revision }: RowIds, data: string): string {
  return `${revision}:${crc32(JSON.stringify([id, checkoutId, revision, data])).toString(16)}`;
}

/**
 * Returns whether a row has its original content.
 * @param checksum the stored checksum; null in rows that are older than checksums
 */
function isRowIntact(checksum: SqlValue, ids: RowIds, data: string): boolean {
  if (typeof checksum !== "string") return true;
  // Skip the check of an outdated checksum: older versions of the server do not update it.
  const revision = Number.parseInt(checksum, 10);
  return (revision > 0 && revision < ids.revision) || checksum === computeCartChecksum(ids, data);
}
