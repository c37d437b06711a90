/** A stored line of a cart, without prices: these come from the current catalog. */
export interface Line {
  /** Permanent key of the line: `<variant id>:<token>`, or only `<token>` in lines of earlier versions. */
  readonly key: string;
  readonly variantId: string;
  /** Number of units, at least 1. */
  readonly quantity: number;
  readonly properties: Readonly<Record<string, string>>;
  /**
   * Key of the parent line, such as the line of a television that this warranty belongs to. The parent precedes this
   * line in the cart and has no parent. Undefined for a line that is not nested.
   */
  readonly parentKey?: string;
  /** Unit price in minor units at the shopper's last write. If the price changes, the shopper gets a notice. */
  readonly seenPrice: number;
  /** Product title at the shopper's last write, used in notices after the product was removed. */
  readonly seenTitle: string;
}

/** Content of a cart, without prices. Immutable. */
export interface Cart {
  /** Undefined for a cart that was never created. */
  readonly id?: string;
  /** Random ID in the URL of the cart's checkout page. The page shows only a summary of the cart. */
  readonly checkoutId?: string;
  /** Number of changes so far; 0 for a cart that was never created. */
  readonly revision: number;
  /** Lines in the order in which they were added. Nested lines follow their parent. */
  readonly lines: readonly Line[];
  readonly note?: string;
  /** Codes as the shopper entered them, trimmed. */
  readonly discountCodes: readonly string[];
  readonly giftCards: readonly string[];
}

export const emptyCart: Cart = { revision: 0, lines: [], discountCodes: [], giftCards: [] };

/** A notice for the shopper about the cart, such as a reduced quantity. */
export interface Issue {
  readonly code:
    | "inventory_cap"
    | "quantity_rule"
    | "line_removed"
    | "price_changed"
    | "discount_not_applicable"
    | "gift_card_not_applicable"
    | "attributes_not_kept"
    | "fields_not_kept"
    | "price_unknown"
    | "customer_required";
  readonly message: string;
  readonly field?: string;
  readonly key?: string;
  readonly variantId?: string;
  readonly requestedQuantity?: number;
  readonly quantity?: number;
  readonly availableQuantity?: number;
}
