/** A discount of the catalog. A discount without a `code` applies automatically. */
export interface Discount {
  readonly kind: "discount";
  readonly id: string;
  readonly code?: string;
  readonly title: string;
  readonly valueType: "percentage" | "fixed_amount" | "free_shipping" | "buy_x_get_y";
  /** Percentage from 0 to 100, or an amount in minor units. 0 for other types, and with quantity breaks. */
  readonly value: number;
  /** Values of a quantity discount, each with the minimum number of targeted units in the cart, lowest number first. */
  readonly quantityBreaks?: readonly { readonly quantity: number; readonly value: number }[];
  /**
   * Units that the customer must buy to get the units in `get`. Without products and collections, units of the targeted
   * products count.
   */
  readonly buy?: {
    readonly quantity: number;
    readonly products: readonly string[];
    readonly collections: readonly string[];
  };
  /** Number of targeted units that get a percentage off, each time the customer buys the units in `buy`. */
  readonly get?: { readonly quantity: number; readonly percentage: number };
  /** False if the discount does not apply together with other discounts. Default: true. */
  readonly combines?: boolean;
  /** Whether a fixed amount is subtracted from each targeted cart line. Default: once from the sum of these lines. */
  readonly isPerLine?: boolean;
  /** Minimum subtotal of the cart lines, in minor units. */
  readonly minimumSubtotal: number;
  /** Start date in ISO 8601 format. */
  readonly startsAt?: string;
  readonly endsAt?: string;
  /**
   * Handles of the targeted products. If `products` and `collections` are both empty, the discount applies to the
   * entire cart.
   */
  readonly products: readonly string[];
  readonly collections: readonly string[];
  readonly usageLimit?: number;
  /** Maximum number of orders per customer with this discount. If set, the discount requires a signed-in customer. */
  readonly customerLimit?: number;
}

export interface GiftCard {
  readonly kind: "gift_card";
  readonly id: string;
  readonly code: string;
  /** Balance in minor units. */
  readonly balance: number;
}
