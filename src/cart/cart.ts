/** One line of a cart as it is kept. Prices and titles are read live from the catalogue. */
export interface Line {
  /** `<variant id>:<token>` ("<token>" of lines made by versions before this form); stays the same for as long as the line lives. */
  readonly key: string;
  readonly variantId: string;
  /** 1 or more. */
  readonly quantity: number;
  readonly properties: Readonly<Record<string, string>>;
  /** Unit price in minor units when the shopper last wrote to the cart: tells when a price has changed since. */
  readonly seenPrice: number;
  /** What the line was called at that time: names the line in an issue once its product is gone. */
  readonly seenTitle: string;
}

/** What is in a basket, without prices. Immutable. */
export interface Cart {
  /** Absent: never made. */
  readonly id?: string;
  /** Names the cart's checkout page; unguessable, and opens nothing but a summary. */
  readonly checkoutId?: string;
  /** Counts the cart's changes; 0 for a cart that was never made. */
  readonly revision: number;
  /** In the order in which they were added. */
  readonly lines: readonly Line[];
  readonly note?: string;
  /** As the shopper wrote them, outer blanks removed. */
  readonly discountCodes: readonly string[];
  readonly giftCards: readonly string[];
}

export const emptyCart: Cart = { revision: 0, lines: [], discountCodes: [], giftCards: [] };

/** Something the shopper should know about their cart; never an error. */
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
