import type { DiscountUses } from "../checkout/discount-uses.ts";
import type { Discount } from "../pricing/discount.ts";
import type { Database } from "./database.ts";

/** Uses as numbered rows: the number of the last one is how many there were. @see DiscountUses */
export function createDiscountUses(database: Database): DiscountUses {
  const look = async ({ id, usageLimit }: Discount, checkoutId: string): Promise<Use> => {
    const [row] = await database.read(select, [id, checkoutId]);
    if (row?.own === 1) return "own";
    return usageLimit !== undefined && Number(row?.used) >= usageLimit ? "none left" : "free";
  };
  return {
    isUsedUp: async (discount, checkoutId) => (await look(discount, checkoutId ?? "")) === "none left",
    async count(discount, checkoutId, now) {
      for (;;) {
        const params = [discount.id, checkoutId, now, discount.usageLimit ?? Number.MAX_SAFE_INTEGER];
        const [rows = []] = await database.write([{ sql: insert, params }]);
        if (rows.length > 0) return true;
        // Counted before, too late, or another took this very number: then there may be a next one.
        const use = await look(discount, checkoutId);
        if (use !== "free") return use === "own";
      }
    },
  };
}

type Use = "own" | "free" | "none left";

const select = `SELECT
    (SELECT COALESCE(MAX(number), 0) FROM discount_uses WHERE discount_id = $1) AS used,
    (SELECT COUNT(*) FROM discount_uses WHERE discount_id = $1 AND checkout_id = $2) AS own`;

/** One statement: of two who want the same number one gets it, and none is past the limit. */
const insert = `INSERT INTO discount_uses (discount_id, number, checkout_id, used_at)
    SELECT CAST($1 AS TEXT), COALESCE(MAX(number), 0) + 1, CAST($2 AS TEXT), CAST($3 AS BIGINT)
    FROM discount_uses WHERE discount_id = $1
    HAVING COALESCE(MAX(number), 0) < $4
    ON CONFLICT DO NOTHING RETURNING number`;
