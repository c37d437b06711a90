import type { Shop } from "../../shop.ts";
import { awaitWithDeadline } from "../deadline.ts";

/** Returns the amount of a gift card or of store credit that checkouts have left.  @param loaded amount in the catalog */
export async function readRemainingBalance(
  { checkouts }: Pick<Shop, "checkouts">,
  kind: "gift_card" | "store_credit",
  id: string,
  loaded: number,
): Promise<number> {
  if (loaded === 0) return 0;
  const usedAmounts = await awaitWithDeadline(checkouts.usedBalances([{ kind, id }], undefined));
  return Math.max(0, loaded - (usedAmounts.get(`${kind} ${id}`) ?? 0));
}
