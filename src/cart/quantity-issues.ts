import type { Offer } from "../catalog/catalog.ts";
import { sellable } from "../catalog/stock.ts";
import type { Issue, Line } from "./cart.ts";
import { offerTitle } from "./edit-context.ts";

/** An issue of stock, in words. @param quantity units the cart holds after the write */
export function capIssue(offer: Offer, requested: number, quantity: number, key?: string): Issue {
  const available = sellable(offer.variant);
  const left =
    available === 0 ? `${offerTitle(offer)} is sold out.` : `Only ${available} of ${offerTitle(offer)} can be had.`;
  return {
    code: "inventory_cap",
    message: left,
    field: "quantity",
    ...(key === undefined ? {} : { key }),
    variantId: offer.variant.id,
    requestedQuantity: requested,
    quantity,
    availableQuantity: available,
  };
}

/** An issue for a quantity that the product's rule has moved. */
export function ruleIssue(offer: Offer, line: Line, quantity: number): Issue {
  const { min, max, increment } = offer.variant.quantityRule;
  const steps = increment > 1 ? ` in steps of ${increment}` : "";
  const range = max === undefined ? `from ${min} upwards` : `from ${min} to ${max}`;
  return {
    code: "quantity_rule",
    message: `${offerTitle(offer)} is sold ${range}${steps}: the quantity was set to ${quantity}.`,
    field: "quantity",
    key: line.key,
    variantId: line.variantId,
    requestedQuantity: line.quantity,
    quantity,
  };
}
