import type { Offer } from "../catalog/catalog.ts";
import { offerTitle } from "../catalog/offer-title.ts";
import { sellable } from "../catalog/stock.ts";
import type { Issue, Line } from "./cart.ts";
import { largestWithin } from "./quantity.ts";

/** An issue of stock, in words. @param quantity units the cart holds after the write */
export function capIssue(offer: Offer, requested: number, quantity: number, key?: string): Issue {
  const available = sellable(offer.variant);
  const isOdd = largestWithin(available, offer.variant.quantityRule) < available;
  const left =
    available === 0
      ? `${offerTitle(offer)} is sold out.`
      : `Only ${available} of ${offerTitle(offer)} can be had${isOdd ? `, sold ${ruleInWords(offer)}` : ""}.`;
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

/** An issue for a quantity that the product's rule has moved. @param requested what was asked for  @param quantity what the line holds now */
export function ruleIssue(offer: Offer, line: Line, requested: number, quantity: number): Issue {
  const outcome = quantity === 0 ? "it was taken out of the cart" : `the quantity was set to ${quantity}`;
  return {
    code: "quantity_rule",
    message: `${offerTitle(offer)} is sold ${ruleInWords(offer)}: ${outcome}.`,
    field: "quantity",
    key: line.key,
    variantId: line.variantId,
    requestedQuantity: requested,
    quantity,
  };
}

/** "from 5 to 20 in steps of 5" */
function ruleInWords({ variant }: Offer): string {
  const { min, max, increment } = variant.quantityRule;
  const steps = increment > 1 ? ` in steps of ${increment}` : "";
  return (max === undefined ? `from ${min} upwards` : `from ${min} to ${max}`) + steps;
}
