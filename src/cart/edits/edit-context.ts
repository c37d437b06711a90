import { type Catalog, type Offer, offerTitle } from "../../catalog/catalog.ts";
import { localize } from "../../catalog/localize.ts";
import { invalid, Problem } from "../../problem.ts";
import type { Cart, Issue, Line } from "../cart.ts";
import { messagesFor, type Reader } from "../quantity-issues.ts";
import type { GivenCode } from "./given-codes.ts";

/** What an edit may look at. */
export interface EditContext extends Reader {
  readonly catalog: Catalog;
  readonly currency: string;
  readonly maxLines: number;
  /** The most units of one line. */
  readonly maxQuantity: number;
  /** A signed-in customer writes. */
  readonly signedIn: boolean;
  readonly now: number;
  /** 128 random bits or more, base64url. */
  readonly newToken: () => string;
  /** Whether a code that is new to the cart may be looked at; within one write it is answered alike each time. */
  readonly mayTry: (given: GivenCode) => boolean;
}

/** What an edit did. `cart` is the very cart that was given where nothing has changed. */
export interface Edit<C extends Cart = Cart> {
  readonly cart: C;
  readonly issues: readonly Issue[];
  /** Keys of the lines that were added or set, in the order of the request. */
  readonly touched: readonly string[];
}

/** A new line of `quantity` units. @throws Problem `customer_required` for members' products */
export function newLine(offer: Offer, quantity: number, properties: Line["properties"], at: EditContext): Line {
  requireCustomer(offer, at);
  return {
    key: keyOf(offer.variant.id, at.newToken()),
    variantId: offer.variant.id,
    quantity,
    properties,
    seenPrice: offer.variant.price,
    seenTitle: offerTitle(offer),
  };
}

/** "11:k2Zt…": clients of Shopify's kind require exactly one colon. Themes print keys into attributes and links: what may not stand there
 *  in a variant's id is a hyphen in its keys. */
function keyOf(variantId: string, token: string): string {
  return `${variantId.replace(/[^\w.-]/g, "-")}:${token}`;
}

/** @throws Problem `customer_required` where the product is for members and none is signed in. @see spec 5 */
export function requireCustomer(offer: Offer, at: EditContext): void {
  if (!offer.product.requiresCustomer || at.signedIn) return;
  const title = localize(offer.product, at.locale ?? "en").title;
  throw new Problem("customer_required", messagesFor(at)("cart.membersOnly", { title }));
}

/** @throws Problem `validation_failed` above the shop's limit for one line */
export function requireQuantity(quantity: number, field: string, at: EditContext): void {
  if (quantity > at.maxQuantity) throw invalid(field, "max", messagesFor(at)("cart.tooMany", { max: at.maxQuantity }));
}
