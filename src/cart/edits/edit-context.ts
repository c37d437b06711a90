import { type Catalog, type Offer, offerTitle } from "../../catalog/catalog.ts";
import { localize } from "../../catalog/localize.ts";
import { invalid, Problem } from "../../problem.ts";
import type { Cart, Issue, Line } from "../cart.ts";
import { messagesFor, type Reader } from "../quantity-issues.ts";
import type { SubmittedCode } from "./submitted-codes.ts";

/** Inputs of an edit. */
export interface EditContext extends Reader {
  readonly catalog: Catalog;
  readonly currency: string;
  readonly maxLines: number;
  /** Maximum units of one line. */
  readonly maxQuantity: number;
  /** Whether a signed-in customer writes. */
  readonly signedIn: boolean;
  readonly now: number;
  /** Returns 128 or more random bits, base64url. */
  readonly newToken: () => string;
  /** Returns whether a code that is new to the cart may be looked up; consistent within one write. */
  readonly mayTry: (given: SubmittedCode) => boolean;
}

/** Result of an edit. `cart` is the given object if nothing changed. */
export interface Edit<C extends Cart = Cart> {
  readonly cart: C;
  readonly issues: readonly Issue[];
  /** Keys of the added or changed lines, in the order of the request. */
  readonly touched: readonly string[];
}

/** Creates a line of `quantity` units.  @throws Problem `customer_required` for members' products */
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

/**
 * "11:k2Zt…": clients for Shopify require exactly one colon. Themes print keys in attributes and links: invalid
 * characters of a variant's id become hyphens.
 */
function keyOf(variantId: string, token: string): string {
  return `${variantId.replace(/[^\w.-]/g, "-")}:${token}`;
}

/** @throws Problem `customer_required` if the product is for members and no customer is signed in  @see spec 5 */
export function requireCustomer(offer: Offer, at: EditContext): void {
  if (!offer.product.requiresCustomer || at.signedIn) return;
  const title = localize(offer.product, at.locale ?? "en").title;
  throw new Problem("customer_required", messagesFor(at)("cart.membersOnly", { title }));
}

/** @throws Problem `validation_failed` above the shop's limit for one line */
export function requireQuantity(quantity: number, field: string, at: EditContext): void {
  if (quantity > at.maxQuantity) throw invalid(field, "max", messagesFor(at)("cart.tooMany", { max: at.maxQuantity }));
}
