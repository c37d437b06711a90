/** A discount of the catalog. Without a `code` it applies automatically. */
export interface Discount {
  readonly kind: "discount";
  readonly id: string;
  readonly code?: string;
  readonly title: string;
  readonly valueType: "percentage" | "fixed_amount";
  /** Percent (0 to 100), or minor units. */
  readonly value: number;
  /** A fixed amount is taken off each line the discount is for. Default: once off their sum. */
  readonly isPerLine?: boolean;
  /** Minimum subtotal of the lines, in minor units. */
  readonly minimumSubtotal: number;
  /** ISO 8601. */
  readonly startsAt?: string;
  readonly endsAt?: string;
  /** Handles; if both lists are empty, the discount applies to the entire cart. */
  readonly products: readonly string[];
  readonly collections: readonly string[];
  readonly usageLimit?: number;
}

export interface GiftCard {
  readonly kind: "gift_card";
  readonly id: string;
  readonly code: string;
  /** Minor units. */
  readonly balance: number;
}
