/** Fields of replies that the tests read. Their names are the public contract. */
export interface CartJson {
  readonly id: string | null;
  readonly item_count: number;
  readonly line_count: number;
  readonly items: readonly LineJson[];
  readonly lines: readonly LineJson[];
  readonly note?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly requires_shipping: boolean;
  readonly currency: { readonly iso_code: string };
  readonly items_subtotal_price_cents: number;
  readonly total_discount_cents: number;
  readonly total_price_cents: number;
  readonly amount_due_cents: number;
  readonly items_subtotal_price: number;
  readonly original_total_price: number;
  readonly total_discount: number;
  readonly total_price: number;
  readonly total_weight: number;
  readonly revision: number;
  readonly discount_codes: readonly { readonly code: string; readonly applicable: boolean }[];
  readonly cart_level_discount_applications: readonly unknown[];
  readonly gift_cards: readonly unknown[];
}

export interface MutationJson extends CartJson {
  readonly cart: CartJson;
  readonly issues: readonly IssueJson[];
  readonly sections?: Readonly<Record<string, string | null>>;
  readonly added?: readonly string[];
  readonly key?: string;
  readonly variant_id?: string | number;
}

export interface LineJson {
  readonly key: string;
  readonly cartLineId: string;
  readonly cart_line_id: string;
  readonly id: string | number;
  readonly variant_id: string | number;
  readonly quantity: number;
  readonly product_title: string;
  readonly title: string;
  readonly price: number;
  readonly original_line_price: number;
  readonly final_line_price: number;
  readonly final_line_price_cents: number;
  readonly total_discount: number;
  readonly properties: Readonly<Record<string, string>> | null;
  readonly parent_relationship: { readonly parent_key: string } | null;
  readonly instructions: { readonly can_remove: boolean; readonly can_update_quantity: boolean };
}

export interface IssueJson {
  readonly code: string;
  readonly message: string;
  readonly field?: string;
  readonly key?: string;
  readonly variant_id?: string | number;
  readonly requested_quantity?: number;
  readonly quantity?: number;
  readonly available_quantity?: number;
}

export interface CartErrorJson {
  readonly error: string;
  readonly fields?: readonly { readonly field: string; readonly rule: string; readonly message: string }[];
  readonly status: number;
  readonly message: string;
  readonly description: string;
  readonly errors: string;
  readonly cart?: CartJson;
  readonly issues?: readonly IssueJson[];
  readonly sections?: Readonly<Record<string, string | null>>;
}

export interface SuggestJson {
  readonly resources: { readonly results: Readonly<Record<Bucket, readonly ResultJson[]>> };
}

export const buckets = ["queries", "products", "collections", "pages", "articles", "bundles"] as const;
export type Bucket = (typeof buckets)[number];

export interface ResultJson {
  readonly id: string | number;
  readonly title: string;
  readonly handle: string;
  readonly url: string;
  readonly name: string;
  readonly type: string;
  readonly text: string;
  readonly styled_text: string;
  readonly available: boolean;
}
