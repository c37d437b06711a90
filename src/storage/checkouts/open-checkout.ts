import type { NewCheckout, Supply } from "../../checkout/checkouts.ts";
import type { RefundReason } from "../../checkout/order.ts";
import { CommitInDoubt, type Database, DatabaseUnavailable, type Statement, WriteConflict } from "../database.ts";
import { takeStockNumber } from "../stock-store.ts";
import { close, readCheckout, readOne } from "./checkout-rows.ts";
import type { CompletionParts } from "./complete-checkout.ts";
import { findShortage, hold, levelsIn } from "./reservations.ts";

/** Times that it is looked at again where another moved in between. */
const MAX_TRIES = 8;

/** @see Checkouts.open */
export async function openCheckout(
  { database, onStock }: Pick<CompletionParts, "database" | "onStock">,
  checkout: NewCheckout,
  supply: Supply,
  now: number,
): Promise<RefundReason | undefined> {
  const { id, cartCheckoutId, content } = checkout;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const before = await readOne(database, "cart_checkout_id = $1 AND state = 'open'", cartCheckoutId);
    if (before?.id === id) {
      if (before.heldUntil > now || (await prolong(database, checkout, before.heldUntil))) return undefined;
      continue;
    }
    try {
      const rows = await database.write(
        [
          takeStockNumber,
          ...(before === undefined ? [] : close(before, "superseded")),
          insert(checkout, now),
          ...hold(content.reservations, supply),
        ],
        performance.now() + database.beginMs,
      );
      onStock(levelsIn(rows));
      return undefined;
    } catch (error) {
      // Where it was written all the same, the next look finds it open.
      if (error instanceof CommitInDoubt) continue;
      if (!(error instanceof WriteConflict)) throw error;
    }
    const held = before?.content.reservations ?? [];
    const kept = await readCheckout(database, id);
    if (kept?.state === "completed") return undefined;
    const short = await findShortage(database, lessHeld(content.reservations, held), supply);
    if (short !== undefined) return short;
  }
  throw new DatabaseUnavailable("a checkout was changed by others again and again");
}

/** @see Checkouts.keep */
export async function keepCheckout(database: Database, checkout: NewCheckout, now: number): Promise<void> {
  const { id, cartId, cartCheckoutId, revision, content } = checkout;
  const statement: Statement = {
    sql: `INSERT INTO checkouts (id, cart_id, cart_checkout_id, revision, state, held_until, created_at, content)
      VALUES ($1, $2, $3, $4, 'new', $5, $5, $6) ON CONFLICT (id) DO NOTHING`,
    params: [id, cartId, cartCheckoutId, revision, now, JSON.stringify(content)],
  };
  const beginBy = performance.now() + database.beginMs;
  try {
    await database.write([statement], beginBy);
  } catch (error) {
    if (!(error instanceof CommitInDoubt)) throw error;
    await database.write([statement], beginBy);
  }
}

/** It still holds what it needs: its time was over and nobody had let it go yet. */
async function prolong(database: Database, { id, heldUntil }: NewCheckout, before: number): Promise<boolean> {
  const [rows = []] = await database.write([
    {
      sql: "UPDATE checkouts SET held_until = $2 WHERE id = $1 AND state = 'open' AND held_until = $3 RETURNING id",
      params: [id, heldUntil, before],
    },
  ]);
  return rows.length > 0;
}

/** Fails where the cart has another that is open, which was opened meanwhile, or where this very one is open or an order. */
function insert({ id, cartId, cartCheckoutId, revision, heldUntil, content }: NewCheckout, now: number): Statement {
  return {
    sql: `INSERT INTO checkouts (id, cart_id, cart_checkout_id, revision, state, held_until, created_at, content)
      SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS BIGINT), 'open', CAST($5 AS BIGINT),
        CAST($6 AS BIGINT), CAST($7 AS TEXT)
      WHERE NOT EXISTS (SELECT 1 FROM checkouts WHERE cart_checkout_id = $3 AND state = 'open')
      ON CONFLICT (id) DO UPDATE SET state = 'open', held_until = excluded.held_until
        WHERE checkouts.state IN ('new', 'lapsed', 'superseded')`,
    params: [id, cartId, cartCheckoutId, revision, heldUntil, now, JSON.stringify(content)],
    requireRows: 1,
  };
}

/** What is needed beyond what the same cart holds already. */
function lessHeld(
  wanted: NewCheckout["content"]["reservations"],
  held: NewCheckout["content"]["reservations"],
): NewCheckout["content"]["reservations"] {
  return wanted.map((one) => {
    const own = held.find(({ kind, id }) => kind === one.kind && id === one.id)?.units ?? 0;
    return { ...one, units: one.units - own };
  });
}
