import type { Checkouts } from "../../checkout/checkouts.ts";
import type { RefundReason } from "../../checkout/order.ts";
import { createJobSlots } from "../../runtime/slots.ts";
import { getDatabaseName } from "../cart-databases/distributed-carts.ts";
import { removeOrderedItems } from "../cart-databases/ordered-carts.ts";
import { WriteNotStartedError } from "../database.ts";
import { readCartOrders } from "./cart-orders.ts";
import { readCartCheckout, readCheckout } from "./checkout-rows.ts";
import { type CompletionResources, completeCheckout } from "./complete-checkout.ts";
import { expireCheckouts } from "./expiry.ts";
import { openCheckout, saveViewedCheckout } from "./open-checkout.ts";
import { readUsedBalances } from "./reservations.ts";

/**
 * Stores checkouts as rows with a state. Each transaction that changes a checkout or reserves stock starts with
 * `stockNumberStatement`. So these transactions run serially on all servers, and each reads the result of the
 * previous one.
 * @see Checkouts
 */
export function createCheckoutStore(parts: Omit<CompletionResources, "onSeparateCart">): Checkouts {
  const { database } = parts;
  const runSerially = createSerialRunner(database.maxStartDelayMs);
  const findOpenCheckout: Checkouts["findOpenCheckout"] = (cartCheckoutId) =>
    readCartCheckout(database, cartCheckoutId, "open");
  return {
    find: (id) => readCheckout(database, id),
    findOpenCheckout,
    findCompletedCheckout: (cartCheckoutId) => readCartCheckout(database, cartCheckoutId, "completed"),
    async findOrderedCheckout(checkout) {
      return (await readCartOrders(parts, checkout)).orderedCheckout;
    },
    saveCheckout: (checkout, now) => saveViewedCheckout(database, checkout, now),
    open: (checkout, requester, now) => runSerially(checkout.id, () => openCheckout(parts, checkout, requester, now)),
    async complete(checkout, payment, now) {
      const orderedCartIds: string[] = [];
      const onSeparateCart = (cartId: string): void => void orderedCartIds.push(cartId);
      const id = typeof checkout === "string" ? checkout : checkout.id;
      const result = await runSerially(id, () =>
        completeCheckout({ ...parts, onSeparateCart }, checkout, payment, now),
      );
      // The order is placed. If its items cannot be removed now, the background job removes them.
      for (const cartId of orderedCartIds) await removeOrderedItems(parts, cartId).catch(() => undefined);
      return result;
    },
    async findRefundReason(id) {
      const sql =
        "SELECT refund FROM payments WHERE refund IS NOT NULL AND checkout_id = $1 ORDER BY received_at LIMIT 1";
      const [row] = await database.read(sql, [id]);
      return row === undefined ? undefined : (String(row.refund) as RefundReason);
    },
    async usedBalances(balances, cartCheckoutId) {
      const usedAmounts = await readUsedBalances(database, balances);
      if (usedAmounts.size === 0 || cartCheckoutId === undefined) return usedAmounts;
      const reservations = (await findOpenCheckout(cartCheckoutId))?.content.reservations ?? [];
      for (const { kind, id, units } of reservations) {
        const balanceKey = `${kind} ${id}`;
        const usedAmount = usedAmounts.get(balanceKey);
        if (usedAmount !== undefined) usedAmounts.set(balanceKey, usedAmount - units);
      }
      return usedAmounts;
    },
    expire: (now) => expireCheckouts(parts, now),
  };
}

/**
 * Creates a function that runs tasks one after another. Parallel transactions would wait for the same database lock,
 * each with its own connection, and some would fail at the lock timeout. Checkouts whose carts are in separate databases
 * do not wait for each other, because one of the databases may be unavailable.
 * @param maxWaitMs maximum milliseconds before a task starts
 * @throws WriteNotStartedError if the task waited longer
 */
function createSerialRunner(maxWaitMs: number): <T>(checkoutId: string, task: () => Promise<T>) => Promise<T> {
  const jobSlots = createJobSlots({ name: "checkout_transactions", capacity: Infinity, ownerCapacity: 1 });
  return async (checkoutId, task) => {
    const startDeadline = performance.now() + maxWaitMs;
    using _ = await jobSlots.acquire(getDatabaseName(checkoutId) ?? "");
    if (performance.now() > startDeadline)
      throw new WriteNotStartedError("too many writes are waiting for the database");
    return await task();
  };
}
