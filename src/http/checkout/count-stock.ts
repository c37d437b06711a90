import type { Cart } from "../../cart/cart.ts";
import type { Shop } from "../../shop.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";

/**
 * Reads the stock of a cart's variants from the merchant's warehouse hook, if there is one, and updates the stock for
 * all visitors.
 */
export async function countStock(
  shop: Pick<Shop, "hooks" | "management" | "snapshot">,
  { lines }: Cart,
  { catalog, revision }: Pick<Snapshot, "catalog" | "revision">,
  now: number,
): Promise<void> {
  const ids = [...new Set(lines.map(({ variantId }) => variantId))];
  const tracked = ids.filter((id) => catalog.variant(id)?.variant.inventoryQuantity !== undefined);
  const counts = await shop.hooks.stockCounts.of(tracked);
  if (counts.length === 0) return;
  const batch = { absolute: counts, relative: [], revision };
  const outcome = await shop.management.stock.change(
    batch,
    { scope: "stock hook", fingerprint: JSON.stringify(counts) },
    now,
  );
  // Without an answer, the known stock applies, and the checkout's own check in the database decides.
  if (typeof outcome !== "string") shop.snapshot().stock.take(outcome.levels);
}
