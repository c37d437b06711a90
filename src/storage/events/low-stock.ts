import { type Database, type SqlRow, type Statement, tryWrite } from "../database.ts";
import { readLastStockNumber } from "../stock-store.ts";
import { emitEvent } from "./outbox.ts";

/** Variants per transaction. */
const BATCH_SIZE = 100;

/**
 * Emits an event for each variant whose stock fell to `threshold` units or less. Emits no further event for the variant
 * until its stock has been higher again. Reads the numbered stock changes, so changes by other processes and before a
 * crash are included. A variant that was low before the first run is reported when its stock changes.
 * @param newId returns at least 128 random bits
 * @returns whether there may be more changes
 */
export async function emitLowStock(
  database: Database,
  threshold: number,
  { now, newId }: { readonly now: number; readonly newId: () => string },
): Promise<boolean> {
  const [progress] = await database.read("SELECT last FROM sequences WHERE name = 'stock_low'");
  if (progress === undefined) {
    await database.write([sequenceStatement]);
    return false;
  }
  const from = Number(progress.last);
  // Changes are committed in the order of their numbers, so no change with a lower number can appear later.
  const to = await readLastStockNumber(database);
  if (to <= from) return false;
  const rows = await database.read(
    `SELECT s.variant_id, s.quantity, l.variant_id AS reported,
        (SELECT MIN(c.product_id) FROM catalog_variants c WHERE c.variant_id = s.variant_id) AS product_id
      FROM stock_levels s LEFT JOIN stock_low l ON l.variant_id = s.variant_id
      WHERE s.changed > $1 AND s.changed <= $2 AND (s.quantity <= $3) = (l.variant_id IS NULL)
      ORDER BY s.changed, s.variant_id LIMIT ${BATCH_SIZE}`,
    [from, to, threshold],
  );
  const isComplete = rows.length < BATCH_SIZE;
  // The condition fails if another server has already emitted these events.
  await tryWrite(database, [
    {
      sql: "UPDATE sequences SET last = $1 WHERE name = 'stock_low' AND last = $2",
      // If more than one batch of variants changed, the next run starts at the same change and skips variants already
      // in `stock_low`.
      params: [isComplete ? to : from, from],
      requireRows: 1,
    },
    ...rows.map(createStockLowUpdate),
    ...rows
      .filter(({ reported }) => reported === null)
      .flatMap((row) =>
        emitEvent({
          id: newId(),
          type: "stock.low",
          orderKey: `variant ${row.variant_id}`,
          payload: {
            variant_id: row.variant_id,
            product_id: row.product_id,
            quantity: Number(row.quantity),
            threshold,
          },
          createdAt: now,
        }),
      ),
  ]);
  return !isComplete;
}

const sequenceStatement: Statement = {
  sql: `INSERT INTO sequences (name, last) SELECT 'stock_low', number FROM stock_sequence WHERE id = 1
    ON CONFLICT (name) DO NOTHING`,
  params: [],
};

function createStockLowUpdate({ variant_id, reported }: SqlRow): Statement {
  const id = String(variant_id);
  return reported === null
    ? {
        sql: "INSERT INTO stock_low (variant_id) VALUES ($1) ON CONFLICT (variant_id) DO NOTHING",
        params: [id],
        requireRows: 1,
      }
    : { sql: "DELETE FROM stock_low WHERE variant_id = $1", params: [id], requireRows: 1 };
}
