import { type Catalog, formatOfferTitle, type OfferedVariant } from "../../catalog/catalog.ts";
import type { Customer } from "../../catalog/customer.ts";
import { localize } from "../../catalog/localize.ts";
import { createFieldProblem, Problem } from "../../problem.ts";
import type { Cart, Issue, Line } from "../cart.ts";
import { findMessages, type LocaleContext } from "../quantity-issues.ts";
import type { SubmittedCode } from "./submitted-codes.ts";

/** Inputs of a cart edit. */
export interface EditContext extends LocaleContext {
  readonly catalog: Catalog;
  readonly currency: string;
  readonly maxLines: number;
  /** Maximum units of one line. */
  readonly maxQuantity: number;
  /** The signed-in customer who sent the edit. */
  readonly customer: Customer | undefined;
  readonly now: number;
  /** Returns at least 128 random bits, base64url. */
  readonly newToken: () => string;
  /** Whether an increase above the stock changes nothing, as on Shopify. Default: the line gets all units in stock. */
  readonly rejectsShortages?: boolean;
  /**
   * Returns whether the rate limit permits a lookup of a code that is new to the cart. Returns the same result
   * throughout one write.
   */
  readonly canTry: (submittedCode: SubmittedCode) => boolean;
}

/** Result of an edit. `cart` is the same object as before if nothing changed. */
export interface Edit<C extends Cart = Cart> {
  readonly cart: C;
  readonly issues: readonly Issue[];
  /** Keys of the added or changed lines, in the order of the request. */
  readonly changedKeys: readonly string[];
}

/**
 * Creates a line of `quantity` units.
 * @throws Problem `customer_required` for a product that only signed-in customers can buy
 */
export function createLine(
  offer: OfferedVariant,
  quantity: number,
  properties: Line["properties"],
  context: EditContext,
): Line {
  requireCustomer(offer, context);
  return {
    key: formatLineKey(offer.variant.id, context.newToken()),
    variantId: offer.variant.id,
    quantity,
    properties,
    seenPrice: offer.variant.price,
    seenTitle: formatOfferTitle(offer),
  };
}

/**
 * Returns a line key such as "11:k2Zt…". Clients for Shopify require exactly one colon. Other special characters of the
 * variant ID become hyphens, because themes print keys in attributes and links.
 */
function formatLineKey(variantId: string, token: string): string {
  return `${variantId.replace(/[^\w.-]/g, "-")}:${token}`;
}

/**
 * Throws if only signed-in customers can buy the product and the shopper is not signed in.
 * @throws Problem `customer_required`
 * @see spec 5
 */
export function requireCustomer(offer: OfferedVariant, context: EditContext): void {
  if (!offer.product.requiresCustomer || context.customer !== undefined) return;
  const title = localize(offer.product, context.locale ?? "en").title;
  throw new Problem("customer_required", findMessages(context)("cart.membersOnly", { title }));
}

/** Throws if the quantity exceeds the shop's limit for one line.  @throws Problem `validation_failed` */
export function enforceQuantityLimit(quantity: number, field: string, context: EditContext): void {
  if (quantity > context.maxQuantity)
    throw createFieldProblem(field, "max", findMessages(context)("cart.tooMany", { max: context.maxQuantity }));
}
