/** A discount of the catalog. A discount without a `code` applies automatically. */
export interface Discount {
  readonly kind: "discount";
  readonly id: string;
  readonly code?: string;
  readonly title: string;
  readonly valueType: "percentage" | "fixed_amount";
  /** Percentage from 0 to 100, or an amount in minor units. */
  readonly value: number;
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
}

export interface GiftCard {
  readonly kind: "gift_card";
  readonly id: string;
  readonly code: string;
  /** Balance in minor units. */
  readonly balance: number;
}
