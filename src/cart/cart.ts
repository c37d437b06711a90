/** A stored line of a cart. Prices and titles are read from the current catalog. */
export interface Line {
  /** `<variant id>:<token>` ("<token>" in lines of earlier versions); constant while the line exists. */
  readonly key: string;
  readonly variantId: string;
  /** 1 or more. */
  readonly quantity: number;
  readonly properties: Readonly<Record<string, string>>;
  /** Unit price in minor units at the shopper's last write: a different price is reported. */
  readonly seenPrice: number;
  /** Title at that time: names the line in an issue after its product was removed. */
  readonly seenTitle: string;
}

/** Content of a cart, without prices. Immutable. */
export interface Cart {
  /** undefined if it was never created. */
  readonly id?: string;
  /** Id in the URL of the cart's checkout page; unguessable, and gives access to a summary only. */
  readonly checkoutId?: string;
  /** Number of changes; 0 for a cart that was never created. */
  readonly revision: number;
  /** In the order in which they were added. */
  readonly lines: readonly Line[];
  readonly note?: string;
  /** The shopper's text, trimmed. */
  readonly discountCodes: readonly string[];
  readonly giftCards: readonly string[];
}

export const emptyCart: Cart = { revision: 0, lines: [], discountCodes: [], giftCards: [] };

/** A notice for the shopper about the cart; never an error. */
export interface Issue {
  readonly code:
    | "inventory_cap"
    | "quantity_rule"
    | "line_removed"
    | "price_changed"
    | "discount_not_applicable"
    | "gift_card_not_applicable"
    | "attributes_not_kept"
    | "price_unknown";
  readonly message: string;
  readonly field?: string;
  readonly key?: string;
  readonly variantId?: string;
  readonly requestedQuantity?: number;
  readonly quantity?: number;
  readonly availableQuantity?: number;
}
