import type { Order } from "../../checkout/order.ts";
import type { Shop } from "../../shop.ts";

/** How long the page of an order can be opened by its link. */
const LINK_MS = 2 * 365 * 86_400_000;

/** Path of an order's own page, which its signature opens to whoever has it. @param prefix "" or "/fr" */
export function orderPath(
  shop: Pick<Shop, "keyring">,
  prefix: string,
  { id, createdAt }: Pick<Order, "id" | "createdAt">,
): string {
  return `${prefix}/orders/${shop.keyring.sign("order", id, createdAt + LINK_MS)}`;
}

/** The id of the order that a link opens. */
export function readOrderLink(shop: Pick<Shop, "keyring">, token: string, now: number): string | undefined {
  return shop.keyring.verify("order", token, now)?.value;
}
