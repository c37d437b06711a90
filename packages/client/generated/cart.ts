// Generated from openapi.yaml by `npm run client-types`.
import type { Amount, Id, QuantityRule } from "./catalog.ts";
import type { Problem } from "./problem.ts";
import type { Image } from "./search.ts";
/** The checkout. */
export type BuyNowAnswer = {
  /** `/checkout/<id>`, with the language prefix of the request. */
  readonly checkout_url: string;
};

/** The cart. Amounts are in minor units. */
export type Cart = {
  /** Equal to `id`. */
  readonly token: string | null;
  /** null before the first write. It gives no access and is never sent. With the setting `compat.script`, the response to an add has the ID of the last added variant instead, an integer. */
  readonly id: string | null;
  /** Number of changes, for `If-Match`. */
  readonly revision: number;
  readonly item_count: number;
  readonly line_count: number;
  readonly items: readonly LineItem[];
  /** Equal to `items`. */
  readonly lines: readonly LineItem[];
  /** Missing without a note; null with the setting `compat.script`. */
  readonly note?: string | null;
  /** Always empty: attributes are not stored. */
  readonly attributes: Readonly<Record<string, never>>;
  readonly requires_shipping: boolean;
  readonly currency: {
    readonly iso_code: string;
  };
  readonly currency_code: string;
  readonly items_subtotal_price: Amount;
  readonly original_total_price: Amount;
  readonly total_discount: Amount;
  readonly total_price: Amount;
  readonly amount_due: Amount;
  readonly items_subtotal_price_cents: Amount;
  readonly original_total_price_cents: Amount;
  readonly total_discount_cents: Amount;
  readonly total_price_cents: Amount;
  readonly amount_due_cents: Amount;
  readonly store_credit: Amount;
  /** Grams. */
  readonly total_weight: number;
  readonly discount_codes: readonly {
    readonly code: string;
    readonly applicable: boolean;
  }[];
  readonly gift_cards: readonly {
    /** The last four characters. */
    readonly code: string;
    readonly amount: Amount;
  }[];
  readonly discount_applications: readonly DiscountApplication[];
  readonly cart_level_discount_applications: readonly DiscountApplication[];
};

/** The cart after an add, with fields of the line that was added last. */
export type CartAdded = CartWritten & {
  /** Keys of the added lines. */
  readonly added: readonly string[];
  readonly key: string;
  readonly variant_id: Id;
  readonly product_id: Id;
  readonly quantity: number;
  readonly title: string;
  readonly product_title: string;
  readonly variant_title: string | null;
  readonly image: string | null;
  readonly featured_image: Image | null;
  readonly url: string;
  readonly handle: string;
  readonly price: Amount;
  readonly line_price: Amount;
  readonly final_price: Amount;
  readonly original_price: Amount;
  readonly original_line_price: Amount;
  readonly final_line_price: Amount;
  readonly product_type: string;
  readonly variant_options: readonly string[];
  readonly sku: string | null;
  readonly vendor: string;
  readonly properties: Readonly<Record<string, string>> | null;
  readonly options_with_values: readonly ChosenOption[];
  readonly product_has_only_default_variant: boolean;
};

/** An error response with the unchanged cart. */
export type CartProblem = Problem & {
  readonly cart?: Cart;
  readonly issues?: readonly Issue[];
  readonly sections?: Sections;
};

/** The current cart. */
export type CartRead = Cart & {
  readonly issues: readonly Issue[];
  readonly sections?: Sections;
};

/** The cart after a write. */
export type CartWritten = Cart & {
  readonly cart: Cart;
  readonly issues: readonly Issue[];
  /** If sections were requested. */
  readonly sections?: Sections;
};

/** An option and its selected value. */
export type ChosenOption = {
  readonly name: string;
  readonly value: string;
};

/** The share of a discount in a line. */
export type DiscountAllocation = {
  readonly amount: Amount;
  readonly discount_application: DiscountApplication;
};

/** An applied discount. */
export type DiscountApplication = {
  readonly title: string;
  /** null if the discount is automatic. */
  readonly code: string | null;
  readonly type: "automatic" | "discount_code";
  /** Percent, or minor units. */
  readonly value: number;
  readonly value_type: "percentage" | "fixed_amount";
  readonly target_type: "line_item";
  readonly target_selection: "all" | "entitled";
  readonly total_allocated_amount: Amount;
};

/** A change of the cart by stock, a rule, or a code. All fields are always present. */
export type Issue = {
  readonly code:
    | "inventory_cap"
    | "quantity_rule"
    | "line_removed"
    | "price_changed"
    | "price_unknown"
    | "attributes_not_kept"
    | "fields_not_kept"
    | "discount_not_applicable"
    | "gift_card_not_applicable"
    | "customer_required";
  /** A message for the customer, in the language of the path. */
  readonly message: string;
  readonly field: string | null;
  /** The key of the line. */
  readonly key: string | null;
  readonly variant_id: Id | null;
  readonly requested_quantity: number | null;
  /** The quantity of the line now. */
  readonly quantity: number | null;
  readonly available_quantity: number | null;
  /** The nearest item in stock, if the item is sold out; for the first five such issues. */
  readonly substitute: Substitute | null;
};

/** A line of the cart. */
export type LineItem = {
  /** The id of the line, which never changes. */
  readonly key: string;
  /** Equal to `key`. */
  readonly cartLineId: string;
  /** Equal to `key`. */
  readonly cart_line_id: string;
  /** The id of the variant. */
  readonly id: Id;
  readonly variant_id: Id;
  readonly product_id: Id;
  readonly title: string;
  readonly product_title: string;
  readonly variant_title: string | null;
  readonly handle: string;
  readonly url: string;
  readonly sku: string | null;
  readonly vendor: string;
  readonly product_type: string;
  readonly grams: number;
  readonly requires_shipping: boolean;
  readonly taxable: boolean;
  readonly gift_card: boolean;
  readonly has_components: boolean;
  readonly variant_options: readonly string[];
  readonly options_with_values: readonly ChosenOption[];
  readonly product_has_only_default_variant: boolean;
  readonly image: string | null;
  readonly featured_image: Image | null;
  readonly quantity_rule: QuantityRule;
  readonly quantity: number;
  readonly price: Amount;
  readonly original_price: Amount;
  readonly final_price: Amount;
  readonly line_price: Amount;
  readonly original_line_price: Amount;
  readonly final_line_price: Amount;
  readonly total_discount: Amount;
  readonly price_cents: Amount;
  readonly original_price_cents: Amount;
  readonly final_price_cents: Amount;
  readonly line_price_cents: Amount;
  readonly original_line_price_cents: Amount;
  readonly final_line_price_cents: Amount;
  readonly total_discount_cents: Amount;
  readonly discounted_price: Amount;
  /** The price as a decimal. */
  readonly presentment_price: number;
  readonly line_level_total_discount: Amount;
  readonly properties: Readonly<Record<string, string>> | null;
  /** The parent of a nested line, which precedes it and is removed with it. Null for other lines. */
  readonly parent_relationship: {
    /** The `key` of the parent. */
    readonly parent_key: string;
  } | null;
  /** Always true. */
  readonly instructions: {
    readonly can_remove: boolean;
    readonly can_update_quantity: boolean;
  };
  /** The maximum by stock and rule; null if unlimited. */
  readonly max_quantity: number | null;
  readonly available: boolean;
  readonly url_to_remove: string;
  readonly discounts: readonly {
    readonly title: string;
    readonly amount: Amount;
  }[];
  readonly line_level_discount_allocations: readonly DiscountAllocation[];
  readonly cart_level_discount_allocations: readonly DiscountAllocation[];
};

/** HTML by section id, in the wrapper `<div id="store-section-<id>">`; null if the section failed or does not exist. */
export type Sections = Readonly<Record<string, string | null>>;

/** A shipping rate. Fields of carriers are null. */
export type ShippingRate = {
  readonly name: string;
  readonly presentment_name: string;
  /** The name of the rate in every language. */
  readonly code: string;
  /** A decimal. */
  readonly price: string;
  readonly currency: string;
  readonly source: string;
  readonly markups: null;
  readonly delivery_date: null;
  readonly delivery_range: null;
  readonly delivery_days: readonly unknown[];
  readonly compare_price: null;
  readonly phone_required: boolean;
  readonly carrier_identifier: null;
  readonly delivery_category: null;
  readonly description: null;
  readonly has_restrictions: boolean;
  readonly accepts_instructions: boolean;
};

/** Shipping rates of the cart; empty if nothing is shipped. */
export type ShippingRates = {
  readonly shipping_rates: readonly ShippingRate[];
};

/** An item to offer in place of a sold-out one. */
export type Substitute = {
  readonly variant_id: Id;
  readonly product_id: Id;
  readonly title: string;
  readonly url: string;
  readonly image: string | null;
  readonly price: Amount;
};
