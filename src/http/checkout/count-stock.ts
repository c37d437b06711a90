import type { Cart } from "../../cart/cart.ts";
import type { Shop } from "../../shop.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";

/** Asks the merchant's warehouse how many there are of what a cart wants, where it can be asked, and keeps what it says for everybody. */
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
  // Where it came to nothing, what was known stands, and the checkout's own look at the database has the last word.
  if (typeof outcome !== "string") shop.snapshot().stock.take(outcome.levels);
}
